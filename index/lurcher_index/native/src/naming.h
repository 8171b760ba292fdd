/* What names are made of, for those of ASCII characters: the twins of `split_name` in chunking/edges.py and of `named_words` in
   features/phrases.py. All others are told by these. */
#ifndef LURCHER_NAMING_H
#define LURCHER_NAMING_H

#include "parts.h"

/* Name and qualifier of an expression that is nothing but names with `.` or `::` between them: a new tuple. NULL with an
   exception set, or without one if it is another expression. */
PyObject *plain_pair(const char *text, Py_ssize_t size);

#endif
