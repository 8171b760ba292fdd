/* A syntax tree as an array of nodes, and the patterns that are looked for in it. */
#ifndef LURCHER_SYNTAX_H
#define LURCHER_SYNTAX_H

#include "arena.h"
#include "parts.h"

#include <stdbool.h>
#include <stdint.h>
#include <tree_sitter/api.h>

/* A node of a tree. Nodes stand in the order in which a reader meets them, so the first child of one is the next in the
 * array, and its next sibling stands `size` further on. */
typedef struct {
    uint32_t start;
    uint32_t end;
    uint32_t size; /* Nodes of its subtree, itself included. */
    uint16_t symbol;
    uint16_t field; /* The field of its parent that it is in, or 0. */
    bool named;
} Node;

typedef struct {
    Node *nodes;
    uint32_t count;
    uint32_t room;
} Tree;

/* Reads texts of one language. Nothing of a parse outlives it: its memory is forgotten as a whole. */
typedef struct {
    const TSLanguage *language;
    TSLanguage *unpacked; /* The same with quicker tables; NULL until enough was read for them to pay. */
    uint64_t bytes_read;
    TSParser *parser; /* NULL unless a parse was stopped by the clock. */
    Arena arena;
    Tree spare; /* Room for the next tree: taken anew for each, it would be cleared by the system each time. */
} Parser;

/* Parse a text and keep its tree as an array. 1: done; 0: the time was over, and the same call goes on with it; -1: an
 * exception is set. The text has to be shorter than 2 GiB. */
int read_tree(Parser *parser, const char *text, uint32_t length, uint64_t microseconds, Tree *tree);
void free_tree(Tree *tree);

/* Give the room of a tree back, to the next one if it is not too large. */
void spare_tree(Parser *parser, Tree *tree);

/* Forget a parse that was stopped. */
void reset_parser(Parser *parser);
void free_parser(Parser *parser);

/* Bytes that the tables of a grammar would take, 0 if they cannot be unpacked. */
size_t unpacked_bytes(const TSLanguage *language);

/* A grammar whose actions are quicker to look up, or NULL without the memory; it needs the first one to live. */
TSLanguage *unpack_tables(const TSLanguage *language);
void free_tables(TSLanguage *unpacked);

/* Which part of a match a node is. A match has at most one node of each. */
enum {
    SLOT_ROLE, /* What the pattern is for: a definition, the name of what is called, a comment … */
    SLOT_NAME,
    SLOT_BODY,
    SLOT_VALUE,
    SLOT_OWNER,
    SLOT_QUALIFIER,
    SLOT_TYPE,
    SLOT_MADE,
    SLOT_SAME,
    SLOT_ASKED, /* What conditions look at; up to four nodes. */
    SLOTS = SLOT_ASKED + 4,
};

#define NO_NODE UINT32_MAX
#define MOST_DEPTH 16 /* Levels of a pattern; the deepest of ours has eight. */

/* One node that a pattern wants, at its depth below the pattern's root. */
typedef struct {
    const uint16_t *symbols; /* Any of these; every named node if there are none. */
    uint16_t symbol_count;
    uint16_t field;
    const uint16_t *absent; /* Fields that the node must not have. */
    uint16_t absent_count;
    uint16_t slots; /* A bit for each slot that it fills. */
    uint8_t depth;
    bool immediate; /* No named node may stand between it and the one before. */
    bool last;      /* No named node may follow it in its parent. */
    bool many;      /* Any number of them, each right after the one before. */
    bool telling;   /* It or a node below it fills a slot: each way to match is a match of its own. */
} Step;

/* A text that a slot must have, one of some, or an expression of Python's that must be found in it, or must not. */
typedef struct {
    uint8_t slot;
    bool negated;
    PyObject *texts;  /* A tuple of bytes, or NULL. */
    PyObject *search; /* The method `search` of an expression, or NULL. */
} Condition;

/* A pattern in one of its readings: those with choices inside have several. */
typedef struct {
    Step *steps;
    uint16_t step_count;
    uint16_t pattern;
} Reading;

/* What becomes of a match. */
enum { MEANS_RANGE, MEANS_EDGE, MEANS_HINT, MEANS_DEFINITION };

typedef struct {
    uint8_t meaning;
    uint8_t list;     /* Of ranges: which of the lists they go to. */
    PyObject *detail; /* The kind of an edge, or that of a definition, or None. */
    bool joins;
    bool several; /* More than one reading: a match that says less than another one is left out. */
    Condition *conditions;
    uint16_t condition_count;
} Pattern;

typedef struct {
    Pattern *patterns;
    uint16_t pattern_count;
    Reading *readings;
    uint16_t reading_count;
    uint16_t **by_symbol; /* For each symbol the readings whose root it can be, ended by NO_READING. */
    uint32_t symbol_count;
    uint16_t body_field;
} Query;

#define NO_READING UINT16_MAX

typedef struct {
    uint16_t pattern;
    uint32_t nodes[SLOTS];
} Match;

typedef struct {
    Match *matches;
    uint32_t count;
    uint32_t room;
} Matches;

/* 0, or -1 with an exception set: MemoryError, ValueError for what no query of ours says, what `search` raised. */
int build_query(const TSLanguage *language, PyObject *patterns, Query *query);
void free_query(Query *query);

/* All matches in the order of their roots. 1: done; 0: it would take too long; -1: an exception is set. */
int match_tree(const Query *query, const Tree *tree, const char *text, Matches *found);

/* The matches sorted by what they mean: a tuple of lists, see `Reader.find`. */
PyObject *make_findings(const Query *query, const Tree *tree, const Matches *found, PyObject *definition_type);

/* The first child of a node in a field, or NO_NODE. */
uint32_t child_in_field(const Tree *tree, uint32_t node, uint16_t field);

/* Make room for one more item of an array; false with MemoryError set. */
bool grow(void **items, uint32_t *room, uint32_t count, size_t item_size);

/* Where a text is cut: a list of first and last line, start and end of each chunk. See `segment` in chunking/segments.py. */
PyObject *make_ranges(const Query *query, const Tree *tree, PyObject *arguments);

#endif
