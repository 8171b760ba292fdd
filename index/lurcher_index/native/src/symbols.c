/* Where symbols begin and end: the loops of chunking/symbols.py. */
#include "blanks.h"
#include "numbers.h"

static PyObject *definition_attribute, *name_attribute, *kind_attribute, *container_attribute, *owner_attribute;
static PyObject *start_attribute, *end_attribute, *name_start_attribute, *name_end_attribute, *body_attribute;

typedef struct {
    PyObject *data;
    Numbers lines; /* their starts, and the document's end */
} Document;

/* What stands above definitions, borrowed from the caller's arguments. */
typedef struct {
    PyObject *tops;
    PyObject *comments;
    PyObject *nothing; /* the range of no comments */
} Attached;

/* Returns 0, or -1 with an exception set; it is to be freed in both cases. */
static int read_document(Document *document, PyObject *lines)
{
    if (numbers_of(lines, &document->lines) < 0)
        return -1;
    Py_ssize_t before = 0;
    /* Checked once, so that every line that is found can be read. */
    for (Py_ssize_t at = 0; at < document->lines.count; at++) {
        Py_ssize_t start = document->lines.items[at];
        if (start < before || start > PyBytes_GET_SIZE(document->data) || (at == 0 && start > 0)) {
            PyErr_SetString(PyExc_ValueError, "lines go from the start of a document to its end");
            return -1;
        }
        before = start;
    }
    return 0;
}

/* Also says that there is a line for the offset: a document without text has none, and no symbols. */
static int is_inside(const Document *document, Py_ssize_t offset)
{
    if (0 <= offset && offset <= PyBytes_GET_SIZE(document->data) && document->lines.count > 1)
        return 1;
    PyErr_SetString(PyExc_ValueError, "a symbol lies outside its document");
    return 0;
}

/* The number of a line, counted from 1. */
static Py_ssize_t line_of(const Document *document, Py_ssize_t offset)
{
    return bisect_right(&document->lines, offset, 0, document->lines.count - 1);
}

/* Where a definition starts: `own_start` is asked if there are words before it. */
static int start_of(const Document *document, PyObject *own_start, Py_ssize_t line_start, Py_ssize_t *start)
{
    if (is_blank(PyBytes_AS_STRING(document->data), line_start, *start))
        return 0;
    PyObject *answer = PyObject_CallFunction(own_start, "Onn", document->data, line_start, *start);
    if (!answer)
        return -1;
    int status = number_of(answer, start);
    Py_DECREF(answer);
    return status == 0 && is_inside(document, *start) ? 0 : -1;
}

static int is_indent(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\v' || byte == '\f';
}

/* Where the text of a line starts, counted from 0; at most at `end`. */
static Py_ssize_t text_of(const Document *document, Py_ssize_t line, Py_ssize_t end)
{
    const char *data = PyBytes_AS_STRING(document->data);
    Py_ssize_t at = document->lines.items[line];
    while (at < end && is_indent(data[at]))
        at++;
    return at;
}

/* Where the comments and decorators above what starts at `start` start, and the range of the comments, borrowed.
   Returns 0, or -1 with an exception set; both stay as they were if there are none. */
static int look_above(const Document *document, const Attached *attached, Py_ssize_t line, Py_ssize_t start,
                      Py_ssize_t *top, PyObject **doc)
{
    Py_ssize_t first;
    PyObject *number = PyLong_FromSsize_t(line);
    if (!number)
        return -1;
    PyObject *found = PyDict_GetItemWithError(attached->tops, number);
    PyObject *comments = found ? PyDict_GetItemWithError(attached->comments, number) : NULL;
    Py_DECREF(number);
    if (PyErr_Occurred())
        return -1;
    if (!found || text_of(document, line, start) < start)
        return 0;
    if (number_of(found, &first) < 0)
        return -1;
    if (first < 0 || first >= document->lines.count - 1) {
        PyErr_SetString(PyExc_ValueError, "comments lie outside their document");
        return -1;
    }
    *top = text_of(document, first, document->lines.items[first + 1]);
    if (comments)
        *doc = comments;
    return 0;
}

/* Sets one item in each of three lists. `last` is where the symbol before begins. */
static int begin(const Document *document, const Attached *attached, PyObject *own_start, PyObject *placed,
                 Py_ssize_t at, Py_ssize_t *last, PyObject **lists)
{
    Py_ssize_t start, top;
    PyObject *definition = PyObject_GetAttr(PyTuple_GET_ITEM(placed, at), definition_attribute);
    if (!definition)
        return -1;
    int status = number_in(definition, start_attribute, &start);
    Py_DECREF(definition);
    if (status < 0 || !is_inside(document, start))
        return -1;
    Py_ssize_t line = line_of(document, start) - 1;
    if (start_of(document, own_start, document->lines.items[line], &start) < 0)
        return -1;
    PyObject *doc = attached->nothing;
    top = start;
    if (look_above(document, attached, line, start, &top, &doc) < 0)
        return -1;
    /* Two definitions on one line must not both begin at the comment above it. */
    if (top > *last)
        *last = top;
    PyObject *beginning = PyLong_FromSsize_t(*last), *first = PyLong_FromSsize_t(start);
    PyList_SET_ITEM(lists[0], at, beginning);
    PyList_SET_ITEM(lists[1], at, first);
    PyList_SET_ITEM(lists[2], at, Py_NewRef(doc));
    return beginning && first ? 0 : -1;
}

static PyObject *beginnings(PyObject *module, PyObject *args)
{
    Document document = {0};
    Attached attached;
    PyObject *lines, *list, *own_start, *lists[3], *result = NULL;
    Py_ssize_t last = 0, at = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "SOO!O!O!OO:beginnings", &document.data, &lines, &PyList_Type, &list, &PyDict_Type,
                          &attached.tops, &PyDict_Type, &attached.comments, &attached.nothing, &own_start))
        return NULL;
    /* A copy, because the function that is asked could change the list. */
    PyObject *placed = PyList_AsTuple(list);
    if (!placed)
        return NULL;
    Py_ssize_t count = PyTuple_GET_SIZE(placed);
    for (int each = 0; each < 3; each++)
        lists[each] = PyList_New(count);
    if (lists[0] && lists[1] && lists[2] && read_document(&document, lines) == 0) {
        while (at < count && begin(&document, &attached, own_start, placed, at, &last, lists) == 0)
            at++;
        if (at == count)
            result = PyTuple_Pack(3, lists[0], lists[1], lists[2]);
    }
    for (int each = 0; each < 3; each++)
        Py_XDECREF(lists[each]);
    Py_DECREF(placed);
    free_numbers(&document.lines);
    return result;
}

typedef struct {
    Py_ssize_t start;
    Py_ssize_t first;
    Py_ssize_t end;
    Py_ssize_t name_end;
    Py_ssize_t body;
    Py_ssize_t doc_start;
    Py_ssize_t doc_end;
} Span;

static int read_span(const Document *document, PyObject *definition, PyObject *start, PyObject *first, PyObject *doc,
                     Span *span)
{
    if (!PyTuple_Check(doc) || PyTuple_GET_SIZE(doc) != 2) {
        PyErr_SetString(PyExc_TypeError, "documentation is a start and an end");
        return -1;
    }
    if (number_of(start, &span->start) < 0 || number_of(first, &span->first) < 0 ||
        number_of(PyTuple_GET_ITEM(doc, 0), &span->doc_start) < 0 ||
        number_of(PyTuple_GET_ITEM(doc, 1), &span->doc_end) < 0 ||
        number_in(definition, end_attribute, &span->end) < 0 ||
        number_in(definition, name_end_attribute, &span->name_end) < 0 ||
        number_in(definition, body_attribute, &span->body) < 0)
        return -1;
    if (is_inside(document, span->start) && is_inside(document, span->first) && is_inside(document, span->end) &&
        is_inside(document, span->name_end) && is_inside(document, span->doc_start) &&
        is_inside(document, span->doc_end) && (span->body < 0 || is_inside(document, span->body)))
        return 0;
    return -1;
}

/* Where a line's text ends, counted from 1, before its line end. */
static Py_ssize_t line_end(const Document *document, Py_ssize_t line)
{
    const char *data = PyBytes_AS_STRING(document->data);
    Py_ssize_t start = document->lines.items[line - 1], end = document->lines.items[line];
    while (end > start && (data[end - 1] == '\n' || data[end - 1] == '\r'))
        end--;
    return end;
}

static int is_after_text(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* Where the signature ends. */
static Py_ssize_t signature_end(const Document *document, const Span *span)
{
    const char *data = PyBytes_AS_STRING(document->data);
    Py_ssize_t stop = span->body;
    if (stop <= span->first) {
        stop = line_end(document, line_of(document, span->first));
        if (span->end < stop)
            stop = span->end;
    }
    while (stop > span->first && (is_after_text(data[stop - 1]) || data[stop - 1] == '{'))
        stop--;
    return stop;
}

static void trim(const Document *document, Span *span)
{
    const char *data = PyBytes_AS_STRING(document->data);
    while (span->end > span->name_end && is_after_text(data[span->end - 1]))
        span->end--;
    if (span->doc_end && (data[span->doc_end - 1] == '\r' || data[span->doc_end - 1] == '\n')) {
        while (span->doc_end > span->doc_start && is_space(data[span->doc_end - 1]))
            span->doc_end--;
        /* A range that ends before it starts holds nothing. */
        if (span->doc_end < span->doc_start)
            span->doc_end = span->doc_start;
    }
}

enum { SYMBOL_PARTS = 14 };

/* The arguments of a symbol, each a new reference or NULL with an exception set. */
static int read_parts(const Document *document, PyObject *item, PyObject *definition, const Span *span,
                      PyObject **parts)
{
    Py_ssize_t last = span->end > span->start ? span->end - 1 : span->start;
    parts[0] = PyObject_GetAttr(item, name_attribute);
    parts[1] = PyObject_GetAttr(item, kind_attribute);
    parts[2] = PyObject_GetAttr(item, container_attribute);
    parts[3] = PyLong_FromSsize_t(line_of(document, span->start));
    parts[4] = PyLong_FromSsize_t(line_of(document, last));
    parts[5] = PyLong_FromSsize_t(span->start);
    parts[6] = PyLong_FromSsize_t(span->end);
    parts[7] = PyObject_GetAttr(definition, name_start_attribute);
    parts[8] = PyObject_GetAttr(definition, name_end_attribute);
    parts[9] = PyLong_FromSsize_t(span->first);
    parts[10] = PyLong_FromSsize_t(signature_end(document, span));
    parts[11] = PyLong_FromSsize_t(span->doc_start);
    parts[12] = PyLong_FromSsize_t(span->doc_end);
    parts[13] = PyObject_GetAttr(item, owner_attribute);
    for (int at = 0; at < SYMBOL_PARTS; at++)
        if (!parts[at])
            return -1;
    return 0;
}

static PyObject *make_symbol(const Document *document, PyObject *make, PyObject *item, PyObject *start,
                             PyObject *first, PyObject *doc)
{
    Span span;
    PyObject *parts[SYMBOL_PARTS], *symbol = NULL;
    PyObject *definition = PyObject_GetAttr(item, definition_attribute);
    if (!definition)
        return NULL;
    if (read_span(document, definition, start, first, doc, &span) == 0) {
        trim(document, &span);
        if (read_parts(document, item, definition, &span, parts) == 0)
            symbol = PyObject_Vectorcall(make, parts, SYMBOL_PARTS, NULL);
        for (int at = 0; at < SYMBOL_PARTS; at++)
            Py_XDECREF(parts[at]);
    }
    Py_DECREF(definition);
    return symbol;
}

static PyObject *make_symbols(const Document *document, PyObject *make, PyObject **columns)
{
    Py_ssize_t count = PyTuple_GET_SIZE(columns[0]);
    PyObject *symbols = PyTuple_New(count);
    for (Py_ssize_t at = 0; symbols && at < count; at++) {
        PyObject *symbol =
            make_symbol(document, make, PyTuple_GET_ITEM(columns[0], at), PyTuple_GET_ITEM(columns[1], at),
                        PyTuple_GET_ITEM(columns[2], at), PyTuple_GET_ITEM(columns[3], at));
        if (symbol)
            PyTuple_SET_ITEM(symbols, at, symbol);
        else
            Py_CLEAR(symbols);
    }
    return symbols;
}

/* Tuples instead of lists, which the caller's types could change while symbols are made. */
static int read_columns(PyObject **lists, PyObject **columns)
{
    for (int each = 0; each < 4; each++) {
        columns[each] = PyList_AsTuple(lists[each]);
        if (!columns[each])
            return -1;
        if (PyTuple_GET_SIZE(columns[each]) != PyTuple_GET_SIZE(columns[0])) {
            PyErr_SetString(PyExc_ValueError, "each definition has a beginning, a start and its documentation");
            return -1;
        }
    }
    return 0;
}

static PyObject *symbols(PyObject *module, PyObject *args)
{
    Document document = {0};
    PyObject *make, *lines, *lists[4], *columns[4] = {NULL, NULL, NULL, NULL}, *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "OSOO!O!O!O!:symbols", &make, &document.data, &lines, &PyList_Type, &lists[0],
                          &PyList_Type, &lists[1], &PyList_Type, &lists[2], &PyList_Type, &lists[3]))
        return NULL;
    if (read_columns(lists, columns) == 0 && read_document(&document, lines) == 0)
        result = make_symbols(&document, make, columns);
    for (int each = 0; each < 4; each++)
        Py_XDECREF(columns[each]);
    free_numbers(&document.lines);
    return result;
}

static PyMethodDef functions[] = {
    {"beginnings", beginnings, METH_VARARGS, "Where definitions begin with and without what is above, and comments."},
    {"symbols", symbols, METH_VARARGS, "Definitions with their lines, signatures and documentation."},
    {NULL, NULL, 0, NULL},
};

int add_symbols(PyObject *module)
{
    if (intern(&definition_attribute, "definition") < 0 || intern(&name_attribute, "name") < 0 ||
        intern(&kind_attribute, "kind") < 0 || intern(&container_attribute, "container") < 0 ||
        intern(&owner_attribute, "owner") < 0 || intern(&start_attribute, "start") < 0 ||
        intern(&end_attribute, "end") < 0 || intern(&name_start_attribute, "name_start") < 0 ||
        intern(&name_end_attribute, "name_end") < 0 || intern(&body_attribute, "body") < 0)
        return -1;
    return PyModule_AddFunctions(module, functions);
}
