/* Which of some words stand in a text, in one pass: the twin of the skeleton in files/secrets.py. */
#include "parts.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define MOST_WORDS 250
#define PAIRS (1u << 14)

typedef struct {
    const unsigned char *bytes;
    Py_ssize_t size;
    bool folds; /* In lower case as a whole: it stands for itself in any case. */
    uint8_t next; /* The next word that begins with the same two letters, counted from 1; 0 for none. */
} Word;

typedef struct {
    PyObject_HEAD
    PyObject *words; /* Keeps the bytes. */
    Word *list;
    Py_ssize_t count;
    uint8_t first[PAIRS]; /* For each pair of letters the first word that begins with it. */
} Needles;

static unsigned char lower(unsigned char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (unsigned char)(byte + 32) : byte;
}

/* Different pairs may share a place, which costs a comparison and no more. */
static unsigned place_of(unsigned char one, unsigned char other)
{
    return (unsigned)(lower(one) & 127) << 7 | (lower(other) & 127);
}

static bool stands_at(const Word *word, const unsigned char *text, Py_ssize_t room)
{
    if (word->size > room)
        return false;
    if (!word->folds)
        return !memcmp(word->bytes, text, (size_t)word->size);
    for (Py_ssize_t at = 0; at < word->size; at++)
        if (lower(text[at]) != word->bytes[at])
            return false;
    return true;
}

static bool read_word(Needles *self, Py_ssize_t number)
{
    PyObject *given = PyTuple_GET_ITEM(self->words, number);
    if (!PyBytes_Check(given) || PyBytes_GET_SIZE(given) < 2) {
        PyErr_SetString(PyExc_ValueError, "words are bytes, two at least");
        return false;
    }
    Word *word = &self->list[number];
    word->bytes = (const unsigned char *)PyBytes_AS_STRING(given);
    word->size = PyBytes_GET_SIZE(given);
    word->folds = true;
    for (Py_ssize_t at = 0; at < word->size; at++)
        if (lower(word->bytes[at]) != word->bytes[at])
            word->folds = false;
    unsigned place = place_of(word->bytes[0], word->bytes[1]);
    word->next = self->first[place];
    self->first[place] = (uint8_t)(number + 1);
    return true;
}

static void needles_dealloc(Needles *self)
{
    PyMem_Free(self->list);
    Py_XDECREF(self->words);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyObject *needles_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    (void)keywords;
    PyObject *words;
    if (!PyArg_ParseTuple(arguments, "O!", &PyTuple_Type, &words))
        return NULL;
    if (PyTuple_GET_SIZE(words) > MOST_WORDS) {
        PyErr_SetString(PyExc_ValueError, "there are too many words");
        return NULL;
    }
    Needles *self = (Needles *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->words = Py_NewRef(words);
    self->count = PyTuple_GET_SIZE(words);
    self->list = PyMem_Calloc((size_t)self->count + 1, sizeof(Word));
    bool ok = self->list || PyErr_NoMemory();
    for (Py_ssize_t each = 0; ok && each < self->count; each++)
        ok = read_word(self, each);
    if (ok)
        return (PyObject *)self;
    Py_DECREF(self);
    return NULL;
}

static PyObject *needles_held(Needles *self, PyObject *given)
{
    Py_buffer data;
    if (PyObject_GetBuffer(given, &data, PyBUF_SIMPLE) < 0)
        return NULL;
    const unsigned char *text = data.buf;
    bool seen[MOST_WORDS] = {false};
    for (Py_ssize_t at = 0; at + 1 < data.len; at++)
        for (uint8_t each = self->first[place_of(text[at], text[at + 1])]; each; each = self->list[each - 1].next)
            if (!seen[each - 1] && stands_at(&self->list[each - 1], text + at, data.len - at))
                seen[each - 1] = true;
    PyBuffer_Release(&data);
    PyObject *held = PySet_New(NULL);
    for (Py_ssize_t each = 0; held && each < self->count; each++)
        if (seen[each] && PySet_Add(held, PyTuple_GET_ITEM(self->words, each)) < 0)
            Py_CLEAR(held);
    return held;
}

static PyMethodDef needles_methods[] = {
    {"held", (PyCFunction)needles_held, METH_O, "The words that stand in a text."},
    {NULL},
};

static PyTypeObject needles_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "lurcher_index.native._compiled.Needles",
    .tp_basicsize = sizeof(Needles),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "Needles(words): looks for all of them at once; those in lower case in any case.",
    .tp_new = needles_new,
    .tp_dealloc = (destructor)needles_dealloc,
    .tp_methods = needles_methods,
};

int add_needles(PyObject *module)
{
    return PyModule_AddType(module, &needles_type);
}
