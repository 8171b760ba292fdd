#include "splitting.h"

/* As MAX_TERM_CHARACTERS of the twin says, and the length from which on it does not look at a word at all. */
#define MOST_TERM_BYTES 64
#define MOST_WORD_BYTES (4 * MOST_TERM_BYTES)

typedef struct {
    const unsigned char *bytes;
    size_t size;
} Span;

/* One word on its way into terms. Every part is stemmed where it stands, since a stem is never longer than its part. */
typedef struct {
    const unsigned char *word;
    size_t size;
    unsigned char lower[MOST_WORD_BYTES];
    unsigned char stemmed[MOST_WORD_BYTES];
    unsigned char joined[MOST_WORD_BYTES];
    Span whole;
    /* A part takes a byte at least, and so does the separator before a piece: there are never more than this. */
    Span found[2 * MOST_WORD_BYTES];
    size_t found_count;
    size_t piece_count;
} Splitting;

static int is_lower(unsigned char byte) { return byte >= 'a' && byte <= 'z'; }

static int is_upper(unsigned char byte) { return byte >= 'A' && byte <= 'Z'; }

static int is_digit(unsigned char byte) { return byte >= '0' && byte <= '9'; }

static int is_separator(unsigned char byte) { return byte == '_' || byte == '-'; }

static unsigned char lowered(unsigned char byte) { return is_upper(byte) ? (unsigned char)(byte + 32) : byte; }

static int is_same(Span one, Span other)
{
    return one.size == other.size && memcmp(one.bytes, other.bytes, one.size) == 0;
}

static int starts_with(const unsigned char *bytes, size_t size, const char *start)
{
    size_t length = strlen(start);
    return size >= length && memcmp(bytes, start, length) == 0;
}

static int ends_with(const unsigned char *bytes, size_t size, const char *end)
{
    size_t length = strlen(end);
    return size >= length && memcmp(bytes + size - length, end, length) == 0;
}

static size_t without_plural(unsigned char *word, size_t size)
{
    if (word[size - 1] != 's' || ends_with(word, size, "ss") || ends_with(word, size, "us") ||
        ends_with(word, size, "is"))
        return size;
    if (ends_with(word, size, "ies") && size > 4) {
        word[size - 3] = 'y';
        return size - 2;
    }
    if (ends_with(word, size, "sses") || ends_with(word, size, "xes") || ends_with(word, size, "ches") ||
        ends_with(word, size, "shes") || ends_with(word, size, "zzes"))
        return size - 2;
    return size - 1;
}

static int is_no_participle(const unsigned char *word, size_t size)
{
    static const char *const words[] = {
        "embed", "shed", "hundred", "sacred", "string", "during", "nothing", "something",
    };
    for (size_t at = 0; at < sizeof words / sizeof *words; at++)
        if (size == strlen(words[at]) && memcmp(word, words[at], size) == 0)
            return 1;
    return ends_with(word, size, "eed");
}

static int has_vowel(const unsigned char *word, size_t size)
{
    for (size_t at = 0; at < size; at++)
        if (memchr("aeiouy", word[at], 6))
            return 1;
    return 0;
}

static size_t without_participle(const unsigned char *word, size_t size)
{
    size_t root = ends_with(word, size, "ing") ? size - 3 : ends_with(word, size, "ed") ? size - 2 : size;
    if (root == size || root < 3 || !has_vowel(word, root) || is_no_participle(word, size))
        return size;
    return word[root - 1] == word[root - 2] && memchr("bdgmnprt", word[root - 1], 8) ? root - 1 : root;
}

/* Stems a word of lower-case letters in its place; returns what is left of its size. */
static size_t stem(unsigned char *word, size_t size)
{
    if (size < 4 || !memchr("sgde", word[size - 1], 4))
        return size;
    size = without_plural(word, size);
    size = without_participle(word, size);
    return size > 4 && word[size - 1] == 'e' ? size - 1 : size;
}

/* Names that are written against the rules of camelCase; 0 if none stands here. */
static size_t irregular_part(const unsigned char *piece, size_t size)
{
    if (starts_with(piece, size, "IPv"))
        return size > 3 && (piece[3] == '4' || piece[3] == '6') ? 3 : 0;
    if (starts_with(piece, size, "OAuth") || starts_with(piece, size, "macOS"))
        return 5;
    return starts_with(piece, size, "iOS") ? 3 : 0;
}

/* An acronym leaves its last capital to the word that follows. */
size_t part_at(const unsigned char *piece, size_t size)
{
    size_t end = irregular_part(piece, size);
    if (end)
        return end;
    if (is_digit(*piece)) {
        while (end < size && is_digit(piece[end]))
            end++;
        return end;
    }
    while (end < size && is_upper(piece[end]))
        end++;
    if (end > 1)
        return end < size && is_lower(piece[end]) ? end - 1 : end;
    while (end < size && is_lower(piece[end]))
        end++;
    return end;
}

static int append_term(Buffer *out, Span term)
{
    if (buffer_reserve(out, term.size + 1) < 0)
        return -1;
    out->bytes[out->size++] = ' ';
    memcpy(out->bytes + out->size, term.bytes, term.size);
    out->size += term.size;
    return 0;
}

/* Appends a term of a part unless it is the whole again, was there before, or is too long to be a word. */
static int add_found(Splitting *splitting, Buffer *out, Span term)
{
    if (term.size > MOST_TERM_BYTES || is_same(term, splitting->whole))
        return 0;
    for (size_t at = 0; at < splitting->found_count; at++)
        if (is_same(term, splitting->found[at]))
            return 0;
    splitting->found[splitting->found_count++] = term;
    return append_term(out, term);
}

static int add_part(Splitting *splitting, Buffer *out, size_t start, size_t size, int is_alone)
{
    /* A lone digit says nothing, and inside a name (utf8) it is found with its neighbour. */
    if (is_digit(splitting->word[start]) && (size < 2 || !is_alone))
        return 0;
    unsigned char *part = splitting->stemmed + start;
    return add_found(splitting, out, (Span){part, stem(part, size)});
}

static int add_piece(Splitting *splitting, Buffer *out, size_t start, size_t end)
{
    size_t size = part_at(splitting->word + start, end - start);
    int is_alone = start + size == end;
    if (!is_alone && splitting->piece_count > 1 &&
        add_found(splitting, out, (Span){splitting->lower + start, end - start}) < 0)
        return -1;
    while (start < end) {
        size = part_at(splitting->word + start, end - start);
        if (add_part(splitting, out, start, size, is_alone) < 0)
            return -1;
        start += size;
    }
    return 0;
}

/* Where the next piece between separators starts, from `at` on, with its end in `end`; the word's size if none does. */
static size_t next_piece(const Splitting *splitting, size_t at, size_t *end)
{
    while (at < splitting->size && is_separator(splitting->word[at]))
        at++;
    *end = at;
    while (*end < splitting->size && !is_separator(splitting->word[*end]))
        ++*end;
    return at;
}

/* Counts the pieces, and puts them together with one underscore between each two. */
static Span join_pieces(Splitting *splitting)
{
    size_t size = 0, end = 0;
    for (size_t at = next_piece(splitting, 0, &end); at < splitting->size; at = next_piece(splitting, end, &end)) {
        if (splitting->piece_count++)
            splitting->joined[size++] = '_';
        memcpy(splitting->joined + size, splitting->lower + at, end - at);
        size += end - at;
    }
    return (Span){splitting->joined, size};
}

static Span stripped(const unsigned char *word, size_t size)
{
    while (size && is_separator(word[size - 1]))
        size--;
    while (size && is_separator(*word))
        word++, size--;
    return (Span){word, size};
}

/* Whether each part between hyphens is a letter with something behind it: `i-1` is no name. */
static int is_kebab_name(const unsigned char *word, size_t size)
{
    size_t start = 0;
    for (size_t at = 0; at <= size; at++) {
        if (at < size && word[at] != '-')
            continue;
        if (at - start < 2 || !is_lower(lowered(word[start])))
            return 0;
        start = at + 1;
    }
    return 1;
}

/* The term for the word as a whole; empty where it is not worth one, such as a lone digit or a hash. */
static Span whole_of(Splitting *splitting)
{
    Span joined = join_pieces(splitting);
    int is_kebab = memchr(splitting->word, '-', splitting->size) != NULL;
    Span whole = is_kebab ? stripped(splitting->lower, splitting->size) : joined;
    int is_name = is_kebab ? is_kebab_name(splitting->word, splitting->size)
                           : whole.size > 1 || (whole.size && is_lower(*whole.bytes));
    return is_name && whole.size <= MOST_TERM_BYTES ? whole : (Span){whole.bytes, 0};
}

static int append_terms_of_word(Buffer *out, const unsigned char *word, size_t size)
{
    if (size > MOST_WORD_BYTES)
        return 0;
    Splitting splitting;
    splitting.word = word;
    splitting.size = size;
    splitting.found_count = splitting.piece_count = 0;
    for (size_t at = 0; at < size; at++)
        splitting.lower[at] = splitting.stemmed[at] = lowered(word[at]);
    splitting.whole = whole_of(&splitting);
    if (splitting.whole.size && append_term(out, splitting.whole) < 0)
        return -1;
    size_t end = 0;
    for (size_t at = next_piece(&splitting, 0, &end); at < size; at = next_piece(&splitting, end, &end))
        if (add_piece(&splitting, out, at, end) < 0)
            return -1;
    return 0;
}

/* Where the word ends that starts here: single hyphens are inside of it, others are not. */
static size_t word_end(const unsigned char *run, size_t size, size_t at)
{
    while (at < size && (run[at] != '-' || (at + 1 < size && run[at + 1] != '-')))
        at++;
    return at;
}

int append_terms_of_ascii(Buffer *out, const unsigned char *run, size_t size)
{
    for (size_t at = 0; at < size;) {
        if (run[at] == '-') {
            at++;
            continue;
        }
        size_t end = word_end(run, size, at);
        if (append_terms_of_word(out, run + at, end - at) < 0)
            return -1;
        at = end;
    }
    return 0;
}
