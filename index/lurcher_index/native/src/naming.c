#include "naming.h"
#include "splitting.h"

#include <string.h>

/* As QUALIFIER_LENGTH says; longer ones are judged by the twin. */
#define LONGEST_QUALIFIER 80

/* Below LOOK_BACK of the twin, which longer expressions are cut to. */
#define LONGEST_TEXT 200

/* As MAX_TERM_CHARACTERS says: what is longer is no name. */
#define LONGEST_NAME 64

static int is_digit(char byte) { return byte >= '0' && byte <= '9'; }

static int is_letter(char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); }

static int is_in_name(char byte) { return is_letter(byte) || is_digit(byte) || byte == '_'; }

static int is_in_qualifier(char byte)
{
    return is_in_name(byte) || byte == '.' || byte == ':' || byte == '@' || byte == '$';
}

/* Where the name at the end of a text begins; behind it may stand a mark, as in `empty?`. The size if there is none. */
static Py_ssize_t name_start(const char *text, Py_ssize_t size)
{
    Py_ssize_t end = size > 0 && (text[size - 1] == '?' || text[size - 1] == '!') ? size - 1 : size;
    Py_ssize_t start = end;
    while (start > 0 && is_in_name(text[start - 1]))
        start--;
    return start < end && !is_digit(text[start]) ? start : size;
}

/* How many bytes before a name are its qualifier, or -1 if that is not plain. */
static Py_ssize_t qualifier_size(const char *text, Py_ssize_t start)
{
    Py_ssize_t size = start;
    if (!size)
        return 0;
    if (text[size - 1] == '.')
        size -= 1;
    else if (size > 1 && text[size - 1] == ':' && text[size - 2] == ':')
        size -= 2;
    else
        return -1;
    if (size > LONGEST_QUALIFIER)
        return -1;
    for (Py_ssize_t at = 0; at < size; at++)
        if (!is_in_qualifier(text[at]))
            return -1;
    return size;
}

static PyObject *ascii(const char *bytes, Py_ssize_t size)
{
    PyObject *text = PyUnicode_New(size, 127);
    if (text && size)
        memcpy(PyUnicode_1BYTE_DATA(text), bytes, (size_t)size);
    return text;
}

PyObject *plain_pair(const char *text, Py_ssize_t size)
{
    Py_ssize_t start = name_start(text, size);
    Py_ssize_t before = start < size && size <= LONGEST_TEXT ? qualifier_size(text, start) : -1;
    if (before < 0)
        return NULL;
    PyObject *name = ascii(text + start, size - start), *qualifier = ascii(text, before), *pair = NULL;
    if (name && qualifier)
        pair = PyTuple_Pack(2, name, qualifier);
    Py_XDECREF(name);
    Py_XDECREF(qualifier);
    return pair;
}

/* The words of one name, one behind the other. */
typedef struct {
    char bytes[LONGEST_NAME];
    Py_ssize_t ends[LONGEST_NAME];
    Py_ssize_t count;
} Words;

static Py_ssize_t word_start(const Words *words, Py_ssize_t word) { return word ? words->ends[word - 1] : 0; }

static int holds(const char *text, Py_ssize_t size, const char *part, Py_ssize_t length)
{
    for (Py_ssize_t at = 0; at + length <= size; at++)
        if (memcmp(text + at, part, (size_t)length) == 0)
            return 1;
    return 0;
}

/* A number stays with the word that it is written to, as in `utf8`. */
static void add_word(Words *words, const char *lower, Py_ssize_t size, const char *part, Py_ssize_t length)
{
    Py_ssize_t end = words->count ? words->ends[words->count - 1] : 0;
    memcpy(words->bytes + end, part, (size_t)length);
    if (words->count && is_digit(*part)) {
        Py_ssize_t start = word_start(words, words->count - 1);
        if (holds(lower, size, words->bytes + start, end + length - start)) {
            words->ends[words->count - 1] = end + length;
            return;
        }
    }
    words->ends[words->count++] = end + length;
}

static void split_words(Words *words, const char *name, Py_ssize_t size)
{
    char lower[LONGEST_NAME];
    for (Py_ssize_t at = 0; at < size; at++)
        lower[at] = name[at] >= 'A' && name[at] <= 'Z' ? (char)(name[at] + 32) : name[at];
    for (Py_ssize_t at = 0; at < size;) {
        Py_ssize_t end = at;
        while (end < size && (is_letter(name[end]) || is_digit(name[end])))
            end++;
        while (at < end) {
            Py_ssize_t length = (Py_ssize_t)part_at((const unsigned char *)name + at, (size_t)(end - at));
            add_word(words, lower, size, lower + at, length);
            at += length;
        }
        at = end + 1;
    }
}

static PyObject *named_words(PyObject *module, PyObject *name)
{
    (void)module;
    if (!PyUnicode_Check(name))
        return PyErr_Format(PyExc_TypeError, "a name is a str, not %.100s", Py_TYPE(name)->tp_name);
    if (!PyUnicode_IS_ASCII(name))
        Py_RETURN_NONE;
    Words words;
    words.count = 0;
    if (PyUnicode_GET_LENGTH(name) <= LONGEST_NAME)
        split_words(&words, (const char *)PyUnicode_1BYTE_DATA(name), PyUnicode_GET_LENGTH(name));
    PyObject *tuple = PyTuple_New(words.count);
    for (Py_ssize_t at = 0; tuple && at < words.count; at++) {
        Py_ssize_t start = word_start(&words, at);
        PyObject *word = ascii(words.bytes + start, words.ends[at] - start);
        if (word)
            PyTuple_SET_ITEM(tuple, at, word);
        else
            Py_CLEAR(tuple);
    }
    return tuple;
}

static PyMethodDef functions[] = {
    {"named_words", named_words, METH_O, "The words of a name, in lower case; None if it is not all ASCII."},
    {NULL, NULL, 0, NULL},
};

int add_naming(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
