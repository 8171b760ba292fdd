/* Which symbol encloses which: Python's Nest, as arrays. */
#ifndef LURCHER_NEST_H
#define LURCHER_NEST_H

#include "numbers.h"

/* All three have the same count. */
typedef struct {
    Numbers starts;
    Numbers ends;
    Numbers parents;
} Nest;

/* From the three lists. Returns 0, or -1 with an exception set; it is to be freed in both cases. */
int read_nest(Nest *nest, PyObject *starts, PyObject *ends, PyObject *parents);
void free_nest(Nest *nest);

/* The innermost symbol that does not end before `end`, or -1: `symbol`, which is -1 or below the count, or one around
   it. Returns 0, or -1 with an exception set. */
int climb(const Nest *nest, Py_ssize_t symbol, Py_ssize_t end, Py_ssize_t *found);

#endif
