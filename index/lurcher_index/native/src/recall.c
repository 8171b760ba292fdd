#include "recall.h"

#include <stdint.h>
#include <string.h>

#define MOST_RESULTS ((Py_ssize_t)1 << 20)

/* Longer texts are asked about each time: a page of them would be remembered for the sake of one name. */
#define LONGEST_TEXT 256

/* Texts that share a shelf: with one only, a third of the results were lost to others while most room was empty. */
#define SHELF 4

typedef struct {
    uint64_t hash;
    PyObject *text; /* NULL where nothing is kept yet */
    PyObject *result;
} Slot;

typedef struct {
    PyObject_HEAD
    PyObject *function;
    Slot *slots;
    size_t count;
} Memo;

/* Eight bytes at a time. Texts chosen to collide only make the function run again, as it would without a memo. */
static uint64_t hash_of(const char *text, size_t length)
{
    uint64_t hash = (uint64_t)length;
    while (length > 0) {
        uint64_t word = 0;
        size_t step = length < sizeof word ? length : sizeof word;
        memcpy(&word, text, step);
        hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
        text += step;
        length -= step;
    }
    return hash ^ hash >> 32;
}

/* Each text has one shelf. It is full soon and stays so: nothing grows, and nothing has to be cleared. */
static Slot *shelf_of(const Memo *memo, uint64_t hash)
{
    return &memo->slots[(size_t)hash & (memo->count - SHELF)];
}

static int holds(const Slot *slot, uint64_t hash, const char *text, Py_ssize_t length)
{
    return slot->text && slot->hash == hash && PyBytes_GET_SIZE(slot->text) == length &&
           memcmp(PyBytes_AS_STRING(slot->text), text, (size_t)length) == 0;
}

/* Puts it in front, so that the oldest falls off the shelf; the slot's references are taken over. What falls off goes
   last, because its end may run code that comes back here. */
static void keep(Slot *shelf, Slot slot)
{
    Slot oldest = shelf[SHELF - 1];
    memmove(shelf + 1, shelf, (SHELF - 1) * sizeof(Slot));
    shelf[0] = slot;
    Py_XDECREF(oldest.text);
    Py_XDECREF(oldest.result);
}

PyObject *recall(PyObject *object, PyObject *data, Py_ssize_t start, Py_ssize_t end)
{
    return recall_quickly(object, data, start, end, NULL);
}

PyObject *recall_quickly(PyObject *object, PyObject *data, Py_ssize_t start, Py_ssize_t end, Quick *quick)
{
    Memo *memo = (Memo *)object;
    const char *text = PyBytes_AS_STRING(data) + start;
    uint64_t hash = hash_of(text, (size_t)(end - start));
    Slot *shelf = shelf_of(memo, hash);
    for (size_t at = 0; at < SHELF; at++)
        if (holds(&shelf[at], hash, text, end - start))
            return Py_NewRef(shelf[at].result);
    PyObject *copy = PyBytes_FromStringAndSize(text, end - start);
    if (!copy)
        return NULL;
    PyObject *result = quick ? quick(text, end - start) : NULL;
    if (!result && !PyErr_Occurred())
        result = PyObject_CallOneArg(memo->function, copy);
    if (!result) {
        Py_DECREF(copy);
        return NULL;
    }
    if (end - start <= LONGEST_TEXT)
        keep(shelf, (Slot){hash, copy, Py_NewRef(result)});
    else
        Py_DECREF(copy);
    return result;
}

static PyObject *memo_new(PyTypeObject *type, PyObject *args, PyObject *named)
{
    PyObject *function;
    Py_ssize_t count;
    if (named && PyDict_GET_SIZE(named)) {
        PyErr_SetString(PyExc_TypeError, "Memo() takes no keyword arguments");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "On:Memo", &function, &count))
        return NULL;
    if (count < 1 || count > MOST_RESULTS) {
        PyErr_Format(PyExc_ValueError, "a memo keeps 1 to %zd results, not %zd", MOST_RESULTS, count);
        return NULL;
    }
    size_t slots = SHELF;
    while (slots < (size_t)count)
        slots *= 2;
    Memo *memo = (Memo *)type->tp_alloc(type, 0);
    if (!memo)
        return NULL;
    memo->function = Py_NewRef(function);
    memo->count = slots;
    memo->slots = PyMem_Calloc(slots, sizeof(Slot));
    if (!memo->slots) {
        Py_DECREF(memo);
        return PyErr_NoMemory();
    }
    return (PyObject *)memo;
}

static PyObject *memo_call(PyObject *self, PyObject *args, PyObject *named)
{
    PyObject *data;
    if (named && PyDict_GET_SIZE(named)) {
        PyErr_SetString(PyExc_TypeError, "a memo takes no keyword arguments");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "S", &data))
        return NULL;
    return recall(self, data, 0, PyBytes_GET_SIZE(data));
}

static int memo_traverse(PyObject *self, visitproc visit, void *arg)
{
    Memo *memo = (Memo *)self;
    Py_VISIT(memo->function);
    for (size_t at = 0; memo->slots && at < memo->count; at++)
        Py_VISIT(memo->slots[at].result);
    return 0;
}

/* Only the results: with the function gone as well, a call from some other finalizer would have nothing to ask. */
static int memo_clear(PyObject *self)
{
    Memo *memo = (Memo *)self;
    for (size_t at = 0; memo->slots && at < memo->count; at++)
        keep(&memo->slots[at - at % SHELF], (Slot){0, NULL, NULL});
    return 0;
}

static void memo_dealloc(PyObject *self)
{
    Memo *memo = (Memo *)self;
    PyObject_GC_UnTrack(self);
    (void)memo_clear(self);
    PyMem_Free(memo->slots);
    Py_XDECREF(memo->function);
    Py_TYPE(self)->tp_free(self);
}

PyTypeObject MemoType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "lurcher_index.native._compiled.Memo",
    .tp_doc = "What a function says about pieces of text, kept in mind.",
    .tp_basicsize = sizeof(Memo),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = memo_new,
    .tp_call = memo_call,
    .tp_traverse = memo_traverse,
    .tp_clear = memo_clear,
    .tp_dealloc = memo_dealloc,
};

int add_recall(PyObject *module)
{
    return PyModule_AddType(module, &MemoType);
}
