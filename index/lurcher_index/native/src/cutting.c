/* Where the children of a node that is too large begin: the twin of `Nodes.parts` in chunking/cuts.py. */
#include "cutting.h"

#define DEEPEST 300 /* Levels of syntax that are looked at, as in cuts.py. */

typedef struct {
    uint32_t *items;
    uint32_t count;
    uint32_t room;
} Children;

Py_ssize_t size_between(const Layout *layout, Py_ssize_t low, Py_ssize_t high)
{
    return layout->sums.items[high] - layout->sums.items[low];
}

/* The first line of the comments above a line, or the line itself; -1 with an exception set. */
static Py_ssize_t top_of(const Layout *layout, Py_ssize_t line)
{
    PyObject *key = PyLong_FromSsize_t(line);
    PyObject *top = key ? PyDict_GetItemWithError(layout->tops, key) : NULL;
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

bool add_part(Parts *parts, Part part)
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

/* A part; one that fits is never cut, so nobody has to know how. */
static bool add_child_part(const Layout *layout, Parts *parts, Part part)
{
    if (size_between(layout, part.first, part.after) <= layout->full)
        part.source = (Source){NOBODY, NO_NODE, 0};
    return add_part(parts, part);
}

/* The children as parts, each with the comments above it. */
static bool part_children(const Layout *layout, const Tree *tree, const Children *children, Py_ssize_t low, Py_ssize_t high,
                          uint32_t depth, Parts *parts)
{
    Part part = {-1, -1, {NODES, NO_NODE, depth}};
    Py_ssize_t line = -1, line_end = -1;
    parts->count = 0;
    for (uint32_t each = 0; each < children->count; each++) {
        uint32_t child = children->items[each];
        Py_ssize_t start = tree->nodes[child].start, end = tree->nodes[child].end;
        if (start >= line_end) {
            line = bisect_right(&layout->starts, start, 0, layout->lines) - 1;
            line_end = layout->starts.items[line + 1];
            if (line >= high)
                break;
        } else if (end <= line_end && part.after > line)
            continue; /* It lies on a line that a part holds already. */
        Py_ssize_t ends = line + 1;
        if (end > line_end) {
            ends = bisect_right(&layout->starts, end - 1, line, layout->lines);
            ends = ends < high ? ends : high;
        }
        Py_ssize_t top = top_of(layout, line);
        if (top < 0)
            return false;
        if (top != line && size_between(layout, top, ends) > layout->full)
            top = line;
        if (part.source.node != NO_NODE && top <= part.first) {
            /* Two children on one line, or a comment and what it belongs to: the larger one is cut further. */
            if (ends - larger(part.after, part.first) > part.after - part.first)
                part.source.node = child;
            part.after = larger(part.after, ends);
            continue;
        }
        if (part.source.node != NO_NODE && !add_child_part(layout, parts, part))
            return false;
        part.first = part.source.node != NO_NODE ? larger(top, low) : low;
        part.after = ends;
        part.source.node = child;
    }
    return part.source.node == NO_NODE || add_child_part(layout, parts, part);
}

static uint32_t longest(const Tree *tree, const Children *children)
{
    uint32_t best = NO_NODE;
    for (uint32_t each = 0; each < children->count; each++)
        if (best == NO_NODE || length_of(tree, children->items[each]) > length_of(tree, best))
            best = children->items[each];
    return best;
}

bool cut_node(const Query *query, const Tree *tree, const Layout *layout, Source source, Py_ssize_t low, Py_ssize_t high,
              Parts *parts)
{
    Children children = {0};
    uint32_t node = source.node, depth = source.depth;
    bool ok = true, is_cut = false;
    while (ok && !is_cut && node != NO_NODE && depth < DEEPEST) {
        depth++;
        ok = list_children(query, tree, node, layout->full, &children) &&
             part_children(layout, tree, &children, low, high, depth, parts);
        is_cut = parts->count > 1;
        node = longest(tree, &children);
    }
    PyMem_RawFree(children.items);
    if (ok && !is_cut) {
        parts->count = 0;
        ok = add_part(parts, (Part){low, high, {PARAGRAPHS, NO_NODE, 0}});
    }
    return ok;
}
