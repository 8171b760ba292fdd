/* Matches become what chunking works with: definitions, references, hints and ranges. The twin of `find` in
 * chunking/syntax.py, which says what each of them is. */
#include "syntax.h"

#include <stdlib.h>

enum { RANGE_LISTS = 5 };

typedef struct {
    uint32_t start;
    uint32_t end;
} Range;

typedef struct {
    Range *items;
    uint32_t count;
    uint32_t room;
} Ranges;

typedef struct {
    uint32_t end;
    uint32_t start;
    const Pattern *pattern;
} Reference;

typedef struct {
    Range variable;
    Range type;
    bool is_call;
} Hint;

typedef struct {
    Range whole;
    Range name;
    Range owner;
    int64_t body; /* Where it starts, -1 without one. */
    uint16_t pattern;
    uint32_t order; /* Of two matches of one pattern with one name the first counts. */
} Definition;

typedef struct {
    Ranges ranges[RANGE_LISTS];
    Reference *references;
    uint32_t reference_count, reference_room;
    Hint *hints;
    uint32_t hint_count, hint_room;
    Definition *definitions;
    uint32_t definition_count, definition_room;
    uint32_t looked_in; /* The last node whose body was looked for, NO_NODE before the first, … */
    uint32_t seen_body; /* … and that body. */
} Sorted;

static Range range_of(const Tree *tree, uint32_t node)
{
    return (Range){tree->nodes[node].start, tree->nodes[node].end};
}

static bool add_range(Ranges *ranges, Range range)
{
    if (!grow((void **)&ranges->items, &ranges->room, ranges->count, sizeof(Range)))
        return false;
    ranges->items[ranges->count++] = range;
    return true;
}

static bool add_reference(Sorted *sorted, const Tree *tree, const Match *match, const Pattern *pattern)
{
    if (!grow((void **)&sorted->references, &sorted->reference_room, sorted->reference_count, sizeof(Reference)))
        return false;
    Range named = range_of(tree, match->nodes[SLOT_ROLE]);
    uint32_t qualifier = match->nodes[SLOT_QUALIFIER];
    uint32_t start = qualifier == NO_NODE ? named.start : tree->nodes[qualifier].start;
    sorted->references[sorted->reference_count++] = (Reference){named.end, start, pattern};
    return true;
}

static bool add_hint(Sorted *sorted, const Tree *tree, const Match *match)
{
    const uint32_t *nodes = match->nodes;
    uint32_t made = nodes[SLOT_MADE];
    uint32_t type = made != NO_NODE ? made : nodes[SLOT_TYPE] != NO_NODE ? nodes[SLOT_TYPE] : nodes[SLOT_SAME];
    if (type == NO_NODE)
        return true;
    if (!grow((void **)&sorted->hints, &sorted->hint_room, sorted->hint_count, sizeof(Hint)))
        return false;
    sorted->hints[sorted->hint_count++] =
        (Hint){range_of(tree, nodes[SLOT_ROLE]), range_of(tree, type), made != NO_NODE};
    return true;
}

/* The body of a node. The ten thousand names of one declaration share a node with as many children, so that one is
 * looked through once. */
static uint32_t body_of(Sorted *sorted, const Query *query, const Tree *tree, uint32_t node)
{
    if (sorted->looked_in != node) {
        sorted->seen_body = query->body_field ? child_in_field(tree, node, query->body_field) : NO_NODE;
        sorted->looked_in = node;
    }
    return sorted->seen_body;
}

static bool add_definition(Sorted *sorted, const Query *query, const Tree *tree, const Match *match)
{
    const uint32_t *nodes = match->nodes;
    Range name = range_of(tree, nodes[SLOT_NAME]);
    if (name.start == name.end)
        return true;
    if (!grow((void **)&sorted->definitions, &sorted->definition_room, sorted->definition_count, sizeof(Definition)))
        return false;
    uint32_t body = nodes[SLOT_BODY];
    if (body == NO_NODE)
        body = body_of(sorted, query, tree, nodes[SLOT_VALUE] != NO_NODE ? nodes[SLOT_VALUE] : nodes[SLOT_ROLE]);
    Range nobody = {0, 0};
    sorted->definitions[sorted->definition_count] = (Definition){
        .whole = range_of(tree, nodes[SLOT_ROLE]),
        .name = name,
        .owner = nodes[SLOT_OWNER] == NO_NODE ? nobody : range_of(tree, nodes[SLOT_OWNER]),
        .body = body == NO_NODE ? -1 : (int64_t)tree->nodes[body].start,
        .pattern = match->pattern,
        .order = sorted->definition_count,
    };
    sorted->definition_count++;
    return true;
}

static bool sort_match(Sorted *sorted, const Query *query, const Tree *tree, const Match *match)
{
    const Pattern *pattern = &query->patterns[match->pattern];
    Range range = range_of(tree, match->nodes[SLOT_ROLE]);
    if (range.start == range.end)
        return true; /* The parser made it up to mend an error. */
    switch (pattern->meaning) {
    case MEANS_EDGE:
        return add_reference(sorted, tree, match, pattern);
    case MEANS_HINT:
        return add_hint(sorted, tree, match);
    case MEANS_DEFINITION:
        return match->nodes[SLOT_NAME] == NO_NODE || add_definition(sorted, query, tree, match);
    default:
        return add_range(&sorted->ranges[pattern->list % RANGE_LISTS], range);
    }
}

static int compared(int64_t one, int64_t other)
{
    return (one > other) - (one < other);
}

static int by_range(const void *one, const void *other)
{
    const Range *a = one, *b = other;
    int order = compared(a->start, b->start);
    return order ? order : compared(a->end, b->end);
}

static int by_end(const void *one, const void *other)
{
    const Reference *a = one, *b = other;
    int order = compared(a->end, b->end);
    order = order ? order : compared(a->start, b->start);
    return order ? order : compared(a->pattern->list, b->pattern->list);
}

static int by_variable(const void *one, const void *other)
{
    const Hint *a = one, *b = other;
    int order = by_range(&a->variable, &b->variable);
    order = order ? order : by_range(&a->type, &b->type);
    return order ? order : compared(a->is_call, b->is_call);
}

static int by_name(const void *one, const void *other)
{
    const Definition *a = one, *b = other;
    int order = compared(a->name.start, b->name.start);
    order = order ? order : compared(a->pattern, b->pattern);
    return order ? order : compared(a->order, b->order);
}

static int outermost_first(const void *one, const void *other)
{
    const Definition *a = one, *b = other;
    int order = compared(a->whole.start, b->whole.start);
    order = order ? order : compared(b->whole.end, a->whole.end);
    return order ? order : compared(a->name.start, b->name.start);
}

static int by_number(const void *one, const void *other)
{
    return compared(*(const uint32_t *)one, *(const uint32_t *)other);
}

/* `qsort` must not be given NULL, whatever the count is. */
static void sort(void *items, uint32_t count, size_t size, int (*order)(const void *, const void *))
{
    if (count > 1)
        qsort(items, count, size, order);
}

/* Keep one definition per name: of two patterns that match, the one that stands first in the query file. */
static void keep_first_of_names(Sorted *sorted)
{
    sort(sorted->definitions, sorted->definition_count, sizeof(Definition), by_name);
    uint32_t kept = 0;
    for (uint32_t each = 0; each < sorted->definition_count; each++)
        if (!kept || sorted->definitions[kept - 1].name.start != sorted->definitions[each].name.start)
            sorted->definitions[kept++] = sorted->definitions[each];
    sorted->definition_count = kept;
    sort(sorted->definitions, kept, sizeof(Definition), outermost_first);
}

/* In Elixir the head of a definition is a call, too: calls whose name is that of a definition are none. */
static bool drop_heads(Sorted *sorted)
{
    uint32_t count = sorted->definition_count;
    uint32_t *ends = PyMem_RawMalloc((count + 1) * sizeof(uint32_t));
    if (!ends) {
        PyErr_NoMemory();
        return false;
    }
    for (uint32_t each = 0; each < count; each++)
        ends[each] = sorted->definitions[each].name.end;
    sort(ends, count, sizeof(uint32_t), by_number);
    /* Both lists are in the order of the text by now. */
    uint32_t kept = 0, at = 0;
    for (uint32_t each = 0; each < sorted->reference_count; each++) {
        Reference reference = sorted->references[each];
        while (at < count && ends[at] < reference.end)
            at++;
        if (reference.pattern->list == 0 && at < count && ends[at] == reference.end)
            continue;
        sorted->references[kept++] = reference;
    }
    sorted->reference_count = kept;
    PyMem_RawFree(ends);
    return true;
}

/* A list whose items `make` makes, or NULL. */
typedef PyObject *(*Maker)(const void *item, const Query *query, PyObject *context);

static PyObject *list_of(const void *items, uint32_t count, size_t size, Maker make, const Query *query,
                         PyObject *context)
{
    PyObject *list = PyList_New(count);
    for (uint32_t each = 0; list && each < count; each++) {
        PyObject *item = make((const char *)items + each * size, query, context);
        if (!item) {
            Py_DECREF(list);
            return NULL;
        }
        PyList_SET_ITEM(list, each, item);
    }
    return list;
}

static PyObject *make_range(const void *item, const Query *query, PyObject *context)
{
    (void)query, (void)context;
    const Range *range = item;
    return Py_BuildValue("(II)", range->start, range->end);
}

static PyObject *make_reference(const void *item, const Query *query, PyObject *context)
{
    (void)query, (void)context;
    const Reference *reference = item;
    PyObject *made = PyTuple_New(3);
    PyObject *end = PyLong_FromUnsignedLong(reference->end);
    PyObject *start = PyLong_FromUnsignedLong(reference->start);
    if (!made || !end || !start) {
        Py_XDECREF(made);
        Py_XDECREF(end);
        Py_XDECREF(start);
        return NULL;
    }
    PyTuple_SET_ITEM(made, 0, end);
    PyTuple_SET_ITEM(made, 1, start);
    PyTuple_SET_ITEM(made, 2, Py_NewRef(reference->pattern->detail));
    return made;
}

static PyObject *make_hint(const void *item, const Query *query, PyObject *context)
{
    (void)query, (void)context;
    const Hint *hint = item;
    return Py_BuildValue("(IIIIO)", hint->variable.start, hint->variable.end, hint->type.start, hint->type.end,
                         hint->is_call ? Py_True : Py_False);
}

static PyObject *make_definition(const void *item, const Query *query, PyObject *type)
{
    const Definition *definition = item;
    const Pattern *pattern = &query->patterns[definition->pattern];
    return PyObject_CallFunction(type, "IIIIOL(II)O", definition->whole.start, definition->whole.end,
                                 definition->name.start, definition->name.end, pattern->detail,
                                 (long long)definition->body, definition->owner.start, definition->owner.end,
                                 pattern->joins ? Py_True : Py_False);
}

/* The lists in the order of the fields of `Findings`; an item that could not be made leaves NULL and an exception. */
static PyObject *lists_of(Sorted *sorted, const Query *query, PyObject *definition_type)
{
    PyObject *made = PyTuple_New(2 + RANGE_LISTS + 1);
    if (!made)
        return NULL;
    for (Py_ssize_t each = 0; each < PyTuple_GET_SIZE(made); each++) {
        PyObject *list;
        if (each == 0)
            list = list_of(sorted->definitions, sorted->definition_count, sizeof(Definition), make_definition, query,
                           definition_type);
        else if (each == 1)
            list = list_of(sorted->references, sorted->reference_count, sizeof(Reference), make_reference, query, NULL);
        else if (each < 2 + RANGE_LISTS) {
            Ranges *ranges = &sorted->ranges[each - 2];
            list = list_of(ranges->items, ranges->count, sizeof(Range), make_range, query, NULL);
        } else
            list = list_of(sorted->hints, sorted->hint_count, sizeof(Hint), make_hint, query, NULL);
        if (!list) {
            Py_DECREF(made);
            return NULL;
        }
        PyTuple_SET_ITEM(made, each, list);
    }
    return made;
}

PyObject *make_findings(const Query *query, const Tree *tree, const Matches *found, PyObject *definition_type)
{
    Sorted sorted = {.looked_in = NO_NODE};
    bool ok = true;
    for (uint32_t each = 0; ok && each < found->count; each++)
        ok = sort_match(&sorted, query, tree, &found->matches[each]);
    PyObject *made = NULL;
    if (ok) {
        keep_first_of_names(&sorted);
        sort(sorted.references, sorted.reference_count, sizeof(Reference), by_end);
        sort(sorted.hints, sorted.hint_count, sizeof(Hint), by_variable);
        for (int each = 0; each < RANGE_LISTS; each++)
            sort(sorted.ranges[each].items, sorted.ranges[each].count, sizeof(Range), by_range);
        if (drop_heads(&sorted))
            made = lists_of(&sorted, query, definition_type);
    }
    for (int each = 0; each < RANGE_LISTS; each++)
        PyMem_RawFree(sorted.ranges[each].items);
    PyMem_RawFree(sorted.references);
    PyMem_RawFree(sorted.hints);
    PyMem_RawFree(sorted.definitions);
    return made;
}
