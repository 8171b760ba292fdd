/* Definitions in their containers: the twin of `place` in chunking/nesting.py, for documents without blocks, owners and definitions
   that go on with others. Those are left to it. */
#include "numbers.h"

#include <string.h>

enum { MOST_KINDS = 8 };

/* Some kinds of symbols; there is one object for each, so they are compared by where they are. */
typedef struct {
    PyObject *kinds[MOST_KINDS];
    Py_ssize_t count;
} Kinds;

/* What is the same for all documents, borrowed from the caller's arguments. */
typedef struct {
    PyObject *make;
    Kinds types;
    Kinds code;
    Kinds values;
    PyObject *constructors;
    PyObject *text_of; /* Asked for names that are no plain ones … */
    PyObject *kind_of; /* … and for the kinds of what they name. */
    PyObject *variable;
    PyObject *function;
    PyObject *method;
    PyObject *constant;
    PyObject *constructor;
} Rules;

/* A definition that others may lie in; its name and kind are held by `placed`. */
typedef struct {
    Py_ssize_t end;
    PyObject *name;
    PyObject *kind;
    PyObject *number;
} Open;

typedef struct {
    Open *items;
    Py_ssize_t count;
} Stack;

/* What is read of a definition; `kind` is borrowed from it. */
typedef struct {
    Py_ssize_t start;
    Py_ssize_t end;
    Py_ssize_t name_start;
    Py_ssize_t name_end;
    PyObject *kind;
} Place;

static PyObject *start_attribute, *end_attribute, *name_start_attribute, *name_end_attribute, *kind_attribute,
    *owner_attribute, *joins_attribute;

static int holds(const Kinds *kinds, PyObject *kind)
{
    for (Py_ssize_t at = 0; at < kinds->count; at++)
        if (kinds->kinds[at] == kind)
            return 1;
    return 0;
}

static int read_kinds(PyObject *tuple, Kinds *kinds)
{
    kinds->count = PyTuple_GET_SIZE(tuple);
    if (kinds->count > MOST_KINDS) {
        PyErr_SetString(PyExc_ValueError, "more kinds than there are");
        return -1;
    }
    for (Py_ssize_t at = 0; at < kinds->count; at++)
        kinds->kinds[at] = PyTuple_GET_ITEM(tuple, at);
    return 0;
}

static int is_truth(PyObject *object, PyObject *attribute)
{
    PyObject *value = PyObject_GetAttr(object, attribute);
    int truth = value ? PyObject_IsTrue(value) : -1;
    Py_XDECREF(value);
    return truth;
}

/* Whether a definition names its owner: 1, 0, or -1 with an exception set. */
static int has_owner(PyObject *definition)
{
    Py_ssize_t end = 0;
    int status = -1;
    PyObject *owner = PyObject_GetAttr(definition, owner_attribute);
    if (owner && PyTuple_Check(owner) && PyTuple_GET_SIZE(owner) == 2)
        status = number_of(PyTuple_GET_ITEM(owner, 1), &end);
    else if (owner)
        PyErr_SetString(PyExc_TypeError, "an owner is a start and an end");
    Py_XDECREF(owner);
    return status < 0 ? -1 : end != 0;
}

/* 1 if the definition is one of those that are placed here, 0 if not, -1 with an exception set. */
static int read_place(PyObject *definition, Py_ssize_t size, Place *place)
{
    int joins = is_truth(definition, joins_attribute), owned = joins ? 1 : has_owner(definition);
    if (joins < 0 || owned < 0)
        return -1;
    place->kind = PyObject_GetAttr(definition, kind_attribute);
    if (!place->kind || number_in(definition, start_attribute, &place->start) < 0 ||
        number_in(definition, end_attribute, &place->end) < 0 ||
        number_in(definition, name_start_attribute, &place->name_start) < 0 ||
        number_in(definition, name_end_attribute, &place->name_end) < 0) {
        Py_XDECREF(place->kind);
        return -1;
    }
    /* The definition holds it. */
    Py_DECREF(place->kind);
    if (place->name_start < 0 || place->name_end > size || place->name_start > place->name_end) {
        PyErr_SetString(PyExc_ValueError, "a name lies outside its document");
        return -1;
    }
    return !joins && !owned && place->kind != Py_None;
}

static int is_plain(const char *name, Py_ssize_t size)
{
    for (Py_ssize_t at = 0; at < size; at++) {
        char byte = name[at];
        int is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
        if (!is_letter && (at == 0 || byte < '0' || byte > '9'))
            return 0;
    }
    return size > 0;
}

/* As `str.isupper` has it: a capital, and no small letter. */
static int is_all_capitals(const char *name, Py_ssize_t size)
{
    int has_capital = 0;
    for (Py_ssize_t at = 0; at < size; at++) {
        if (name[at] >= 'a' && name[at] <= 'z')
            return 0;
        has_capital |= name[at] >= 'A' && name[at] <= 'Z';
    }
    return has_capital;
}

static PyObject *ask_text(const Rules *rules, PyObject *data, const Place *place)
{
    PyObject *name = PyObject_CallFunction(rules->text_of, "Onn", data, place->name_start, place->name_end);
    if (name && !PyUnicode_Check(name)) {
        PyErr_SetString(PyExc_TypeError, "a name is a str");
        Py_CLEAR(name);
    }
    return name;
}

/* The final kind of what a grammar calls a function or a variable, borrowed from the rules or from the definition. */
static PyObject *final_kind(const Rules *rules, const char *name_bytes, Py_ssize_t size, PyObject *name, PyObject *kind,
                            PyObject *owner)
{
    if (kind == rules->variable)
        return is_all_capitals(name_bytes, size) ? rules->constant : kind;
    if (kind == rules->function && owner)
        kind = rules->method;
    if (kind != rules->method)
        return kind;
    int is_one = PySequence_Contains(rules->constructors, name);
    if (is_one < 0)
        return NULL;
    is_one = is_one && (owner || PyUnicode_CompareWithASCIIString(name, "constructor") == 0);
    if (!is_one && owner)
        is_one = name == owner || PyUnicode_Compare(name, owner) == 0;
    return is_one ? rules->constructor : kind;
}

/* A new reference. */
static PyObject *kind_of(const Rules *rules, PyObject *data, const Place *place, PyObject *name, PyObject *owner)
{
    const char *bytes = PyBytes_AS_STRING(data) + place->name_start;
    Py_ssize_t size = place->name_end - place->name_start;
    if (is_plain(bytes, size))
        return Py_XNewRef(final_kind(rules, bytes, size, name, place->kind, owner));
    PyObject *none = PyUnicode_FromStringAndSize(NULL, 0);
    PyObject *kind = none ? PyObject_CallFunctionObjArgs(rules->kind_of, place->kind, name, owner ? owner : none, NULL) : NULL;
    Py_XDECREF(none);
    return kind;
}

/* Appends the definition to those that are placed, and lets others lie in it. */
static int add(const Rules *rules, PyObject *data, PyObject *definition, const Place *place, PyObject *name,
               PyObject *placed, Stack *stack)
{
    const Open *around = &stack->items[stack->count - 1];
    PyObject *kind = kind_of(rules, data, place, name, holds(&rules->types, around->kind) ? around->name : NULL);
    PyObject *number = PyLong_FromSsize_t(PyList_GET_SIZE(placed)), *item = NULL;
    if (kind && number) {
        PyObject *arguments[] = {definition, name, kind, around->number, around->number};
        item = PyObject_Vectorcall(rules->make, arguments, 5, NULL);
    }
    if (!item || PyList_Append(placed, item) < 0) {
        Py_XDECREF(kind);
        Py_XDECREF(number);
        Py_XDECREF(item);
        return -1;
    }
    Py_DECREF(item);
    stack->items[stack->count++] = (Open){place->end, Py_NewRef(name), kind, number};
    return 0;
}

static void close_last(Stack *stack)
{
    Open *last = &stack->items[--stack->count];
    Py_XDECREF(last->name);
    Py_XDECREF(last->kind);
    Py_XDECREF(last->number);
}

/* 1: placed or left out; 0: it is none that is placed here; -1 with an exception set. */
static int place_one(const Rules *rules, PyObject *data, PyObject *definition, PyObject *placed, Stack *stack)
{
    Place place;
    int status = read_place(definition, PyBytes_GET_SIZE(data), &place);
    if (status <= 0)
        return status;
    while (stack->count > 1 && stack->items[stack->count - 1].end <= place.start)
        close_last(stack);
    const char *bytes = PyBytes_AS_STRING(data) + place.name_start;
    Py_ssize_t size = place.name_end - place.name_start;
    PyObject *name = is_plain(bytes, size) ? PyUnicode_FromStringAndSize(bytes, size) : ask_text(rules, data, &place);
    if (!name)
        return -1;
    /* Local variables are left out. */
    int is_local = holds(&rules->values, place.kind) && holds(&rules->code, stack->items[stack->count - 1].kind);
    if (PyUnicode_GET_LENGTH(name) > 0 && !is_local)
        status = add(rules, data, definition, &place, name, placed, stack) < 0 ? -1 : 1;
    Py_DECREF(name);
    return status;
}

static PyObject *place_all(const Rules *rules, PyObject *data, PyObject *definitions)
{
    Py_ssize_t count = PyTuple_GET_SIZE(definitions);
    Stack stack = {PyMem_New(Open, count + 1), 1};
    PyObject *placed = PyList_New(0), *nowhere = PyLong_FromLong(-1);
    int status = stack.items && placed && nowhere ? 1 : -1;
    if (!stack.items) {
        PyErr_NoMemory();
        stack.count = 0;
    } else
        stack.items[0] = (Open){PY_SSIZE_T_MAX, NULL, NULL, Py_XNewRef(nowhere)};
    for (Py_ssize_t at = 0; status > 0 && at < count; at++)
        status = place_one(rules, data, PyTuple_GET_ITEM(definitions, at), placed, &stack);
    while (stack.count)
        close_last(&stack);
    PyMem_Free(stack.items);
    Py_XDECREF(nowhere);
    if (status > 0)
        return placed;
    Py_XDECREF(placed);
    return status < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *place(PyObject *module, PyObject *args)
{
    Rules rules;
    PyObject *types, *code, *values, *data, *list, *found = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "(O(O!O!O!)O(OO)(OOOOO))SO!:place", &rules.make, &PyTuple_Type, &types, &PyTuple_Type,
                          &code, &PyTuple_Type, &values, &rules.constructors, &rules.text_of, &rules.kind_of,
                          &rules.variable, &rules.function, &rules.method, &rules.constant, &rules.constructor, &data,
                          &PyList_Type, &list))
        return NULL;
    if (read_kinds(types, &rules.types) < 0 || read_kinds(code, &rules.code) < 0 ||
        read_kinds(values, &rules.values) < 0)
        return NULL;
    /* A copy, because the functions that are asked could change the list. */
    PyObject *definitions = PyList_AsTuple(list);
    if (definitions)
        found = place_all(&rules, data, definitions);
    Py_XDECREF(definitions);
    return found;
}

static PyMethodDef functions[] = {
    {"place", place, METH_VARARGS, "Definitions in their containers; None if some of them need more than that."},
    {NULL, NULL, 0, NULL},
};

int add_nesting(PyObject *module)
{
    if (intern(&start_attribute, "start") < 0 || intern(&end_attribute, "end") < 0 ||
        intern(&name_start_attribute, "name_start") < 0 || intern(&name_end_attribute, "name_end") < 0 ||
        intern(&kind_attribute, "kind") < 0 || intern(&owner_attribute, "owner") < 0 ||
        intern(&joins_attribute, "joins") < 0)
        return -1;
    return PyModule_AddFunctions(module, functions);
}
