/* Looks for patterns in a tree: every way in which the steps of a pattern can be found below a node is a match. */
#include "syntax.h"

#include <string.h>

#define SYMBOL_ERROR UINT16_MAX /* What could not be parsed. A step for any node does not mean it. */

#define LOOKS_PER_NODE 400
#define LOOKS_AT_LEAST 40000000
/* Looks at nodes until a search is given up: hundreds of times what real files take, a second or two at most. Two
 * thousand names in one declaration are still found. */

#define LOOKS_PER_MATCH 200
/* As so many looks a match counts, which takes memory: `let a: A, b: B, …` in Swift has a match for each two of its
 * names and types. So there are at most two for each node, and 200,000; real files have less than one. */

#define COMPARED 64 /* Matches of one pattern at one root that a new one is compared with. */

typedef struct {
    const Query *query;
    const Tree *tree;
    const char *text;
    Matches *found;
    const Reading *reading;
    uint32_t first_here; /* The first match of this pattern at this root. */
    uint32_t next[MOST_DEPTH];   /* At each depth the child that is looked at next, … */
    uint32_t beyond[MOST_DEPTH]; /* … and the first node that is no child any more. */
    uint32_t at[MOST_DEPTH];     /* The node that was found at each depth. */
    uint32_t slots[SLOTS];
    uint64_t looks;
    uint64_t most_looks;
    bool over; /* It ends here: it took too long, or an exception is set. */
} Search;

static bool has_symbol(const Step *step, const Node *node)
{
    if (!step->symbol_count)
        return node->named && node->symbol != SYMBOL_ERROR;
    for (uint16_t each = 0; each < step->symbol_count; each++)
        if (step->symbols[each] == node->symbol)
            return true;
    return false;
}

static bool named_node_follows(const Tree *tree, uint32_t node, uint32_t beyond)
{
    for (uint32_t next = node + tree->nodes[node].size; next < beyond; next += tree->nodes[next].size)
        if (tree->nodes[next].named)
            return true;
    return false;
}

static bool fits(const Search *search, const Step *step, uint32_t node)
{
    const Node *looked_at = &search->tree->nodes[node];
    if ((step->field && step->field != looked_at->field) || !has_symbol(step, looked_at))
        return false;
    for (uint16_t each = 0; each < step->absent_count; each++)
        if (child_in_field(search->tree, node, step->absent[each]) != NO_NODE)
            return false;
    return true;
}

/* Whether a text is one of some. */
static bool is_among(PyObject *texts, const char *text, Py_ssize_t length)
{
    for (Py_ssize_t each = 0; each < PyTuple_GET_SIZE(texts); each++) {
        PyObject *wanted = PyTuple_GET_ITEM(texts, each);
        if (PyBytes_GET_SIZE(wanted) == length && !memcmp(PyBytes_AS_STRING(wanted), text, (size_t)length))
            return true;
    }
    return false;
}

static int is_met(const Search *search, const Condition *condition)
{
    uint32_t asked = search->slots[condition->slot];
    if (asked == NO_NODE)
        return 1;
    const Node *node = &search->tree->nodes[asked];
    const char *text = search->text + node->start;
    Py_ssize_t length = (Py_ssize_t)(node->end - node->start);
    if (condition->texts)
        return is_among(condition->texts, text, length) != condition->negated;
    PyObject *decoded = PyUnicode_DecodeUTF8(text, length, "replace");
    PyObject *hit = decoded ? PyObject_CallOneArg(condition->search, decoded) : NULL;
    Py_XDECREF(decoded);
    if (!hit)
        return -1;
    bool is_found = hit != Py_None;
    Py_DECREF(hit);
    return is_found != condition->negated;
}

/* Whether every slot that one match fills is filled the same way by another. */
static bool says_no_more(const uint32_t *less, const uint32_t *more)
{
    for (int slot = 0; slot < SLOTS; slot++)
        if (less[slot] != NO_NODE && less[slot] != more[slot])
            return false;
    return true;
}

/* Keep what was found, unless a match of another reading says the same or more. */
static bool keep_match(Search *search)
{
    const Pattern *pattern = &search->query->patterns[search->reading->pattern];
    for (uint16_t each = 0; each < pattern->condition_count; each++) {
        int met = is_met(search, &pattern->conditions[each]);
        if (met <= 0)
            return met == 0;
    }
    Matches *found = search->found;
    if (pattern->several) {
        uint32_t first = search->first_here;
        if (found->count - first > COMPARED)
            first = found->count - COMPARED;
        for (uint32_t each = first; each < found->count; each++) {
            if (says_no_more(search->slots, found->matches[each].nodes))
                return true;
            if (says_no_more(found->matches[each].nodes, search->slots)) {
                memcpy(found->matches[each].nodes, search->slots, sizeof(search->slots));
                return true;
            }
        }
    }
    if (!grow((void **)&found->matches, &found->room, found->count, sizeof(Match)))
        return false;
    Match *match = &found->matches[found->count++];
    match->pattern = search->reading->pattern;
    search->looks += LOOKS_PER_MATCH;
    memcpy(match->nodes, search->slots, sizeof(search->slots));
    return true;
}

static void fill_slots(Search *search, const Step *step, uint32_t node)
{
    for (int slot = 0, left = step->slots; left; slot++, left >>= 1)
        if (left & 1)
            search->slots[slot] = node;
}

/* Count one more look at a node; false if there were too many. */
static bool look(Search *search)
{
    if (++search->looks > search->most_looks)
        search->over = true;
    return !search->over;
}

static bool find_from(Search *search, uint16_t number);

/* Any number of nodes, each right after the one before: what follows is tried after each of them. */
static bool find_many(Search *search, uint16_t number)
{
    const Step *step = &search->reading->steps[number];
    const Node *nodes = search->tree->nodes;
    uint8_t depth = step->depth;
    bool found = false;
    for (;;) {
        found = find_from(search, number + 1) || found;
        uint32_t child = search->next[depth];
        while (child < search->beyond[depth] && !nodes[child].named)
            child += nodes[child].size;
        if (!look(search) || child >= search->beyond[depth] || !fits(search, step, child))
            return found;
        search->next[depth] = child + nodes[child].size;
    }
}

static bool find_one(Search *search, uint16_t number)
{
    const Step *step = &search->reading->steps[number];
    const Node *nodes = search->tree->nodes;
    uint8_t depth = step->depth;
    uint32_t beyond = search->beyond[depth];
    bool found = false;
    for (uint32_t child = search->next[depth]; child < beyond && look(search); child += nodes[child].size) {
        if (fits(search, step, child) && !(step->last && named_node_follows(search->tree, child, beyond))) {
            search->at[depth] = child;
            search->next[depth] = child + nodes[child].size;
            fill_slots(search, step, child);
            found = find_from(search, number + 1) || found;
            fill_slots(search, step, NO_NODE);
            if (found && !step->telling)
                break;
        }
        if (step->immediate && nodes[child].named)
            break;
    }
    return found;
}

/* Find the steps from one on; whether they were found at least once. */
static bool find_from(Search *search, uint16_t number)
{
    if (number == search->reading->step_count) {
        if (!keep_match(search))
            search->over = true;
        return true;
    }
    const Step *step = &search->reading->steps[number];
    uint8_t depth = step->depth;
    uint32_t next = search->next[depth], beyond = search->beyond[depth];
    if (search->reading->steps[number - 1].depth < depth) {
        uint32_t parent = search->at[depth - 1];
        search->next[depth] = parent + 1;
        search->beyond[depth] = parent + search->tree->nodes[parent].size;
    }
    bool found = step->many ? find_many(search, number) : find_one(search, number);
    search->next[depth] = next;
    search->beyond[depth] = beyond;
    return found;
}

static void find_at_root(Search *search, uint32_t root)
{
    const Step *step = &search->reading->steps[0];
    if (!fits(search, step, root))
        return;
    search->at[0] = root;
    fill_slots(search, step, root);
    find_from(search, 1);
    fill_slots(search, step, NO_NODE);
}

int match_tree(const Query *query, const Tree *tree, const char *text, Matches *found)
{
    Search search = {.query = query, .tree = tree, .text = text, .found = found};
    for (int slot = 0; slot < SLOTS; slot++)
        search.slots[slot] = NO_NODE;
    search.most_looks = (uint64_t)tree->count * LOOKS_PER_NODE + LOOKS_AT_LEAST;
    for (uint32_t root = 0; root < tree->count; root++) {
        uint16_t symbol = tree->nodes[root].symbol;
        const uint16_t *readings = symbol < query->symbol_count ? query->by_symbol[symbol] : NULL;
        uint16_t pattern = NO_READING;
        for (; readings && *readings != NO_READING; readings++) {
            search.reading = &query->readings[*readings];
            if (search.reading->pattern != pattern)
                search.first_here = found->count;
            pattern = search.reading->pattern;
            find_at_root(&search, root);
            if (search.over)
                return PyErr_Occurred() ? -1 : 0;
        }
    }
    return 1;
}
