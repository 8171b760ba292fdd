/* Lists of Python numbers as arrays: what a loop reads many times is converted once. */
#ifndef LURCHER_NUMBERS_H
#define LURCHER_NUMBERS_H

#include "parts.h"

typedef struct {
    Py_ssize_t *items;
    Py_ssize_t count;
} Numbers;

/* Returns 0, or -1 with an exception set; then there is nothing to free. */
int numbers_of(PyObject *list, Numbers *numbers);
void free_numbers(Numbers *numbers);

/* One number. Returns 0, or -1 with an exception set. */
int number_of(PyObject *object, Py_ssize_t *number);
int number_in(PyObject *object, PyObject *attribute, Py_ssize_t *number);

/* The name of an attribute, as `number_in` takes it. Returns 0, or -1 with an exception set. */
int intern(PyObject **attribute, const char *name);

/* How many of the ascending numbers `low` up to `high`, exclusive, are at most `value`, counted from the first of all:
   Python's bisect_right. The caller keeps 0 <= low <= high <= count. */
Py_ssize_t bisect_right(const Numbers *numbers, Py_ssize_t value, Py_ssize_t low, Py_ssize_t high);

#endif
