/* Where the children of a node that is too large begin: the twin of `Nodes.parts` in chunking/cuts.py. */
#include "syntax.h"

#define DEEPEST 300 /* Levels of syntax that are looked at, as in cuts.py. */

typedef struct {
    PyObject *starts; /* The lists and the dictionary of chunking/lines.py and attach.py. */
    PyObject *sums;
    PyObject *tops;
    Py_ssize_t lines;
    Py_ssize_t low;
    Py_ssize_t high;
    Py_ssize_t full;
} Region;

typedef struct {
    Py_ssize_t first;
    Py_ssize_t after;
    uint32_t node;
} Part;

typedef struct {
    Part *items;
    uint32_t count;
    uint32_t room;
} Parts;

typedef struct {
    uint32_t *items;
    uint32_t count;
    uint32_t room;
} Children;

/* Every index is within the list: `make_parts` has looked. What is no number leaves an exception and counts as -1,
 * which leads nowhere outside either; it is noticed at the end. */
static Py_ssize_t number_at(PyObject *list, Py_ssize_t at)
{
    return PyLong_AsSsize_t(PyList_GET_ITEM(list, at));
}

/* How many lines from `low` on, up to `high`, begin at an offset or before it: bisect_right. */
static Py_ssize_t lines_until(const Region *region, Py_ssize_t offset, Py_ssize_t low, Py_ssize_t high)
{
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (offset < number_at(region->starts, middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static Py_ssize_t size_of(const Region *region, Py_ssize_t low, Py_ssize_t high)
{
    return number_at(region->sums, high) - number_at(region->sums, low);
}

/* The first line of the comments above a line, or the line itself; -1 with an exception set. */
static Py_ssize_t top_of(const Region *region, Py_ssize_t line)
{
    PyObject *key = PyLong_FromSsize_t(line);
    PyObject *top = key ? PyDict_GetItemWithError(region->tops, key) : NULL;
    Py_XDECREF(key);
    if (!top)
        return PyErr_Occurred() ? -1 : line;
    Py_ssize_t found = PyLong_AsSsize_t(top);
    if (found < 0 || found > line) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "comments must stand above what they belong to");
        return -1;
    }
    return found;
}

static bool add_child(Children *children, uint32_t node)
{
    if (!grow((void **)&children->items, &children->room, children->count, sizeof(uint32_t)))
        return false;
    children->items[children->count++] = node;
    return true;
}

static uint32_t length_of(const Tree *tree, uint32_t node)
{
    return tree->nodes[node].end - tree->nodes[node].start;
}

static bool add_named_children(const Tree *tree, uint32_t node, uint32_t opened, Children *children)
{
    const Node *nodes = tree->nodes;
    uint32_t end = node + nodes[node].size;
    for (uint32_t child = node + 1; child < end; child += nodes[child].size) {
        if (!nodes[child].named)
            continue;
        if (child == opened ? !add_named_children(tree, child, NO_NODE, children) : !add_child(children, child))
            return false;
    }
    return true;
}

/* A node's children; a body that is too large gives its own, so that the header is packed with the first. */
static bool list_children(const Query *query, const Tree *tree, uint32_t node, Py_ssize_t full, Children *children)
{
    uint32_t body = query->body_field ? child_in_field(tree, node, query->body_field) : NO_NODE;
    bool is_large = body != NO_NODE && (Py_ssize_t)length_of(tree, body) > full;
    children->count = 0;
    return add_named_children(tree, node, is_large ? body : NO_NODE, children);
}

static bool add_part(Parts *parts, Part part)
{
    if (!grow((void **)&parts->items, &parts->room, parts->count, sizeof(Part)))
        return false;
    parts->items[parts->count++] = part;
    return true;
}

static Py_ssize_t larger(Py_ssize_t one, Py_ssize_t other)
{
    return one > other ? one : other;
}

/* The children as parts, each with the comments above it. */
static bool part_children(const Region *region, const Tree *tree, const Children *children, Parts *parts)
{
    Part part = {-1, -1, NO_NODE};
    Py_ssize_t line = -1, line_end = -1;
    parts->count = 0;
    for (uint32_t each = 0; each < children->count; each++) {
        uint32_t child = children->items[each];
        Py_ssize_t start = tree->nodes[child].start, end = tree->nodes[child].end;
        if (start >= line_end) {
            line = lines_until(region, start, 0, region->lines) - 1;
            line_end = number_at(region->starts, line + 1);
            if (line >= region->high)
                break;
        } else if (end <= line_end && part.after > line)
            continue; /* It lies on a line that a part holds already. */
        Py_ssize_t ends = line + 1;
        if (end > line_end) {
            ends = lines_until(region, end - 1, line, region->lines);
            ends = ends < region->high ? ends : region->high;
        }
        Py_ssize_t top = top_of(region, line);
        if (top < 0)
            return false;
        if (top != line && size_of(region, top, ends) > region->full)
            top = line;
        if (part.node != NO_NODE && top <= part.first) {
            /* Two children on one line, or a comment and what it belongs to: the larger one is cut further. */
            if (ends - larger(part.after, part.first) > part.after - part.first)
                part.node = child;
            part.after = larger(part.after, ends);
            continue;
        }
        if (part.node != NO_NODE && !add_part(parts, part))
            return false;
        part.first = part.node != NO_NODE ? larger(top, region->low) : region->low;
        part.after = ends;
        part.node = child;
    }
    return part.node == NO_NODE || add_part(parts, part);
}

static uint32_t longest(const Tree *tree, const Children *children)
{
    uint32_t best = NO_NODE;
    for (uint32_t each = 0; each < children->count; each++)
        if (best == NO_NODE || length_of(tree, children->items[each]) > length_of(tree, best))
            best = children->items[each];
    return best;
}

/* First line, line after the last, and the node to cut further with its depth; -1 for one that fits and stays whole. */
static PyObject *list_parts(const Region *region, const Parts *parts, int depth)
{
    PyObject *list = PyList_New(parts->count);
    for (uint32_t each = 0; list && each < parts->count; each++) {
        const Part *part = &parts->items[each];
        bool fits = size_of(region, part->first, part->after) <= region->full;
        long long node = fits ? -1 : (long long)part->node;
        PyObject *item = Py_BuildValue("(nnLi)", part->first, part->after, node, depth);
        if (!item) {
            Py_DECREF(list);
            return NULL;
        }
        PyList_SET_ITEM(list, each, item);
    }
    return list;
}

static bool check_numbers(PyObject *list, Py_ssize_t count)
{
    if (PyList_GET_SIZE(list) != count) {
        PyErr_SetString(PyExc_ValueError, "lines need as many sizes as starts");
        return false;
    }
    return true;
}

PyObject *make_parts(const Query *query, const Tree *tree, PyObject *arguments)
{
    Region region;
    unsigned int node;
    int depth;
    if (!PyArg_ParseTuple(arguments, "IinnO!O!O!n", &node, &depth, &region.low, &region.high, &PyList_Type,
                          &region.starts, &PyList_Type, &region.sums, &PyDict_Type, &region.tops, &region.full))
        return NULL;
    region.lines = PyList_GET_SIZE(region.starts) - 1;
    if (!check_numbers(region.sums, region.lines + 1))
        return NULL;
    if (node >= tree->count || region.low < 0 || region.low > region.high || region.high > region.lines ||
        number_at(region.starts, region.lines) < (Py_ssize_t)tree->nodes[0].end || number_at(region.starts, 0) != 0) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "there is no such node, or there are no such lines");
        return NULL;
    }
    Children children = {0};
    Parts parts = {0};
    PyObject *made = NULL;
    uint32_t cut = node;
    bool ok = true;
    while (ok && !made && cut != NO_NODE && depth < DEEPEST) {
        ok = list_children(query, tree, cut, region.full, &children);
        depth++;
        ok = ok && part_children(&region, tree, &children, &parts);
        if (ok && parts.count > 1) {
            made = list_parts(&region, &parts, depth);
            ok = made != NULL;
        } else if (ok)
            cut = longest(tree, &children);
    }
    PyMem_RawFree(children.items);
    PyMem_RawFree(parts.items);
    if (PyErr_Occurred())
        Py_CLEAR(made);
    else if (!made)
        made = PyList_New(0);
    return made;
}
