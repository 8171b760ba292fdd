/* References grouped by what they name and by who names it: the loop of chunking/edges.py. What a text names that is more than
   a chain of names, and what a parameter is, only the Python there knows; it is asked once for each text. */
#include "naming.h"
#include "nest.h"
#include "recall.h"

#include <string.h>

/* What is the same for all documents, borrowed from the caller's arguments. */
typedef struct {
    PyObject *make;
    PyObject *import_kind;
    PyObject *inherit_kind;
    PyObject *call_kind;
    PyObject *names;
    PyObject *modules;
    PyObject *code; /* the kinds of what has parameters */
    Py_ssize_t longest_head;
    PyObject *is_parameter;
    Py_ssize_t look_back;
    Py_ssize_t most_places;
} Rules;

/* Where parameters of a symbol can stand, and the symbol around it. */
typedef struct {
    Py_ssize_t start;
    Py_ssize_t end;
    Py_ssize_t around;
    int is_known;
} Head;

static PyObject *kind_attribute, *name_end_attribute, *signature_end_attribute, *container_attribute;

typedef struct {
    PyObject *data;
    PyObject *symbols;
    PyObject *inheriting;
    Numbers lines;
    Nest nest;
    Head *heads;
} Document;

typedef struct {
    Py_ssize_t end;
    Py_ssize_t next; /* -1 behind the last one of a group */
} Place;

typedef struct {
    Py_hash_t hash;
    PyObject *kind; /* borrowed from the references */
    PyObject *pair; /* name and qualifier */
    Py_ssize_t symbol;
    Py_ssize_t first;
    Py_ssize_t last;
    Py_ssize_t count;
} Group;

/* In first-seen order, with a table of open addressing to find them. There are at most as many groups and places as
   references, so nothing has to grow. */
typedef struct {
    Group *groups;
    Py_ssize_t group_count;
    Place *places;
    Py_ssize_t place_count;
    Py_ssize_t *table; /* index of a group and 1, or 0 */
    size_t mask;
} Groups;

static int make_groups(Groups *groups, Py_ssize_t references)
{
    size_t slots = 8;
    while (slots / 2 < (size_t)references)
        slots *= 2;
    groups->mask = slots - 1;
    groups->groups = PyMem_New(Group, references);
    groups->places = PyMem_New(Place, references);
    groups->table = PyMem_Calloc(slots, sizeof(Py_ssize_t));
    if (groups->groups && groups->places && groups->table)
        return 0;
    PyErr_NoMemory();
    return -1;
}

static void free_groups(Groups *groups)
{
    for (Py_ssize_t at = 0; at < groups->group_count; at++)
        Py_DECREF(groups->groups[at].pair);
    PyMem_Free(groups->groups);
    PyMem_Free(groups->places);
    PyMem_Free(groups->table);
}

static PyObject *name_in(PyObject *pair)
{
    return PyTuple_GET_ITEM(pair, 0);
}

static PyObject *qualifier_in(PyObject *pair)
{
    return PyTuple_GET_ITEM(pair, 1);
}

static int is_pair(PyObject *pair)
{
    if (PyTuple_CheckExact(pair) && PyTuple_GET_SIZE(pair) == 2 && PyUnicode_CheckExact(name_in(pair)) &&
        PyUnicode_CheckExact(qualifier_in(pair)))
        return 1;
    PyErr_SetString(PyExc_TypeError, "a text is read as a name and a qualifier");
    return 0;
}

static int is_same_text(PyObject *one, PyObject *other)
{
    return one == other || PyUnicode_Compare(one, other) == 0;
}

static int is_same_pair(PyObject *one, PyObject *other)
{
    return one == other || (is_same_text(name_in(one), name_in(other)) &&
                            is_same_text(qualifier_in(one), qualifier_in(other)));
}

/* Strings remember their hash, so this is a few additions. */
static Py_hash_t hash_of(PyObject *kind, PyObject *pair, Py_ssize_t symbol)
{
    size_t hash = (size_t)PyObject_Hash(name_in(pair));
    hash = hash * 1000003u ^ (size_t)PyObject_Hash(qualifier_in(pair));
    hash = hash * 1000003u ^ (size_t)symbol;
    hash = hash * 1000003u ^ ((size_t)kind >> 4);
    return (Py_hash_t)(hash ^ hash >> 15);
}

/* The group of a reference, which is new and has no places if it is the first of its kind. */
static Group *group_of(Groups *groups, PyObject *kind, PyObject *pair, Py_ssize_t symbol)
{
    Py_hash_t hash = hash_of(kind, pair, symbol);
    size_t at = (size_t)hash & groups->mask;
    for (; groups->table[at]; at = (at + 1) & groups->mask) {
        Group *group = &groups->groups[groups->table[at] - 1];
        if (group->hash == hash && group->kind == kind && group->symbol == symbol && is_same_pair(group->pair, pair))
            return group;
    }
    Group *group = &groups->groups[groups->group_count++];
    groups->table[at] = groups->group_count;
    *group = (Group){hash, kind, Py_NewRef(pair), symbol, -1, -1, 0};
    return group;
}

static void add_place(Groups *groups, Group *group, Py_ssize_t end)
{
    Py_ssize_t at = groups->place_count++;
    groups->places[at] = (Place){end, -1};
    if (group->count++ == 0)
        group->first = at;
    else
        groups->places[group->last].next = at;
    group->last = at;
}

static int ask_inheriting(const Document *document, Py_ssize_t offset, Py_ssize_t *symbol)
{
    PyObject *number = PyLong_FromSsize_t(offset);
    if (!number)
        return -1;
    PyObject *answer = PyObject_CallOneArg(document->inheriting, number);
    Py_DECREF(number);
    if (!answer)
        return -1;
    int status = number_of(answer, symbol);
    Py_DECREF(answer);
    return status;
}

static int read_reference(PyObject *reference, Py_ssize_t size, Py_ssize_t *start, Py_ssize_t *end)
{
    if (!PyTuple_Check(reference) || PyTuple_GET_SIZE(reference) != 3) {
        PyErr_SetString(PyExc_TypeError, "a reference is its end, its start and its kind");
        return -1;
    }
    if (number_of(PyTuple_GET_ITEM(reference, 0), end) < 0 || number_of(PyTuple_GET_ITEM(reference, 1), start) < 0)
        return -1;
    if (*start < 0 || *end <= *start || *end > size) {
        PyErr_SetString(PyExc_ValueError, "a reference lies outside its document");
        return -1;
    }
    return 0;
}

/* `last` is the last symbol that starts before the reference before; references come in the order of their ends. */
static int group_reference(const Rules *rules, const Document *document, Groups *groups, PyObject *reference,
                           Py_ssize_t *last)
{
    Py_ssize_t start, end, symbol;
    if (read_reference(reference, PyBytes_GET_SIZE(document->data), &start, &end) < 0)
        return -1;
    /* Cut short, because in a chain of a thousand calls each expression holds all those before it. */
    if (end - start > rules->look_back)
        start = end - rules->look_back - 1;
    PyObject *kind = PyTuple_GET_ITEM(reference, 2);
    PyObject *pair = kind == rules->import_kind ? recall(rules->modules, document->data, start, end)
                                                : recall_quickly(rules->names, document->data, start, end, plain_pair);
    if (!pair)
        return -1;
    int status = is_pair(pair) ? 0 : -1;
    if (status == 0 && PyUnicode_GET_LENGTH(name_in(pair)) > 0) {
        while (*last + 1 < document->nest.starts.count && document->nest.starts.items[*last + 1] < end)
            *last += 1;
        status = kind == rules->inherit_kind ? ask_inheriting(document, end - 1, &symbol)
                                             : climb(&document->nest, *last, end, &symbol);
        if (status == 0)
            add_place(groups, group_of(groups, kind, pair, symbol), end);
    }
    Py_DECREF(pair);
    return status;
}

/* Whether a symbol is one that has parameters: 1, 0, or -1 with an exception set. */
static int is_code(const Rules *rules, PyObject *symbol)
{
    PyObject *kind = PyObject_GetAttr(symbol, kind_attribute);
    if (!kind)
        return -1;
    int found = 0;
    for (Py_ssize_t at = 0; !found && at < PyTuple_GET_SIZE(rules->code); at++)
        found = PyTuple_GET_ITEM(rules->code, at) == kind;
    Py_DECREF(kind);
    return found;
}

/* Where the parameters of a function stand, and what is around it; nowhere for what is none. */
static int read_head(const Rules *rules, const Document *document, Py_ssize_t at, Head *head)
{
    *head = (Head){0, 0, -1, 1};
    Py_ssize_t count = PySequence_Size(document->symbols);
    if (count < 0 || at >= count)
        return count < 0 ? -1 : 0;
    PyObject *symbol = PySequence_GetItem(document->symbols, at);
    if (!symbol)
        return -1;
    int status = is_code(rules, symbol);
    if (status > 0 && (number_in(symbol, name_end_attribute, &head->start) < 0 ||
                       number_in(symbol, signature_end_attribute, &head->end) < 0 ||
                       number_in(symbol, container_attribute, &head->around) < 0))
        status = -1;
    Py_DECREF(symbol);
    if (status <= 0)
        return status;
    Py_ssize_t size = PyBytes_GET_SIZE(document->data);
    if (head->start < 0 || head->start > size || head->end > size) {
        PyErr_SetString(PyExc_ValueError, "a head lies outside its document");
        return -1;
    }
    if (head->end - head->start > rules->longest_head)
        head->end = head->start + rules->longest_head;
    return 0;
}

static int has_word(const Document *document, const Head *head, const char *word, Py_ssize_t length)
{
    const char *data = PyBytes_AS_STRING(document->data);
    const char *from = data + head->start;
    /* The last place where the word can begin, and one more. */
    Py_ssize_t left = head->end - head->start - length + 1;
    while (left > 0) {
        const char *found = memchr(from, word[0], (size_t)left);
        if (!found)
            return 0;
        if (memcmp(found, word, (size_t)length) == 0)
            return 1;
        left -= found + 1 - from;
        from = found + 1;
    }
    return 0;
}

/* Whether the name stands in the head of a symbol or of one around it: 1, 0, or -1 with an exception set. */
static int stands_in_head(const Rules *rules, const Document *document, Py_ssize_t symbol, PyObject *name)
{
    Py_ssize_t length;
    const char *word = PyUnicode_AsUTF8AndSize(name, &length);
    if (!word)
        return -1;
    /* A symbol that lies in itself, through others, must not keep us for ever. */
    for (Py_ssize_t steps = document->nest.starts.count; steps > 0; steps--) {
        if (symbol < 0 || symbol >= document->nest.starts.count)
            return 0;
        Head *head = &document->heads[symbol];
        if (!head->is_known && read_head(rules, document, symbol, head) < 0)
            return -1;
        if (has_word(document, head, word, length))
            return 1;
        symbol = head->around;
    }
    return 0;
}

/* Whether what is called is a parameter: 1, 0, or -1 with an exception set. */
static int is_bound(const Rules *rules, const Document *document, const Group *group)
{
    if (group->kind != rules->call_kind || group->symbol < 0 || PyUnicode_GET_LENGTH(qualifier_in(group->pair)) > 0)
        return 0;
    int stands = stands_in_head(rules, document, group->symbol, name_in(group->pair));
    if (stands <= 0)
        return stands;
    PyObject *number = PyLong_FromSsize_t(group->symbol);
    if (!number)
        return -1;
    PyObject *args[] = {document->data, document->symbols, number, name_in(group->pair)};
    PyObject *answer = PyObject_Vectorcall(rules->is_parameter, args, 4, NULL);
    Py_DECREF(number);
    if (!answer)
        return -1;
    int bound = PyObject_IsTrue(answer);
    Py_DECREF(answer);
    return bound;
}

/* Line, counted from 1, and column of a name that ends at `end`; no line before `low` is looked at. */
static int locate(const Document *document, Py_ssize_t end, Py_ssize_t width, Py_ssize_t low, Py_ssize_t *line,
                  Py_ssize_t *column)
{
    *line = bisect_right(&document->lines, end - 1, low, document->lines.count - 1);
    if (*line < 1) {
        PyErr_SetString(PyExc_ValueError, "a reference stands before the first line");
        return -1;
    }
    *column = end - width - document->lines.items[*line - 1];
    if (*column < 0)
        *column = 0;
    return 0;
}

/* Lines and columns, in turns, of all places of a group but the first. */
static PyObject *more_places(const Rules *rules, const Document *document, const Groups *groups, const Group *group,
                             Py_ssize_t width, Py_ssize_t first_line)
{
    Py_ssize_t count = group->count < rules->most_places ? group->count : rules->most_places;
    PyObject *more = PyTuple_New(count > 1 ? 2 * (count - 1) : 0);
    const Place *place = &groups->places[group->first];
    for (Py_ssize_t at = 1; more && at < count; at++) {
        Py_ssize_t numbers[2];
        place = &groups->places[place->next];
        if (locate(document, place->end, width, first_line - 1, &numbers[0], &numbers[1]) < 0) {
            Py_CLEAR(more);
            break;
        }
        for (Py_ssize_t part = 0; more && part < 2; part++) {
            PyObject *number = PyLong_FromSsize_t(numbers[part]);
            if (number)
                PyTuple_SET_ITEM(more, 2 * (at - 1) + part, number);
            else
                Py_CLEAR(more);
        }
    }
    return more;
}

static PyObject *make_edge(const Rules *rules, const Document *document, const Groups *groups, const Group *group)
{
    Py_ssize_t width, line, column;
    if (!PyUnicode_AsUTF8AndSize(name_in(group->pair), &width))
        return NULL;
    if (locate(document, groups->places[group->first].end, width, 0, &line, &column) < 0)
        return NULL;
    int bound = is_bound(rules, document, group);
    if (bound < 0)
        return NULL;
    PyObject *line_number = PyLong_FromSsize_t(line);
    PyObject *symbol = PyLong_FromSsize_t(group->symbol);
    PyObject *column_number = PyLong_FromSsize_t(column);
    PyObject *more = more_places(rules, document, groups, group, width, line);
    PyObject *edge = NULL;
    if (line_number && symbol && column_number && more) {
        PyObject *args[] = {group->kind, name_in(group->pair), qualifier_in(group->pair), line_number,
                            symbol,      column_number,        more,                      bound ? Py_True : Py_False};
        edge = PyObject_Vectorcall(rules->make, args, 8, NULL);
    }
    Py_XDECREF(line_number);
    Py_XDECREF(symbol);
    Py_XDECREF(column_number);
    Py_XDECREF(more);
    return edge;
}

static PyObject *make_edges(const Rules *rules, const Document *document, const Groups *groups)
{
    PyObject *edges = PyTuple_New(groups->group_count);
    for (Py_ssize_t at = 0; edges && at < groups->group_count; at++) {
        PyObject *edge = make_edge(rules, document, groups, &groups->groups[at]);
        if (edge)
            PyTuple_SET_ITEM(edges, at, edge);
        else
            Py_CLEAR(edges);
    }
    return edges;
}

static PyObject *edges_of(const Rules *rules, const Document *document, PyObject *references)
{
    Groups groups = {0};
    PyObject *edges = NULL;
    Py_ssize_t last = -1, count = PyTuple_GET_SIZE(references), at = 0;
    if (make_groups(&groups, count) == 0) {
        while (at < count &&
               group_reference(rules, document, &groups, PyTuple_GET_ITEM(references, at), &last) == 0)
            at++;
        if (at == count)
            edges = make_edges(rules, document, &groups);
    }
    free_groups(&groups);
    return edges;
}

static int read_document(Document *document, PyObject *lines, PyObject *starts, PyObject *ends, PyObject *parents)
{
    if (numbers_of(lines, &document->lines) < 0 || read_nest(&document->nest, starts, ends, parents) < 0)
        return -1;
    if (document->lines.count < 1) {
        PyErr_SetString(PyExc_ValueError, "behind the last line stands the end of the document");
        return -1;
    }
    document->heads = PyMem_Calloc((size_t)document->nest.starts.count + 1, sizeof(Head));
    if (!document->heads) {
        PyErr_NoMemory();
        return -1;
    }
    return 0;
}

static void free_document(Document *document)
{
    free_numbers(&document->lines);
    free_nest(&document->nest);
    PyMem_Free(document->heads);
}

static PyObject *edges(PyObject *module, PyObject *args)
{
    Rules rules;
    Document document = {0};
    PyObject *lines, *starts, *ends, *parents, *list, *found = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "(O(OOO)(O!O!)(O!nO)nn)SOO!(OOO)OO:edges", &rules.make, &rules.call_kind,
                          &rules.import_kind, &rules.inherit_kind, &MemoType, &rules.names, &MemoType, &rules.modules,
                          &PyTuple_Type, &rules.code, &rules.longest_head, &rules.is_parameter, &rules.look_back,
                          &rules.most_places, &document.data, &lines, &PyList_Type, &list, &starts, &ends, &parents, &document.inheriting,
                          &document.symbols))
        return NULL;
    if (rules.look_back < 1 || rules.most_places < 1) {
        PyErr_SetString(PyExc_ValueError, "at least one byte is looked at, and one place is kept");
        return NULL;
    }
    /* A copy, because the functions that are asked could change the list. */
    PyObject *references = PyList_AsTuple(list);
    if (!references)
        return NULL;
    if (read_document(&document, lines, starts, ends, parents) == 0)
        found = edges_of(&rules, &document, references);
    free_document(&document);
    Py_DECREF(references);
    return found;
}

static PyMethodDef functions[] = {
    {"edges", edges, METH_VARARGS, "References of a document, once for each symbol that makes them."},
    {NULL, NULL, 0, NULL},
};

int add_edges(PyObject *module)
{
    if (intern(&kind_attribute, "kind") < 0 || intern(&name_end_attribute, "name_end") < 0 ||
        intern(&signature_end_attribute, "signature_end") < 0 || intern(&container_attribute, "container") < 0)
        return -1;
    return PyModule_AddFunctions(module, functions);
}
