/* The type Pooling: the words of texts, counted, and the weighted sums of their vectors. The twin of dense/static/tokens.py
 * and dense/static/pooling.py. */
#include "memo.h"
#include "vocabulary.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define MOST_ENTRIES ((Py_ssize_t)1 << 24)
#define MOST_DIMENSIONS 4096

/* The same code for processors with wider registers, chosen when the module is loaded. Sums are added up in the same order
   by both, so they are the same to the last bit. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__)
#define FOR_ALL_PROCESSORS __attribute__((target_clones("avx2", "default")))
#else
#define FOR_ALL_PROCESSORS
#endif

typedef struct {
    PyObject_HEAD
    /* Called with a run that holds more than ASCII: says what is left of it in ASCII. */
    PyObject *missing;
    Py_buffer words; /* Keeps the bytes of the vocabulary. */
    Py_buffer table; /* A row of signed bytes for each word. */
    Py_buffer weights; /* What a word counts. */
    Vocabulary vocabulary;
    Py_ssize_t dimension;
    Memo memo;
} Pooling;

/* What one call counts with. A call has its own, because Python, which is asked meanwhile, may call once more. */
typedef struct {
    Buffer numbers;
    uint32_t *counts;    /* For each word of the vocabulary; all 0 between two texts. */
    uint16_t *different; /* The words that occur in a text. */
} Count;

/* ASCII letters and digits, and all bytes of other characters; an underscore separates. */
static unsigned char in_runs[256];

static void fill_in_runs(void)
{
    for (int byte = 0; byte < 256; byte++) {
        bool is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
        in_runs[byte] = is_letter || (byte >= '0' && byte <= '9') || byte > 127;
    }
}

/* Appends the numbers of the words of a text in ASCII. */
static int append_ascii(const Pooling *self, Buffer *out, const unsigned char *text, const unsigned char *end)
{
    while (text < end) {
        const unsigned char *run = text;
        while (text < end && in_runs[*text])
            text++;
        if (vocabulary_append(&self->vocabulary, out, run, (size_t)(text - run)) < 0)
            return -1;
        text += text < end;
    }
    return 0;
}

static bool is_ascii(const unsigned char *text, size_t size)
{
    unsigned char all = 0;
    for (size_t at = 0; at < size; at++)
        all |= text[at];
    return all < 128;
}

static int append_answer(Pooling *self, Buffer *out, PyObject *answer)
{
    const unsigned char *text = PyBytes_Check(answer) ? (const unsigned char *)PyBytes_AS_STRING(answer) : NULL;
    if (!text || !is_ascii(text, (size_t)PyBytes_GET_SIZE(answer))) {
        PyErr_SetString(PyExc_TypeError, "a run in other letters must become bytes of ASCII");
        return -1;
    }
    return append_ascii(self, out, text, text + PyBytes_GET_SIZE(answer));
}

static int append_asked(Pooling *self, Buffer *out, const unsigned char *run, size_t size)
{
    if (!self->missing) {
        PyErr_SetString(PyExc_RuntimeError, "nobody is left to ask for words");
        return -1;
    }
    PyObject *answer = PyObject_CallFunction(self->missing, "y#", (const char *)run, (Py_ssize_t)size);
    if (!answer)
        return -1;
    int result = append_answer(self, out, answer);
    Py_DECREF(answer);
    return result;
}

static int append_unknown(Pooling *self, Buffer *out, uint32_t hash, const unsigned char *run, size_t size)
{
    size_t before = out->size;
    int result = is_ascii(run, size) ? vocabulary_append(&self->vocabulary, out, run, size)
                                     : append_asked(self, out, run, size);
    if (result < 0)
        return -1;
    const char *numbers = out->size == before ? "" : out->bytes + before;
    return memo_keep(&self->memo, hash, run, size, numbers, out->size - before);
}

static int append_run(Pooling *self, Buffer *out, const unsigned char *run, size_t size)
{
    uint32_t hash = memo_hash(run, size);
    size_t numbers_size;
    const char *numbers = memo_find(&self->memo, hash, run, size, &numbers_size);
    return numbers ? buffer_append(out, numbers, numbers_size) : append_unknown(self, out, hash, run, size);
}

static int append_text(Pooling *self, Buffer *out, PyObject *data)
{
    if (!PyBytes_Check(data)) {
        PyErr_Format(PyExc_TypeError, "a text must be bytes, not %.100s", Py_TYPE(data)->tp_name);
        return -1;
    }
    const unsigned char *text = (const unsigned char *)PyBytes_AS_STRING(data);
    const unsigned char *end = text + PyBytes_GET_SIZE(data);
    while (text < end) {
        if (!in_runs[*text]) {
            text++;
            continue;
        }
        const unsigned char *run = text;
        while (text < end && in_runs[*text])
            text++;
        if (append_run(self, out, run, (size_t)(text - run)) < 0)
            return -1;
    }
    return 0;
}

static int by_number(const void *one, const void *other)
{
    return (int)*(const uint16_t *)one - (int)*(const uint16_t *)other;
}

/* Counts the words of a text; returns how many different ones there are, which stand in order then. */
static size_t count_words(Count *count)
{
    size_t found = 0;
    for (size_t at = 0; at + 1 < count->numbers.size; at += 2) {
        uint16_t number;
        memcpy(&number, count->numbers.bytes + at, sizeof number);
        if (!count->counts[number]++)
            count->different[found++] = number;
    }
    qsort(count->different, found, sizeof *count->different, by_number);
    return found;
}

FOR_ALL_PROCESSORS
static void add_row(float *sum, const int8_t *row, float share, Py_ssize_t dimension)
{
    for (Py_ssize_t at = 0; at < dimension; at++)
        sum[at] += share * (float)row[at];
}

/* Brings a sum to length 1. Zero stays zero, and so becomes what is not a number. */
static void to_unit_length(float *sum, Py_ssize_t dimension)
{
    double squares = 0.0;
    for (Py_ssize_t at = 0; at < dimension; at++)
        squares += (double)sum[at] * (double)sum[at];
    double length = sqrt(squares);
    bool has_length = isfinite(length) && length > 0.0;
    for (Py_ssize_t at = 0; at < dimension; at++)
        sum[at] = has_length ? (float)((double)sum[at] / length) : 0.0f;
}

/* The sum of the vectors of a text's words; the tenth occurrence of a word says less than the first. */
static void pool(const Pooling *self, Count *count, size_t found, float *sum)
{
    const int8_t *table = self->table.buf;
    const float *weights = self->weights.buf;
    for (size_t at = 0; at < found; at++) {
        uint16_t number = count->different[at];
        float share = weights[number] * sqrtf((float)count->counts[number]);
        add_row(sum, table + (size_t)number * (size_t)self->dimension, share, self->dimension);
        count->counts[number] = 0;
    }
    to_unit_length(sum, self->dimension);
}

static PyObject *pool_text(Pooling *self, Count *count, PyObject *text, float *sum)
{
    count->numbers.size = 0;
    if (append_text(self, &count->numbers, text) < 0)
        return NULL;
    size_t found = count_words(count);
    pool(self, count, found, sum);
    return PyBytes_FromStringAndSize((const char *)count->different, (Py_ssize_t)(found * sizeof *count->different));
}

static bool pool_all(Pooling *self, Count *count, PyObject *texts, PyObject *sums, PyObject *lists)
{
    float *sum = (float *)(void *)PyByteArray_AS_STRING(sums);
    memset(sum, 0, (size_t)PyByteArray_GET_SIZE(sums));
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(texts); at++, sum += self->dimension) {
        PyObject *words = pool_text(self, count, PyTuple_GET_ITEM(texts, at), sum);
        if (!words)
            return false;
        PyList_SET_ITEM(lists, at, words);
    }
    return true;
}

PyDoc_STRVAR(pooled_doc,
             "pooled(texts)\n--\n\n"
             "For UTF-8 texts the rows of floats that they are embedded as, each of length 1, one after the other, and "
             "for each text its different words, two bytes each and rising.");

static PyObject *pooling_pooled(PyObject *given, PyObject *sequence)
{
    Pooling *self = (Pooling *)given;
    /* A list could change while Python is asked for words; a tuple is taken as it is. */
    PyObject *texts = PySequence_Tuple(sequence);
    if (!texts)
        return NULL;
    Py_ssize_t rows = PyTuple_GET_SIZE(texts), row_bytes = self->dimension * (Py_ssize_t)sizeof(float);
    PyObject *sums = rows <= PY_SSIZE_T_MAX / row_bytes ? PyByteArray_FromStringAndSize(NULL, rows * row_bytes)
                                                        : PyErr_NoMemory();
    PyObject *lists = sums ? PyList_New(rows) : NULL;
    Count count = {
        .counts = PyMem_Calloc(self->vocabulary.count, sizeof *count.counts),
        .different = PyMem_Calloc(self->vocabulary.count, sizeof *count.different),
    };
    PyObject *result = NULL;
    if (!count.counts || !count.different)
        PyErr_NoMemory();
    else if (lists && pool_all(self, &count, texts, sums, lists))
        result = PyTuple_Pack(2, sums, lists);
    PyMem_Free(count.counts);
    PyMem_Free(count.different);
    buffer_free(&count.numbers);
    Py_XDECREF(lists);
    Py_XDECREF(sums);
    Py_DECREF(texts);
    return result;
}

PyDoc_STRVAR(numbers_doc, "numbers(text)\n--\n\nThe numbers of the words of a UTF-8 text, in order, two bytes each.");

static PyObject *pooling_numbers(PyObject *self, PyObject *text)
{
    Buffer out = {0};
    PyObject *result = NULL;
    if (append_text((Pooling *)self, &out, text) == 0)
        result = PyBytes_FromStringAndSize(out.bytes, (Py_ssize_t)out.size);
    buffer_free(&out);
    return result;
}

static bool read_arrays(Pooling *self)
{
    Py_ssize_t count = self->vocabulary.count;
    self->dimension = self->table.len / count;
    bool fits = self->table.len == self->dimension * count && self->weights.len == count * (Py_ssize_t)sizeof(float);
    if (fits && self->dimension > 0 && self->dimension <= MOST_DIMENSIONS)
        return true;
    PyErr_SetString(PyExc_ValueError, "table and weights do not belong to these words");
    return false;
}

static PyObject *pooling_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"words", "missing", "table", "weights", "most", NULL};
    Pooling *self = (Pooling *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    PyObject *missing;
    Py_ssize_t most;
    if (PyArg_ParseTupleAndKeywords(arguments, keywords, "y*Oy*y*n:Pooling", names, &self->words, &missing,
                                    &self->table, &self->weights, &most)) {
        self->missing = Py_NewRef(missing);
        self->memo.most = (size_t)most;
        if (!PyCallable_Check(missing) || most < 1 || most > MOST_ENTRIES)
            PyErr_SetString(PyExc_ValueError, "Pooling takes a function and a number of entries");
        else if (vocabulary_read(&self->vocabulary, self->words.buf, (size_t)self->words.len) == 0 && read_arrays(self))
            return (PyObject *)self;
    }
    Py_DECREF(self);
    return NULL;
}

static int pooling_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Pooling *)self)->missing);
    return 0;
}

static int pooling_clear(PyObject *self)
{
    Py_CLEAR(((Pooling *)self)->missing);
    return 0;
}

static void pooling_dealloc(PyObject *given)
{
    Pooling *self = (Pooling *)given;
    PyTypeObject *type = Py_TYPE(given);
    PyObject_GC_UnTrack(given);
    pooling_clear(given);
    memo_free(&self->memo);
    vocabulary_free(&self->vocabulary);
    Py_buffer *buffers[] = {&self->words, &self->table, &self->weights};
    for (size_t at = 0; at < sizeof buffers / sizeof *buffers; at++)
        if (buffers[at]->obj)
            PyBuffer_Release(buffers[at]);
    type->tp_free(given);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"pooled", pooling_pooled, METH_O, pooled_doc},
    {"numbers", pooling_numbers, METH_O, numbers_doc},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(pooling_doc,
             "Pooling(words, missing, table, weights, most)\n--\n\n"
             "Sums of word vectors; remembers the words of `most` runs of letters and digits.");

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)pooling_doc},
    {Py_tp_new, pooling_new},
    {Py_tp_dealloc, pooling_dealloc},
    {Py_tp_traverse, pooling_traverse},
    {Py_tp_clear, pooling_clear},
    {Py_tp_methods, methods},
    {0, NULL},
};

static PyType_Spec spec = {
    "lurcher_index.native._compiled.Pooling", sizeof(Pooling), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots,
};

int add_pooling(PyObject *module)
{
    fill_in_runs();
    PyObject *type = PyType_FromSpec(&spec);
    if (!type)
        return -1;
    int result = PyModule_AddObjectRef(module, "Pooling", type);
    Py_DECREF(type);
    return result;
}
