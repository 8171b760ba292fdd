/* Identifiers of ASCII characters into search terms: the twin of `analyse` and `stem` in text/terms.py. */
#ifndef LURCHER_SPLITTING_H
#define LURCHER_SPLITTING_H

#include "buffer.h"

/* Appends the terms of a run of ASCII letters, digits, underscores and hyphens, each with a blank before it.
   Returns 0, or -1 with an exception set. */
int append_terms_of_ascii(Buffer *out, const unsigned char *run, size_t size);

/* Size of the part that a piece of ASCII letters and digits, which is not empty, starts with: an acronym, a word with or
   without a capital, or digits. */
size_t part_at(const unsigned char *piece, size_t size);

#endif
