/* The words and pieces of an embedding model, and text as their numbers: the twin of dense/static/tokens.py. */
#ifndef LURCHER_VOCABULARY_H
#define LURCHER_VOCABULARY_H

#include "buffer.h"

#include <stdint.h>

#define MOST_VOCABULARY_WORDS (1u << 16) /* Numbers are kept in 16 bits. */

typedef struct {
    const unsigned char *bytes; /* Of the word, or of the piece without its mark. */
    uint32_t hash;
    uint16_t size; /* 0 for an empty slot. */
    uint16_t number;
    uint8_t is_piece; /* Pieces have other numbers than words that are spelled alike. */
} VocabularySlot;

typedef struct {
    VocabularySlot *slots;
    size_t slot_count;
    size_t longest;
    uint32_t count;
} Vocabulary;

/* Reads words that stand in a text of their own, one a line; their bytes have to stay. Returns 0, or -1 with an
   exception set. */
int vocabulary_read(Vocabulary *vocabulary, const unsigned char *text, size_t size);

/* Appends the numbers of the words of a run of ASCII letters and digits, two bytes each. Returns 0, or -1 with an
   exception set. */
int vocabulary_append(const Vocabulary *vocabulary, Buffer *out, const unsigned char *run, size_t size);

void vocabulary_free(Vocabulary *vocabulary);

#endif
