/* The type Terms: the twin of `PureTerms` in text/terms.py. */
#include "buffer.h"
#include "memo.h"
#include "splitting.h"

#define MOST_ENTRIES ((Py_ssize_t)1 << 24)

typedef struct {
    PyObject_HEAD
    /* Called with a run that holds more than ASCII: says its terms, as bytes with a blank before each. */
    PyObject *missing;
    Memo memo;
} Terms;

/* ASCII letters and digits, `_`, `-`, and all bytes of other characters. */
static unsigned char in_words[256];

static void fill_in_words(void)
{
    for (int byte = 0; byte < 256; byte++) {
        int is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
        int is_digit = byte >= '0' && byte <= '9';
        in_words[byte] = is_letter || is_digit || byte == '_' || byte == '-' || byte > 127;
    }
}

static int is_ascii(const unsigned char *run, size_t size)
{
    unsigned char all = 0;
    for (size_t at = 0; at < size; at++)
        all |= run[at];
    return all < 128;
}

static int append_answer(Buffer *out, PyObject *answer)
{
    if (!PyBytes_Check(answer)) {
        PyErr_Format(PyExc_TypeError, "terms must be bytes, not %.100s", Py_TYPE(answer)->tp_name);
        return -1;
    }
    return buffer_append(out, PyBytes_AS_STRING(answer), (size_t)PyBytes_GET_SIZE(answer));
}

static int append_asked(PyObject *missing, Buffer *out, const unsigned char *run, size_t size)
{
    if (!missing) {
        /* A finalizer asks while the garbage that it is part of is collected. */
        PyErr_SetString(PyExc_RuntimeError, "nobody is left to ask for terms");
        return -1;
    }
    PyObject *asked = PyBytes_FromStringAndSize((const char *)run, (Py_ssize_t)size);
    if (!asked)
        return -1;
    PyObject *answer = PyObject_CallOneArg(missing, asked);
    Py_DECREF(asked);
    if (!answer)
        return -1;
    int result = append_answer(out, answer);
    Py_DECREF(answer);
    return result;
}

/* While Python is asked, another thread may use the same memo and change it: nothing of it is held meanwhile, and
   what is appended to belongs to this call alone. */
static int append_unknown(Terms *self, Buffer *out, uint32_t hash, const unsigned char *run, size_t size)
{
    size_t before = out->size;
    int result = is_ascii(run, size) ? append_terms_of_ascii(out, run, size)
                                     : append_asked(self->missing, out, run, size);
    if (result < 0)
        return -1;
    if (out->size == before)
        return memo_keep(&self->memo, hash, run, size, "", 0);
    return memo_keep(&self->memo, hash, run, size, out->bytes + before, out->size - before);
}

static int append_run(Terms *self, Buffer *out, const unsigned char *run, size_t size)
{
    uint32_t hash = memo_hash(run, size);
    size_t terms_size;
    const char *terms = memo_find(&self->memo, hash, run, size, &terms_size);
    return terms ? buffer_append(out, terms, terms_size) : append_unknown(self, out, hash, run, size);
}

static int append_text(Terms *self, Buffer *out, const unsigned char *text, const unsigned char *end)
{
    while (text < end) {
        if (!in_words[*text]) {
            text++;
            continue;
        }
        const unsigned char *run = text;
        while (text < end && in_words[*text])
            text++;
        if (append_run(self, out, run, (size_t)(text - run)) < 0)
            return -1;
    }
    return 0;
}

/* Offsets mean what they mean in a slice: those beyond the text are its ends, negative ones count from behind. */
static int append_range(Terms *self, Buffer *out, PyObject *data, PyObject *first, PyObject *last)
{
    Py_ssize_t start = PyNumber_AsSsize_t(first, NULL);
    if (start == -1 && PyErr_Occurred())
        return -1;
    Py_ssize_t end = PyNumber_AsSsize_t(last, NULL);
    if (end == -1 && PyErr_Occurred())
        return -1;
    PySlice_AdjustIndices(PyBytes_GET_SIZE(data), &start, &end, 1);
    const unsigned char *text = (const unsigned char *)PyBytes_AS_STRING(data);
    return start < end ? append_text(self, out, text + start, text + end) : 0;
}

static int append_ranges(Terms *self, Buffer *out, PyObject *data, PyObject *borders)
{
    Py_ssize_t count = PyTuple_GET_SIZE(borders);
    if (count % 2) {
        PyErr_SetString(PyExc_ValueError, "a start without an end");
        return -1;
    }
    for (Py_ssize_t at = 0; at < count; at += 2)
        if (append_range(self, out, data, PyTuple_GET_ITEM(borders, at), PyTuple_GET_ITEM(borders, at + 1)) < 0)
            return -1;
    return 0;
}

PyDoc_STRVAR(between_doc,
             "between(data, borders)\n--\n\n"
             "All search terms of some ranges of a UTF-8 text, separated by single blanks.");

static PyObject *terms_between(PyObject *self, PyObject *const *arguments, Py_ssize_t count)
{
    if (count != 2 || !PyBytes_Check(arguments[0])) {
        PyErr_SetString(PyExc_TypeError, "between takes bytes and a sequence of offsets");
        return NULL;
    }
    /* A list could change while Python is asked for terms; a tuple is taken as it is. */
    PyObject *borders = PySequence_Tuple(arguments[1]);
    if (!borders)
        return NULL;
    Buffer out = {0};
    PyObject *result = NULL;
    if (append_ranges((Terms *)self, &out, arguments[0], borders) == 0)
        /* The blank before the first term goes. */
        result = out.size ? PyUnicode_DecodeUTF8(out.bytes + 1, (Py_ssize_t)out.size - 1, NULL)
                          : PyUnicode_FromStringAndSize(NULL, 0);
    buffer_free(&out);
    Py_DECREF(borders);
    return result;
}

static PyObject *terms_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"missing", "most", NULL};
    PyObject *missing;
    Py_ssize_t most;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "On:Terms", names, &missing, &most))
        return NULL;
    if (!PyCallable_Check(missing) || most < 1 || most > MOST_ENTRIES) {
        PyErr_SetString(PyExc_ValueError, "Terms takes a function and a number of entries");
        return NULL;
    }
    Terms *self = (Terms *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->missing = Py_NewRef(missing);
    self->memo.most = (size_t)most;
    return (PyObject *)self;
}

static Py_ssize_t terms_length(PyObject *self) { return (Py_ssize_t)((Terms *)self)->memo.count; }

static int terms_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Terms *)self)->missing);
    return 0;
}

static int terms_clear(PyObject *self)
{
    Py_CLEAR(((Terms *)self)->missing);
    return 0;
}

static void terms_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    terms_clear(self);
    memo_free(&((Terms *)self)->memo);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"between", (PyCFunction)(void (*)(void))terms_between, METH_FASTCALL, between_doc},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(terms_doc, "Terms(missing, most)\n--\n\nText into search terms; remembers the terms of `most` runs.");

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)terms_doc},
    {Py_tp_new, terms_new},
    {Py_tp_dealloc, terms_dealloc},
    {Py_tp_traverse, terms_traverse},
    {Py_tp_clear, terms_clear},
    {Py_tp_methods, methods},
    {Py_sq_length, terms_length},
    {0, NULL},
};

static PyType_Spec spec = {
    "lurcher_index.native._compiled.Terms", sizeof(Terms), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots,
};

int add_terms(PyObject *module)
{
    fill_in_words();
    PyObject *type = PyType_FromSpec(&spec);
    if (!type)
        return -1;
    int result = PyModule_AddObjectRef(module, "Terms", type);
    Py_DECREF(type);
    return result;
}
