/* What Python functions said about pieces of text, kept in mind: the rules stay in Python, the look-ups are here. */
#ifndef LURCHER_RECALL_H
#define LURCHER_RECALL_H

#include "parts.h"

/* The type is `_compiled.Memo`: made from a function of bytes and from how many results are kept. */
extern PyTypeObject MemoType;

/* What the function says about data[start:end]: a new reference, or NULL with an exception set.
   The caller keeps 0 <= start <= end <= the length of `data`, which is a bytes object. */
PyObject *recall(PyObject *memo, PyObject *data, Py_ssize_t start, Py_ssize_t end);

/* The same; of what is not kept yet, `quick` is asked first: a new reference, NULL with an exception set, or NULL without
   one, and then the function is asked. */
typedef PyObject *Quick(const char *text, Py_ssize_t size);
PyObject *recall_quickly(PyObject *memo, PyObject *data, Py_ssize_t start, Py_ssize_t end, Quick *quick);

#endif
