#include "nest.h"

int read_nest(Nest *nest, PyObject *starts, PyObject *ends, PyObject *parents)
{
    *nest = (Nest){{NULL, 0}, {NULL, 0}, {NULL, 0}};
    if (numbers_of(starts, &nest->starts) < 0 || numbers_of(ends, &nest->ends) < 0 ||
        numbers_of(parents, &nest->parents) < 0)
        return -1;
    if (nest->starts.count == nest->ends.count && nest->starts.count == nest->parents.count)
        return 0;
    PyErr_SetString(PyExc_ValueError, "symbols have a start, an end and a parent each");
    return -1;
}

void free_nest(Nest *nest)
{
    free_numbers(&nest->starts);
    free_numbers(&nest->ends);
    free_numbers(&nest->parents);
}

int climb(const Nest *nest, Py_ssize_t symbol, Py_ssize_t end, Py_ssize_t *found)
{
    while (symbol >= 0 && nest->ends.items[symbol] < end) {
        Py_ssize_t parent = nest->parents.items[symbol];
        /* Each step goes back in the document, so that there are no more steps than symbols. */
        if (parent < -1 || parent >= symbol) {
            PyErr_SetString(PyExc_ValueError, "a symbol lies in one that comes later");
            return -1;
        }
        symbol = parent;
    }
    *found = symbol;
    return 0;
}
