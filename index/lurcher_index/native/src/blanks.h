/* White space as bytes.strip() sees it, whatever the locale. */
#ifndef LURCHER_BLANKS_H
#define LURCHER_BLANKS_H

#include "parts.h"

static inline int is_space(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* Whether there is nothing but white space from `start` up to `end`. */
static inline int is_blank(const char *data, Py_ssize_t start, Py_ssize_t end)
{
    while (start < end && is_space(data[start]))
        start++;
    return start >= end;
}

#endif
