/* What is seen of a text before it is parsed: where its lines start and how much is on them, the twin of
   `pure_measured` in chunking/lines.py, and how deep its brackets are nested, the twin of `pure_is_deeper` in
   chunking/guards.py. */
#include "parts.h"

/* Number of lines; a CR before an LF belongs to its line end. */
static Py_ssize_t count_lines(const unsigned char *text, Py_ssize_t size)
{
    Py_ssize_t count = 0;
    /* Without a branch this is done for many bytes at once. */
    for (Py_ssize_t at = 0; at + 1 < size; at++)
        count += (text[at] == '\n') | ((text[at] == '\r') & (text[at + 1] != '\n'));
    return size ? count + 1 : 0;
}

static int set_number(PyObject *list, Py_ssize_t at, Py_ssize_t number)
{
    PyObject *value = PyLong_FromSsize_t(number);
    if (!value)
        return -1;
    PyList_SET_ITEM(list, at, value);
    return 0;
}

/* 1 for the bytes that are seen on a line: neither blank nor a line end. */
static unsigned char seen[256];

static void fill_seen(void)
{
    for (int byte = 0; byte < 256; byte++)
        seen[byte] = byte != ' ' && (byte < '\t' || byte > '\r');
}

/* Where the line that starts at `at` ends, behind its line end; adds what is seen of it to `sum`. */
static Py_ssize_t line_end(const unsigned char *text, Py_ssize_t size, Py_ssize_t at, Py_ssize_t *sum)
{
    Py_ssize_t found = 0;
    for (; at < size && text[at] != '\n' && text[at] != '\r'; at++)
        found += seen[text[at]];
    *sum += found;
    if (at + 1 < size && text[at] == '\r' && text[at + 1] == '\n')
        return at + 2;
    return at < size ? at + 1 : at;
}

static int fill_measures(PyObject *starts, PyObject *sums, const unsigned char *text, Py_ssize_t size)
{
    Py_ssize_t count = PyList_GET_SIZE(starts), at = 0, sum = 0;
    for (Py_ssize_t line = 0; line < count; line++) {
        if (set_number(starts, line, at) < 0 || set_number(sums, line, sum) < 0)
            return -1;
        at = line_end(text, size, at, &sum);
    }
    return 0;
}

PyDoc_STRVAR(measure_lines_doc,
             "measure_lines(data)\n--\n\n"
             "Offset of each line, and how many bytes before it are not blank; the same for the end of the text.");

static PyObject *measure_lines(PyObject *module, PyObject *data)
{
    (void)module;
    if (!PyBytes_Check(data))
        return PyErr_Format(PyExc_TypeError, "lines are measured in bytes, not %.100s", Py_TYPE(data)->tp_name);
    const unsigned char *text = (const unsigned char *)PyBytes_AS_STRING(data);
    Py_ssize_t size = PyBytes_GET_SIZE(data), count = count_lines(text, size) + 1;
    PyObject *starts = PyList_New(count), *sums = PyList_New(count), *result = NULL;
    if (starts && sums && fill_measures(starts, sums, text, size) == 0)
        result = PyTuple_Pack(2, starts, sums);
    Py_XDECREF(starts);
    Py_XDECREF(sums);
    return result;
}

static Py_ssize_t count_opening(const unsigned char *text, Py_ssize_t size)
{
    Py_ssize_t count = 0;
    for (Py_ssize_t at = 0; at < size; at++)
        count += (text[at] == '(') | (text[at] == '[') | (text[at] == '{');
    return count;
}

static int gets_deeper(const unsigned char *text, Py_ssize_t size, Py_ssize_t most)
{
    Py_ssize_t depth = 0;
    for (Py_ssize_t at = 0; at < size; at++) {
        unsigned char byte = text[at];
        depth += (byte == '(') | (byte == '[') | (byte == '{');
        depth -= (byte == ')') | (byte == ']') | (byte == '}');
        if (depth > most)
            return 1;
    }
    return 0;
}

PyDoc_STRVAR(is_deeper_doc,
             "is_deeper(data, most)\n--\n\n"
             "Whether more than `most` brackets, of whatever kinds, are open anywhere.");

static PyObject *is_deeper(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    if (count != 2 || !PyBytes_Check(arguments[0])) {
        PyErr_SetString(PyExc_TypeError, "is_deeper takes bytes and a number");
        return NULL;
    }
    Py_ssize_t most = PyNumber_AsSsize_t(arguments[1], PyExc_OverflowError);
    if (most == -1 && PyErr_Occurred())
        return NULL;
    const unsigned char *text = (const unsigned char *)PyBytes_AS_STRING(arguments[0]);
    Py_ssize_t size = PyBytes_GET_SIZE(arguments[0]);
    /* Most texts have too few brackets, and counting is several times quicker. */
    return PyBool_FromLong(count_opening(text, size) > most && gets_deeper(text, size, most));
}

static PyMethodDef functions[] = {
    {"is_deeper", (PyCFunction)(void (*)(void))is_deeper, METH_FASTCALL, is_deeper_doc},
    {"measure_lines", measure_lines, METH_O, measure_lines_doc},
    {NULL, NULL, 0, NULL},
};

int add_lines(PyObject *module)
{
    fill_seen();
    return PyModule_AddFunctions(module, functions);
}
