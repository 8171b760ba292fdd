/* Names as short keys: the loops of store/linkage.py. */
#include "numbers.h"

#include <stdint.h>
#include <stdlib.h>

static PyObject *name_attribute, *kind_attribute, *owner_attribute, *container_attribute;
static uint32_t crc_steps[256];

/* The CRC-32 of zlib, one byte at a time: names are short, and reaching zlib would take longer. */
static void fill_crc_steps(void)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t step = byte;
        for (int bit = 0; bit < 8; bit++)
            step = step & 1 ? step >> 1 ^ UINT32_C(0xEDB88320) : step >> 1;
        crc_steps[byte] = step;
    }
}

static uint32_t crc_of(const char *text, Py_ssize_t length)
{
    uint32_t crc = UINT32_MAX;
    for (Py_ssize_t at = 0; at < length; at++)
        crc = crc_steps[(crc ^ (unsigned char)text[at]) & 0xFF] ^ crc >> 8;
    return ~crc;
}

/* Half of a pair of surrogates has no UTF-8; Python puts a question mark there. */
static int key_of_odd_name(PyObject *name, uint32_t *key)
{
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError))
        return -1;
    PyErr_Clear();
    PyObject *encoded = PyUnicode_AsEncodedString(name, "utf-8", "replace");
    if (!encoded)
        return -1;
    *key = crc_of(PyBytes_AS_STRING(encoded), PyBytes_GET_SIZE(encoded));
    Py_DECREF(encoded);
    return 0;
}

static int key_of(PyObject *name, uint32_t *key)
{
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(name, &length);
    if (!text)
        return key_of_odd_name(name, key);
    *key = crc_of(text, length);
    return 0;
}

static int key_in(PyObject *object, PyObject *attribute, uint32_t *key)
{
    PyObject *name = PyObject_GetAttr(object, attribute);
    if (!name)
        return -1;
    int status = key_of(name, key);
    Py_DECREF(name);
    return status;
}

/* Keys as they are stored: four bytes each, the lowest first. */
static PyObject *packed(const uint32_t *keys, Py_ssize_t count)
{
    if (count > PY_SSIZE_T_MAX / 4)
        return PyErr_NoMemory();
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, 4 * count);
    if (!bytes)
        return NULL;
    char *to = PyBytes_AS_STRING(bytes);
    for (Py_ssize_t at = 0; at < count; at++)
        for (int shift = 0; shift < 32; shift += 8)
            *to++ = (char)(keys[at] >> shift & 0xFF);
    return bytes;
}

static int compare_keys(const void *one, const void *other)
{
    uint32_t first = *(const uint32_t *)one, second = *(const uint32_t *)other;
    return (first > second) - (first < second);
}

static Py_ssize_t sort_and_unite(uint32_t *keys, Py_ssize_t count)
{
    Py_ssize_t kept = 0;
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    for (Py_ssize_t at = 0; at < count; at++)
        if (kept == 0 || keys[at] != keys[kept - 1])
            keys[kept++] = keys[at];
    return kept;
}

static int whole_key(PyObject *number, uint32_t *key)
{
    Py_ssize_t value;
    if (number_of(number, &value) < 0)
        return -1;
    if (value < 0 || (uint64_t)value > UINT32_MAX) {
        PyErr_SetString(PyExc_OverflowError, "a key has 32 bits");
        return -1;
    }
    *key = (uint32_t)value;
    return 0;
}

static int key_of_edge(PyObject *edge, PyObject *import_kind, PyObject *module_key, uint32_t *key)
{
    PyObject *kind = PyObject_GetAttr(edge, kind_attribute);
    if (!kind)
        return -1;
    Py_DECREF(kind);
    if (kind != import_kind)
        return key_in(edge, name_attribute, key);
    PyObject *name = PyObject_GetAttr(edge, name_attribute);
    if (!name)
        return -1;
    PyObject *answer = PyObject_CallOneArg(module_key, name);
    Py_DECREF(name);
    if (!answer)
        return -1;
    int status = whole_key(answer, key);
    Py_DECREF(answer);
    return status;
}

/* `edges` and `more` are tuples, and `keys` has room for all of them. */
static int collect_used(PyObject *edges, PyObject *import_kind, PyObject *module_key, PyObject *more, uint32_t *keys)
{
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(edges); at++)
        if (key_of_edge(PyTuple_GET_ITEM(edges, at), import_kind, module_key, keys++) < 0)
            return -1;
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(more); at++)
        if (whole_key(PyTuple_GET_ITEM(more, at), keys++) < 0)
            return -1;
    return 0;
}

static PyObject *used_keys(PyObject *module, PyObject *args)
{
    PyObject *edges, *import_kind, *module_key, *more, *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!OOO!:used_keys", &PyTuple_Type, &edges, &import_kind, &module_key, &PyTuple_Type,
                          &more))
        return NULL;
    Py_ssize_t count = PyTuple_GET_SIZE(edges) + PyTuple_GET_SIZE(more);
    uint32_t *keys = PyMem_New(uint32_t, count);
    if (!keys)
        return PyErr_NoMemory();
    if (collect_used(edges, import_kind, module_key, more, keys) == 0)
        result = packed(keys, sort_and_unite(keys, count));
    PyMem_Free(keys);
    return result;
}

/* The key of what a symbol lies in: its owner if it names one, else its container; 0 without. */
static int key_around(PyObject *symbols, PyObject *symbol, uint32_t *key)
{
    Py_ssize_t container;
    *key = 0;
    PyObject *owner = PyObject_GetAttr(symbol, owner_attribute);
    if (!owner)
        return -1;
    int is_owned = PyObject_IsTrue(owner);
    int status = is_owned > 0 ? key_of(owner, key) : is_owned;
    Py_DECREF(owner);
    if (status < 0 || is_owned)
        return status;
    status = number_in(symbol, container_attribute, &container);
    if (status < 0 || container < 0 || container >= PyTuple_GET_SIZE(symbols))
        return status;
    return key_in(PyTuple_GET_ITEM(symbols, container), name_attribute, key);
}

/* The three numbers of one symbol: returns how many were written, 0 for a kind without a number, or -1. */
static int keys_of_symbol(PyObject *symbols, Py_ssize_t at, PyObject *kinds, int kind_bits, uint32_t *keys)
{
    PyObject *symbol = PyTuple_GET_ITEM(symbols, at);
    PyObject *kind = PyObject_GetAttr(symbol, kind_attribute);
    if (!kind)
        return -1;
    PyObject *number = PyDict_GetItemWithError(kinds, kind);
    Py_DECREF(kind);
    if (!number)
        return PyErr_Occurred() ? -1 : 0;
    if (whole_key(number, &keys[2]) < 0)
        return -1;
    if (keys[2] >> kind_bits || at > (Py_ssize_t)(UINT32_MAX >> kind_bits)) {
        PyErr_SetString(PyExc_OverflowError, "an index and a kind have 32 bits together");
        return -1;
    }
    keys[2] |= (uint32_t)at << kind_bits;
    return key_in(symbol, name_attribute, &keys[0]) < 0 || key_around(symbols, symbol, &keys[1]) < 0 ? -1 : 3;
}

static PyObject *defined_keys(PyObject *module, PyObject *args)
{
    PyObject *symbols, *kinds, *result = NULL;
    int kind_bits, step = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!i:defined_keys", &PyTuple_Type, &symbols, &PyDict_Type, &kinds, &kind_bits))
        return NULL;
    if (kind_bits < 1 || kind_bits > 16) {
        PyErr_SetString(PyExc_ValueError, "a kind has 1 to 16 bits");
        return NULL;
    }
    Py_ssize_t count = PyTuple_GET_SIZE(symbols), written = 0;
    uint32_t *keys = count > PY_SSIZE_T_MAX / 3 ? NULL : PyMem_New(uint32_t, 3 * count);
    if (!keys)
        return PyErr_NoMemory();
    for (Py_ssize_t at = 0; step >= 0 && at < count; at++) {
        step = keys_of_symbol(symbols, at, kinds, kind_bits, keys + written);
        written += step;
    }
    if (step >= 0)
        result = packed(keys, written);
    PyMem_Free(keys);
    return result;
}

static PyMethodDef functions[] = {
    {"used_keys", used_keys, METH_VARARGS, "The keys of all names that edges use, and more keys, packed in order."},
    {"defined_keys", defined_keys, METH_VARARGS, "Three packed numbers for each symbol that is looked up by name."},
    {NULL, NULL, 0, NULL},
};

int add_keys(PyObject *module)
{
    fill_crc_steps();
    name_attribute = PyUnicode_InternFromString("name");
    kind_attribute = PyUnicode_InternFromString("kind");
    owner_attribute = PyUnicode_InternFromString("owner");
    container_attribute = PyUnicode_InternFromString("container");
    if (!name_attribute || !kind_attribute || !owner_attribute || !container_attribute)
        return -1;
    return PyModule_AddFunctions(module, functions);
}
