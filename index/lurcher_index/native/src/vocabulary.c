#include "vocabulary.h"

#include "memo.h"
#include "splitting.h"

#include <stdbool.h>

/* As INNER_WORD_LETTERS and MAX_WORD_LETTERS of the twin say. */
#define INNER_WORD_BYTES 4
#define MOST_WORD_BYTES 32

/* No word of ours is a third as long; longer parts of a run are data. */
#define MOST_ENTRY_BYTES 96

static uint32_t slot_hash(const unsigned char *word, size_t size, bool is_piece)
{
    uint32_t hash = memo_hash(word, size);
    return is_piece ? hash ^ UINT32_C(0x9E3779B9) : hash;
}

/* The slot of a word, or the empty one where it would be. */
static VocabularySlot *slot_of(const Vocabulary *vocabulary, const unsigned char *word, size_t size, bool is_piece)
{
    uint32_t hash = slot_hash(word, size, is_piece);
    for (size_t at = hash;; at++) {
        VocabularySlot *slot = &vocabulary->slots[at & (vocabulary->slot_count - 1)];
        bool is_it = slot->hash == hash && slot->size == size && slot->is_piece == is_piece;
        if (!slot->size || (is_it && memcmp(slot->bytes, word, size) == 0))
            return slot;
    }
}

static int refuse(const char *why)
{
    PyErr_SetString(PyExc_ValueError, why);
    return -1;
}

static int add_word(Vocabulary *vocabulary, const unsigned char *word, size_t size)
{
    bool is_piece = size > 2 && word[0] == '#' && word[1] == '#';
    uint32_t number = vocabulary->count++;
    word += is_piece ? 2 : 0;
    size -= is_piece ? 2 : 0;
    if (!size || size > MOST_ENTRY_BYTES)
        return refuse("a word of the vocabulary is empty or too long");
    VocabularySlot *slot = slot_of(vocabulary, word, size, is_piece);
    if (slot->size)
        return refuse("the vocabulary repeats a word");
    *slot = (VocabularySlot){word, slot_hash(word, size, is_piece), (uint16_t)size, (uint16_t)number, is_piece};
    if (size > vocabulary->longest)
        vocabulary->longest = size;
    return 0;
}

int vocabulary_read(Vocabulary *vocabulary, const unsigned char *text, size_t size)
{
    size_t count = 1;
    for (size_t at = 0; at < size; at++)
        count += text[at] == '\n';
    if (count > MOST_VOCABULARY_WORDS)
        return refuse("the vocabulary has too many words");
    /* At least half of the slots stay empty, so a look for what is not there ends soon. */
    vocabulary->slot_count = 2;
    while (vocabulary->slot_count < 2 * count)
        vocabulary->slot_count *= 2;
    vocabulary->slots = PyMem_Calloc(vocabulary->slot_count, sizeof(VocabularySlot));
    if (!vocabulary->slots) {
        PyErr_NoMemory();
        return -1;
    }
    const unsigned char *end = text + size;
    for (const unsigned char *word = text;; word++) {
        const unsigned char *first = word;
        while (word < end && *word != '\n')
            word++;
        if (add_word(vocabulary, first, (size_t)(word - first)) < 0)
            return -1;
        if (word == end)
            return 0;
    }
}

static int append_number(Buffer *out, const VocabularySlot *slot)
{
    return buffer_append(out, &slot->number, sizeof slot->number);
}

/* The longest word or piece that is known at the beginning of some letters; NULL if there is none. Short words stand
   inside others by chance, so they have to be pieces. */
static const VocabularySlot *longest_at(const Vocabulary *vocabulary, const unsigned char *letters, size_t size)
{
    for (size_t length = size < vocabulary->longest ? size : vocabulary->longest; length; length--) {
        if (length >= INNER_WORD_BYTES) {
            const VocabularySlot *word = slot_of(vocabulary, letters, length, false);
            if (word->size)
                return word;
        }
        const VocabularySlot *piece = slot_of(vocabulary, letters, length, true);
        if (piece->size)
            return piece;
    }
    return NULL;
}

static int append_pieces(const Vocabulary *vocabulary, Buffer *out, const unsigned char *word, size_t size)
{
    for (size_t at = 0; at < size;) {
        const VocabularySlot *slot = longest_at(vocabulary, word + at, size - at);
        if (slot && append_number(out, slot) < 0)
            return -1;
        at += slot ? slot->size : 1;
    }
    return 0;
}

static int append_word(const Vocabulary *vocabulary, Buffer *out, const unsigned char *part, size_t size)
{
    if (size > MOST_ENTRY_BYTES)
        return 0;
    unsigned char word[MOST_ENTRY_BYTES];
    bool is_number = true;
    for (size_t at = 0; at < size; at++) {
        word[at] = part[at] >= 'A' && part[at] <= 'Z' ? (unsigned char)(part[at] + 32) : part[at];
        is_number = is_number && word[at] <= '9';
    }
    const VocabularySlot *slot = slot_of(vocabulary, word, size, false);
    if (slot->size)
        return append_number(out, slot);
    return size <= MOST_WORD_BYTES && !is_number ? append_pieces(vocabulary, out, word, size) : 0;
}

int vocabulary_append(const Vocabulary *vocabulary, Buffer *out, const unsigned char *run, size_t size)
{
    for (size_t at = 0; at < size;) {
        size_t part = part_at(run + at, size - at);
        if (append_word(vocabulary, out, run + at, part) < 0)
            return -1;
        at += part;
    }
    return 0;
}

void vocabulary_free(Vocabulary *vocabulary)
{
    PyMem_Free(vocabulary->slots);
    *vocabulary = (Vocabulary){0};
}
