#include "numbers.h"

int number_of(PyObject *object, Py_ssize_t *number)
{
    *number = PyLong_AsSsize_t(object);
    return *number == -1 && PyErr_Occurred() ? -1 : 0;
}

int number_in(PyObject *object, PyObject *attribute, Py_ssize_t *number)
{
    PyObject *value = PyObject_GetAttr(object, attribute);
    if (!value)
        return -1;
    int status = number_of(value, number);
    Py_DECREF(value);
    return status;
}

int intern(PyObject **attribute, const char *name)
{
    *attribute = PyUnicode_InternFromString(name);
    return *attribute ? 0 : -1;
}

int numbers_of(PyObject *list, Numbers *numbers)
{
    numbers->items = NULL;
    numbers->count = 0;
    if (!PyList_Check(list)) {
        PyErr_SetString(PyExc_TypeError, "a list of numbers is wanted");
        return -1;
    }
    Py_ssize_t count = PyList_GET_SIZE(list);
    Py_ssize_t *items = PyMem_New(Py_ssize_t, count);
    if (!items) {
        PyErr_NoMemory();
        return -1;
    }
    /* No other code runs in this loop: what is no int is an error, it is not asked for a number. */
    for (Py_ssize_t at = 0; at < count; at++) {
        if (number_of(PyList_GET_ITEM(list, at), &items[at]) < 0) {
            PyMem_Free(items);
            return -1;
        }
    }
    numbers->items = items;
    numbers->count = count;
    return 0;
}

void free_numbers(Numbers *numbers)
{
    PyMem_Free(numbers->items);
    numbers->items = NULL;
    numbers->count = 0;
}

Py_ssize_t bisect_right(const Numbers *numbers, Py_ssize_t value, Py_ssize_t low, Py_ssize_t high)
{
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (value < numbers->items[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
