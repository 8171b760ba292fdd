/* The types `Reader`, which reads texts of one language, and `Syntax`, what one text is made of. */
#include "syntax.h"

#include <limits.h>
#include <string.h>

typedef struct {
    PyObject_HEAD
    Parser parser;
    Query query;
    PyObject *definition_type;
    PyObject *capsule; /* Keeps the grammar's module. */
    PyObject *stopped; /* The text whose parse was stopped by the clock, or NULL. */
} Reader;

typedef struct {
    PyObject_HEAD
    Reader *reader;
    Tree tree;
} Syntax;

static PyTypeObject reader_type, syntax_type;

static void reader_dealloc(Reader *self)
{
    free_parser(&self->parser);
    free_query(&self->query);
    Py_XDECREF(self->definition_type);
    Py_XDECREF(self->capsule);
    Py_XDECREF(self->stopped);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyObject *reader_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    PyObject *capsule, *patterns, *definition_type;
    (void)keywords;
    if (!PyArg_ParseTuple(arguments, "OO!O", &capsule, &PyTuple_Type, &patterns, &definition_type))
        return NULL;
    const TSLanguage *language = PyCapsule_GetPointer(capsule, "tree_sitter.Language");
    if (!language)
        return NULL;
    Reader *self = (Reader *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->definition_type = Py_NewRef(definition_type);
    self->capsule = Py_NewRef(capsule);
    self->parser.language = language;
    if (build_query(language, patterns, &self->query) < 0) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

/* A parse that was stopped goes on only with its own text: in the meantime another thread may come with another one, or
 * whoever was stopped may never come back. */
static int go_on_or_begin(Reader *self, PyObject *given, const Py_buffer *text, uint64_t microseconds, Tree *tree)
{
    if (self->stopped != given)
        reset_parser(&self->parser);
    int outcome = read_tree(&self->parser, text->buf, (uint32_t)text->len, microseconds, tree);
    Py_XSETREF(self->stopped, outcome ? NULL : Py_NewRef(given));
    return outcome;
}

static PyObject *reader_read(Reader *self, PyObject *arguments)
{
    Py_buffer text;
    unsigned long long microseconds;
    if (!PyArg_ParseTuple(arguments, "y*K", &text, &microseconds))
        return NULL;
    PyObject *made = NULL;
    Syntax *syntax = NULL;
    if (text.len > INT_MAX)
        PyErr_SetString(PyExc_ValueError, "a text must be shorter than 2 GiB");
    else
        syntax = PyObject_New(Syntax, &syntax_type);
    if (syntax) {
        syntax->reader = (Reader *)Py_NewRef((PyObject *)self);
        memset(&syntax->tree, 0, sizeof(Tree));
        int outcome = go_on_or_begin(self, PyTuple_GET_ITEM(arguments, 0), &text, microseconds, &syntax->tree);
        if (outcome > 0)
            made = Py_NewRef((PyObject *)syntax);
        else if (!outcome)
            made = Py_NewRef(Py_None);
        Py_DECREF(syntax);
    }
    PyBuffer_Release(&text);
    return made;
}

static PyObject *reader_reset(Reader *self, PyObject *nothing)
{
    (void)nothing;
    reset_parser(&self->parser);
    Py_CLEAR(self->stopped);
    Py_RETURN_NONE;
}

static PyMethodDef reader_methods[] = {
    {"read", (PyCFunction)reader_read, METH_VARARGS,
     "The syntax of a text, or None if the microseconds are over: the same call, with the same object, goes on with it."},
    {"reset", (PyCFunction)reader_reset, METH_NOARGS, "Forget a text that was not read to its end."},
    {NULL},
};

static PyTypeObject reader_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "lurcher_index.native._compiled.Reader",
    .tp_basicsize = sizeof(Reader),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "Reader(grammar, patterns, definition): reads texts of one language.",
    .tp_new = reader_new,
    .tp_dealloc = (destructor)reader_dealloc,
    .tp_methods = reader_methods,
};

static void syntax_dealloc(Syntax *self)
{
    spare_tree(&self->reader->parser, &self->tree);
    Py_DECREF(self->reader);
    PyObject_Free(self);
}

static PyObject *syntax_find(Syntax *self, PyObject *text)
{
    Py_buffer data;
    if (PyObject_GetBuffer(text, &data, PyBUF_SIMPLE) < 0)
        return NULL;
    PyObject *made = NULL;
    Matches found = {0};
    if ((size_t)data.len < self->tree.nodes[0].end)
        PyErr_SetString(PyExc_ValueError, "this is not the text that was read");
    else {
        int outcome = match_tree(&self->reader->query, &self->tree, data.buf, &found);
        if (outcome > 0)
            made = make_findings(&self->reader->query, &self->tree, &found, self->reader->definition_type);
        else if (!outcome)
            made = Py_NewRef(Py_None);
    }
    PyMem_RawFree(found.matches);
    PyBuffer_Release(&data);
    return made;
}

static PyObject *syntax_ranges(Syntax *self, PyObject *arguments)
{
    return make_ranges(&self->reader->query, &self->tree, arguments);
}

static PyMethodDef syntax_methods[] = {
    {"find", (PyCFunction)syntax_find, METH_O,
     "What the patterns find in the text: the lists of `Findings` in order; None if it would take too long."},
    {"ranges", (PyCFunction)syntax_ranges, METH_VARARGS,
     "Lines and bytes of the chunks of the text: `(first line, last line, start, end)` of each."},
    {NULL},
};

static PyTypeObject syntax_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "lurcher_index.native._compiled.Syntax",
    .tp_basicsize = sizeof(Syntax),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "What a text is made of.",
    .tp_dealloc = (destructor)syntax_dealloc,
    .tp_methods = syntax_methods,
};

int add_syntax(PyObject *module)
{
    set_allocator(ts_set_allocator);
    return PyModule_AddType(module, &reader_type) < 0 || PyModule_AddType(module, &syntax_type) < 0 ? -1 : 0;
}
