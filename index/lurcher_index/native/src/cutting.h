/* Where a document may be cut. */
#ifndef LURCHER_CUTTING_H
#define LURCHER_CUTTING_H

#include "numbers.h"
#include "syntax.h"

/* The lines of a document, counted from 0, and how large chunks of them may be: `Lines`, `Attachments.tops` and `Limits`. Sizes
   are bytes that are not blank. */
typedef struct {
    const unsigned char *data;
    Numbers starts;
    Numbers sums;
    PyObject *tops;
    Py_ssize_t lines;
    Py_ssize_t full;
    Py_ssize_t tiny;
    Py_ssize_t most;
} Layout;

/* Who can cut some lines. */
typedef enum { NOBODY, NODES, PARAGRAPHS, INDENTS } Cutter;

typedef struct {
    Cutter cutter;
    uint32_t node; /* And how deep it lies, of NODES. */
    uint32_t depth;
} Source;

/* One part of a region: its first line, the line after its own end, and who can cut it further. */
typedef struct {
    Py_ssize_t first;
    Py_ssize_t after;
    Source source;
} Part;

typedef struct {
    Part *items;
    uint32_t count;
    uint32_t room;
} Parts;

Py_ssize_t size_between(const Layout *layout, Py_ssize_t low, Py_ssize_t high);
bool add_part(Parts *parts, Part part);

/* The twin of `Nodes.parts` in chunking/cuts.py; false with an exception set. */
bool cut_node(const Query *query, const Tree *tree, const Layout *layout, Source source, Py_ssize_t low, Py_ssize_t high,
              Parts *parts);

#endif
