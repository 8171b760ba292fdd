/* Runs of bytes and the terms that they give: a hash table that forgets everything when it is full. */
#ifndef LURCHER_MEMO_H
#define LURCHER_MEMO_H

#include "buffer.h"

#include <stdint.h>

typedef struct {
    uint32_t hash;
    /* Offset of the entry in `kept`; 0 for an empty slot. */
    uint32_t entry;
} Slot;

typedef struct {
    Slot *slots;
    size_t slot_count;
    size_t count;
    size_t most;
    /* The entries one after another: an Entry, the run, its terms. */
    Buffer kept;
} Memo;

uint32_t memo_hash(const unsigned char *run, size_t size);

/* The terms of a run, with their size; NULL if they are not known. Good until the memo is changed. */
const char *memo_find(const Memo *memo, uint32_t hash, const unsigned char *run, size_t size, size_t *terms_size);

/* Remembers the terms of a run, unless that would be too dear. Returns 0, or -1 with an exception set. */
int memo_keep(Memo *memo, uint32_t hash, const unsigned char *run, size_t size, const char *terms, size_t terms_size);

void memo_free(Memo *memo);

#endif
