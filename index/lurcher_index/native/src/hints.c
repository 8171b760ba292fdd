/* What variables hold: the loop of chunking/hints.py. How a type and a variable are read, only the Python there knows;
   it is asked once for each text. */
#include "recall.h"
#include "nest.h"

/* What is the same for all documents, borrowed from the caller's arguments. */
typedef struct {
    PyObject *make;
    PyObject *variables;
    PyObject *types;
    PyObject *calls;
} Rules;

typedef struct {
    PyObject *data;
    PyObject *symbols; /* a tuple */
    Nest nest;
    PyObject *found; /* hints in first-seen order, as the keys of a dict */
} Document;

static PyObject *name_start, *name_end, *container;

static int innermost(const Document *document, Py_ssize_t offset, Py_ssize_t *symbol)
{
    const Numbers *starts = &document->nest.starts;
    return climb(&document->nest, bisect_right(starts, offset, 0, starts->count) - 1, offset + 1, symbol);
}

/* The symbol in which a variable holds. */
static int symbol_around(const Document *document, Py_ssize_t start, Py_ssize_t *symbol)
{
    Py_ssize_t name, end;
    if (innermost(document, start, symbol) < 0)
        return -1;
    if (*symbol < 0)
        return 0;
    if (*symbol >= PyTuple_GET_SIZE(document->symbols)) {
        PyErr_SetString(PyExc_IndexError, "a symbol is missing");
        return -1;
    }
    PyObject *definition = PyTuple_GET_ITEM(document->symbols, *symbol);
    if (number_in(definition, name_start, &name) < 0 || number_in(definition, name_end, &end) < 0)
        return -1;
    /* A field is a definition itself; what counts is the type that has it. */
    return name <= start && start < end ? number_in(definition, container, symbol) : 0;
}

static int add_hint(const Rules *rules, const Document *document, Py_ssize_t symbol, PyObject *variable,
                    PyObject *type, PyObject *is_call)
{
    PyObject *number = PyLong_FromSsize_t(symbol);
    if (!number)
        return -1;
    PyObject *args[] = {number, variable, type, is_call};
    PyObject *hint = PyObject_Vectorcall(rules->make, args, 4, NULL);
    Py_DECREF(number);
    if (!hint)
        return -1;
    int status = PyDict_SetItem(document->found, hint, Py_None);
    Py_DECREF(hint);
    return status;
}

/* Reads the numbers of a range that begins at `at` in a tuple. */
static int read_range(const Document *document, PyObject *tuple, Py_ssize_t at, Py_ssize_t *start, Py_ssize_t *end)
{
    if (number_of(PyTuple_GET_ITEM(tuple, at), start) < 0 || number_of(PyTuple_GET_ITEM(tuple, at + 1), end) < 0)
        return -1;
    if (0 <= *start && *start <= *end && *end <= PyBytes_GET_SIZE(document->data))
        return 0;
    PyErr_SetString(PyExc_ValueError, "a hint lies outside its document");
    return -1;
}

static int is_tuple_of(PyObject *object, Py_ssize_t size)
{
    if (PyTuple_Check(object) && PyTuple_GET_SIZE(object) == size)
        return 1;
    PyErr_Format(PyExc_TypeError, "a tuple of %zd is wanted", size);
    return 0;
}

/* A new reference to what is read from a text, or NULL with an exception set. */
static PyObject *read_text(const Document *document, PyObject *memo, Py_ssize_t start, Py_ssize_t end)
{
    PyObject *text = recall(memo, document->data, start, end);
    if (text && !PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "a text is read as a name");
        Py_CLEAR(text);
    }
    return text;
}

static int read_hint(const Rules *rules, const Document *document, PyObject *hint)
{
    Py_ssize_t start, end, type_start, type_end, symbol;
    if (!is_tuple_of(hint, 5) || read_range(document, hint, 0, &start, &end) < 0 ||
        read_range(document, hint, 2, &type_start, &type_end) < 0)
        return -1;
    PyObject *is_call = PyTuple_GET_ITEM(hint, 4);
    PyObject *variable = read_text(document, rules->variables, start, end);
    if (!variable)
        return -1;
    int status = -1;
    PyObject *type = read_text(document, is_call == Py_True ? rules->calls : rules->types, type_start, type_end);
    if (type) {
        if (PyUnicode_GET_LENGTH(variable) == 0 || PyUnicode_GET_LENGTH(type) == 0)
            status = 0;
        else if (symbol_around(document, start, &symbol) == 0)
            status = add_hint(rules, document, symbol, variable, type, is_call);
        Py_DECREF(type);
    }
    Py_DECREF(variable);
    return status;
}

static int read_return(const Rules *rules, const Document *document, PyObject *range, PyObject *nothing)
{
    Py_ssize_t start, end, symbol;
    if (!is_tuple_of(range, 2) || read_range(document, range, 0, &start, &end) < 0)
        return -1;
    PyObject *type = read_text(document, rules->types, start, end);
    if (!type)
        return -1;
    int status = 0;
    if (PyUnicode_GET_LENGTH(type) > 0) {
        status = innermost(document, start, &symbol);
        if (status == 0)
            status = add_hint(rules, document, symbol, nothing, type, Py_False);
    }
    Py_DECREF(type);
    return status;
}

/* `found` and `returns` are tuples. */
static int read_all(const Rules *rules, const Document *document, PyObject *found, PyObject *returns)
{
    PyObject *nothing = PyUnicode_New(0, 0);
    int status = nothing ? 0 : -1;
    for (Py_ssize_t at = 0; status == 0 && at < PyTuple_GET_SIZE(found); at++)
        status = read_hint(rules, document, PyTuple_GET_ITEM(found, at));
    for (Py_ssize_t at = 0; status == 0 && at < PyTuple_GET_SIZE(returns); at++)
        status = read_return(rules, document, PyTuple_GET_ITEM(returns, at), nothing);
    Py_XDECREF(nothing);
    return status;
}

static PyObject *hints(PyObject *module, PyObject *args)
{
    Rules rules;
    Document document = {0};
    PyObject *found, *returns, *starts, *ends, *parents, *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "(OO!O!O!)SO!O!(OOO)O!:hints", &rules.make, &MemoType, &rules.variables, &MemoType,
                          &rules.types, &MemoType, &rules.calls, &document.data, &PyList_Type, &found, &PyList_Type,
                          &returns, &starts, &ends, &parents, &PyTuple_Type, &document.symbols))
        return NULL;
    /* Copies, because the functions that are asked could change the lists. */
    found = PyList_AsTuple(found);
    returns = PyList_AsTuple(returns);
    document.found = PyDict_New();
    if (found && returns && document.found && read_nest(&document.nest, starts, ends, parents) == 0 &&
        read_all(&rules, &document, found, returns) == 0)
        result = PySequence_Tuple(document.found);
    free_nest(&document.nest);
    Py_XDECREF(document.found);
    Py_XDECREF(returns);
    Py_XDECREF(found);
    return result;
}

static PyMethodDef functions[] = {
    {"hints", hints, METH_VARARGS, "What the variables of a document hold, each once."},
    {NULL, NULL, 0, NULL},
};

int add_hints(PyObject *module)
{
    name_start = PyUnicode_InternFromString("name_start");
    name_end = PyUnicode_InternFromString("name_end");
    container = PyUnicode_InternFromString("container");
    if (!name_start || !name_end || !container)
        return -1;
    return PyModule_AddFunctions(module, functions);
}
