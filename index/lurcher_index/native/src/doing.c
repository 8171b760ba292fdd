/* How much a text decides and how much it remarks, the twin of `pure_counted` in chunking/doing.py. */
#include "parts.h"

#include <string.h>

/* Of each of these there are few, and the compiler takes many bytes at once as long as nothing branches. */
static Py_ssize_t count_branches(const char *text, Py_ssize_t size)
{
    int found = 0;
    for (Py_ssize_t at = 0; at + 2 < size; at++)
        found += (text[at] == 'i') & (text[at + 1] == 'f') & ((text[at + 2] == ' ') | (text[at + 2] == '('));
    return found;
}

static Py_ssize_t count_remarks(const char *text, Py_ssize_t size)
{
    int found = 0;
    for (Py_ssize_t at = 0; at + 1 < size; at++)
        found += ((text[at] == '/') & ((text[at + 1] == '/') | (text[at + 1] == '*'))) |
                 ((text[at] == '#') & (text[at + 1] == ' '));
    for (Py_ssize_t at = 0; at + 2 < size; at++)
        found += ((text[at] == '-') & (text[at + 1] == '-') & (text[at + 2] == ' ')) |
                 ((text[at] == ' ') & (text[at + 1] == '*') & (text[at + 2] == ' '));
    return found;
}

/* What was counted too often: `//` in `///` counts once, and so does ` * ` in ` * * `. */
static Py_ssize_t count_twice(const char *text, Py_ssize_t size, const char *mark, Py_ssize_t length)
{
    Py_ssize_t twice = 0, last = -length;
    for (Py_ssize_t at = 0; at + length <= size; at++) {
        if (text[at] != mark[0] || memcmp(text + at, mark, length) != 0)
            continue;
        if (at < last + length)
            twice++;
        else
            last = at;
    }
    return twice;
}

/* Whether any mark may stand in another of its kind. */
static int may_overlap(const char *text, Py_ssize_t size)
{
    int found = 0;
    for (Py_ssize_t at = 0; at + 2 < size; at++)
        found |= ((text[at] == '/') & (text[at + 1] == '/') & (text[at + 2] == '/')) |
                 ((text[at] == '*') & (text[at + 1] == ' ') & (text[at + 2] == '*'));
    return found;
}

PyDoc_STRVAR(counted_doc,
             "counted(text)\n--\n\n"
             "How often a text decides, and how many marks of comments it has.");

static PyObject *counted(PyObject *module, PyObject *text)
{
    (void)module;
    if (!PyBytes_Check(text))
        return PyErr_Format(PyExc_TypeError, "marks are counted in bytes, not %.100s", Py_TYPE(text)->tp_name);
    const char *data = PyBytes_AS_STRING(text);
    Py_ssize_t size = PyBytes_GET_SIZE(text), remarks = count_remarks(data, size);
    if (may_overlap(data, size))
        remarks -= count_twice(data, size, "//", 2) + count_twice(data, size, " * ", 3);
    return Py_BuildValue("(nn)", count_branches(data, size), remarks);
}

static PyMethodDef functions[] = {
    {"counted", counted, METH_O, counted_doc},
    {NULL, NULL, 0, NULL},
};

int add_doing(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
