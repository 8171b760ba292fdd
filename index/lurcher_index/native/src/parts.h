/* What each source file adds to the module. */
#ifndef LURCHER_PARTS_H
#define LURCHER_PARTS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* Another number whenever Python and C have to change together: a module that was compiled before is not used then. */
#define EDITION 8

/* Each returns 0, or -1 with an exception set. */
int add_terms(PyObject *module);
int add_lines(PyObject *module);
int add_edges(PyObject *module);
int add_recall(PyObject *module);
int add_hints(PyObject *module);
int add_keys(PyObject *module);
int add_attach(PyObject *module);
int add_symbols(PyObject *module);
int add_segmenting(PyObject *module);
int add_syntax(PyObject *module);
int add_naming(PyObject *module);
int add_nesting(PyObject *module);
int add_needles(PyObject *module);
int add_pooling(PyObject *module);
int add_doing(PyObject *module);

#endif
