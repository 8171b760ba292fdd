/* Runs of comments and decorators: the loop of chunking/attach.py. */
#include "blanks.h"
#include "numbers.h"

typedef struct {
    PyObject *data;
    Numbers lines;
    PyObject *tops;
    PyObject *comments;
} Document;

typedef struct {
    Py_ssize_t start;
    Py_ssize_t end;
} Range;

static int read_range(const Document *document, PyObject *list, Py_ssize_t at, Range *range)
{
    PyObject *pair = PyList_GET_ITEM(list, at);
    if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2) {
        PyErr_SetString(PyExc_TypeError, "a range is a start and an end");
        return -1;
    }
    if (number_of(PyTuple_GET_ITEM(pair, 0), &range->start) < 0 || number_of(PyTuple_GET_ITEM(pair, 1), &range->end) < 0)
        return -1;
    if (0 <= range->start && range->start <= range->end && range->end <= PyBytes_GET_SIZE(document->data))
        return 0;
    PyErr_SetString(PyExc_ValueError, "a range lies outside its document");
    return -1;
}

/* The range of the comments of a run, of which this one is the last so far: a new reference. */
static PyObject *comments_up_to(const Document *document, const Range *range, PyObject *first)
{
    PyObject *above = PyDict_GetItemWithError(document->comments, first);
    if (!above && PyErr_Occurred())
        return NULL;
    PyObject *start = above ? Py_NewRef(PyTuple_GET_ITEM(above, 0)) : PyLong_FromSsize_t(range->start);
    PyObject *end = PyLong_FromSsize_t(range->end);
    PyObject *whole = start && end ? PyTuple_Pack(2, start, end) : NULL;
    Py_XDECREF(start);
    Py_XDECREF(end);
    return whole;
}

/* `first` is the line a node stands on, `below` the one behind it. */
static int note_comments(const Document *document, const Range *range, int is_comment, PyObject *first,
                         PyObject *below)
{
    PyObject *comments =
        is_comment ? comments_up_to(document, range, first) : PyDict_GetItemWithError(document->comments, first);
    if (!comments)
        return PyErr_Occurred() ? -1 : 0;
    int status = PyDict_SetItem(document->comments, below, comments);
    if (is_comment)
        Py_DECREF(comments);
    return status;
}

static int note_top(const Document *document, PyObject *first, PyObject *below)
{
    PyObject *top = PyDict_GetItemWithError(document->tops, first);
    if (!top && PyErr_Occurred())
        return -1;
    return PyDict_SetItem(document->tops, below, top ? top : first);
}

static int note(const Document *document, const Range *range, int is_comment)
{
    const Numbers *lines = &document->lines;
    Py_ssize_t line = bisect_right(lines, range->start, 0, lines->count - 1) - 1;
    if (line < 0 || lines->items[line] < 0) {
        PyErr_SetString(PyExc_ValueError, "a range stands before the first line");
        return -1;
    }
    if (!is_blank(PyBytes_AS_STRING(document->data), lines->items[line], range->start))
        return 0;
    /* Some grammars count the line end as part of a comment. */
    Py_ssize_t last = range->end - 1 > range->start ? range->end - 1 : range->start;
    PyObject *first = PyLong_FromSsize_t(line);
    PyObject *below = PyLong_FromSsize_t(bisect_right(lines, last, line, lines->count - 1));
    int status = -1;
    if (first && below && note_comments(document, range, is_comment, first, below) == 0)
        status = note_top(document, first, below);
    Py_XDECREF(first);
    Py_XDECREF(below);
    return status;
}

static int comes_first(const Range *one, const Range *other)
{
    return one->start != other->start ? one->start < other->start : one->end < other->end;
}

/* Both lists are sorted; no Python code but that of ints runs while they are read, so they stay as they are. */
static int note_all(const Document *document, PyObject *comments, PyObject *attached)
{
    Py_ssize_t comment_at = 0, attached_at = 0;
    Range comment, other;
    for (;;) {
        int has_comment = comment_at < PyList_GET_SIZE(comments), has_other = attached_at < PyList_GET_SIZE(attached);
        if (!has_comment && !has_other)
            return 0;
        if (has_comment && read_range(document, comments, comment_at, &comment) < 0)
            return -1;
        if (has_other && read_range(document, attached, attached_at, &other) < 0)
            return -1;
        int is_comment = has_comment && (!has_other || comes_first(&comment, &other));
        if (note(document, is_comment ? &comment : &other, is_comment) < 0)
            return -1;
        if (is_comment)
            comment_at++;
        else
            attached_at++;
    }
}

static PyObject *attachments(PyObject *module, PyObject *args)
{
    Document document = {0};
    PyObject *lines, *comments, *attached, *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "SOO!O!:attachments", &document.data, &lines, &PyList_Type, &comments, &PyList_Type,
                          &attached))
        return NULL;
    if (numbers_of(lines, &document.lines) < 0)
        return NULL;
    document.tops = PyDict_New();
    document.comments = PyDict_New();
    if (document.tops && document.comments && note_all(&document, comments, attached) == 0)
        result = PyTuple_Pack(2, document.tops, document.comments);
    Py_XDECREF(document.tops);
    Py_XDECREF(document.comments);
    free_numbers(&document.lines);
    return result;
}

static PyMethodDef functions[] = {
    {"attachments", attachments, METH_VARARGS, "First lines of runs, and ranges of their comments, by line."},
    {NULL, NULL, 0, NULL},
};

int add_attach(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
