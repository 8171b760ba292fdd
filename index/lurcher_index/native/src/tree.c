/* From text to an array of nodes. tree-sitter's core is compiled here and not beside it, so that its tree can be read as
 * it is: by the steps of its cursor this took a tenth to a third as long as the parse. compile.py says which version. */
#include "stepping.h"

#include "syntax.h"

#define MOST_SPARE_NODES (1u << 18) /* 5 MB; the tree of a file of 1 MB. */

#define TABLE_BYTES_PER_TEXT_BYTE 16
/* TypeScript: 4.5 MB are unpacked in 3 ms, and save 30 ms in each MB of text. */

bool grow(void **items, uint32_t *room, uint32_t count, size_t item_size)
{
    if (count < *room)
        return true;
    uint32_t more = *room < 64 ? 64 : *room + *room / 2;
    /* Behind the largest number comes a small one; NO_NODE stays free. */
    bool fits = more > *room && more < NO_NODE && more <= PY_SSIZE_T_MAX / item_size;
    void *larger = fits ? PyMem_RawRealloc(*items, (size_t)more * item_size) : NULL;
    if (!larger) {
        PyErr_NoMemory();
        return false;
    }
    *items = larger;
    *room = more;
    return true;
}

void free_tree(Tree *tree)
{
    PyMem_RawFree(tree->nodes);
    tree->nodes = NULL;
    tree->count = tree->room = 0;
}

/* The children of one node of the parser's own tree, while they are gone through. That tree has more nodes than one
 * sees: hidden ones stand for parts of a rule, and their children count as those of the node around them. */
typedef struct {
    const Subtree *children;
    uint32_t count;
    uint32_t next;
    uint32_t rule_index; /* Of the next child in its rule, which does not know of comments and their like. */
    uint32_t at;         /* Where the next child begins with the blanks before it. */
    const TSSymbol *aliases;
    const TSFieldMapEntry *fields;
    const TSFieldMapEntry *fields_end;
    uint16_t field;  /* That a hidden node is in, and so its children where they are in none themselves. */
    uint32_t number; /* Of the node in our array, NO_NODE for a hidden one. */
} Level;

/* Writes to where the level stays: a value that is made elsewhere and copied is read before it is written, and the processor
   waits for that longer than for all else here. */
static void begin_level(Level *level, const TSLanguage *language, Subtree subtree, uint32_t at, uint32_t number,
                        uint16_t field)
{
    level->count = ts_subtree_child_count(subtree);
    level->next = 0;
    level->rule_index = 0;
    level->at = at;
    level->field = field;
    level->number = number;
    if (level->count) {
        uint32_t rule = subtree.ptr->production_id;
        level->children = ts_subtree_children(subtree);
        level->aliases = ts_language_alias_sequence(language, rule);
        ts_language_field_map(language, rule, &level->fields, &level->fields_end);
    }
}

static uint16_t field_in(const Level *level, uint32_t rule_index)
{
    for (const TSFieldMapEntry *each = level->fields; each < level->fields_end; each++)
        if (!each->inherited && each->child_index == rule_index)
            return each->field_id;
    return level->field;
}

static bool append_node(Tree *tree, const TSLanguage *language, Subtree subtree, TSSymbol alias, uint32_t at,
                        uint16_t field)
{
    if (!grow((void **)&tree->nodes, &tree->room, tree->count, sizeof(Node)))
        return false;
    TSSymbol symbol = alias ? alias : ts_subtree_symbol(subtree);
    uint32_t start = at + ts_subtree_padding(subtree).bytes;
    tree->nodes[tree->count++] = (Node){
        .start = start,
        .end = start + ts_subtree_size(subtree).bytes,
        .size = 1,
        .symbol = ts_language_public_symbol(language, symbol),
        .field = field,
        .named = alias ? ts_language_symbol_metadata(language, alias).named : ts_subtree_named(subtree),
    };
    return true;
}

/* No more than a hint: what is no address does no harm. */
static void fetch_soon(const void *address)
{
#ifdef __GNUC__
    __builtin_prefetch(address);
#else
    (void)address;
#endif
}

/* One more node of the tree with what is below it; the levels above it are kept by us, not by calls, because a sum of
 * ten thousand numbers is ten thousand levels deep. */
static bool flatten(const TSLanguage *language, Subtree root, Tree *tree)
{
    Level *levels = NULL;
    uint32_t depth = 0, room = 0;
    bool ok = append_node(tree, language, root, 0, 0, 0) && grow((void **)&levels, &room, depth, sizeof(Level));
    if (ok)
        begin_level(&levels[depth++], language, root, 0, 0, 0);
    while (ok && depth) {
        Level *level = &levels[depth - 1];
        if (level->next == level->count) {
            if (level->number != NO_NODE)
                tree->nodes[level->number].size = tree->count - level->number;
            depth--;
            continue;
        }
        Subtree child = level->children[level->next++];
        /* A tree is larger than what the processor keeps at hand: the next one is fetched while this one is gone through. What
           lies behind the last child is its parent. */
        fetch_soon(level->children[level->next].ptr);
        uint32_t at = level->at;
        level->at += ts_subtree_total_bytes(child);
        TSSymbol alias = 0;
        uint16_t field = 0;
        if (!ts_subtree_extra(child)) {
            alias = level->aliases ? level->aliases[level->rule_index] : 0;
            field = field_in(level, level->rule_index++);
        }
        bool is_seen = alias || ts_subtree_visible(child);
        if (is_seen)
            ok = append_node(tree, language, child, alias, at, field);
        if (ok && ts_subtree_visible_child_count(child)) {
            uint32_t number = is_seen ? tree->count - 1 : NO_NODE;
            ok = grow((void **)&levels, &room, depth, sizeof(Level));
            if (ok)
                begin_level(&levels[depth++], language, child, at, number, is_seen ? 0 : field);
        }
    }
    PyMem_RawFree(levels);
    return ok;
}

void reset_parser(Parser *parser)
{
    if (parser->parser) {
        use_arena(&parser->arena);
        ts_parser_delete(parser->parser);
        parser->parser = NULL;
        use_arena(NULL);
    }
    forget_all(&parser->arena);
}

void free_parser(Parser *parser)
{
    reset_parser(parser);
    free_arena(&parser->arena);
    free_tables(parser->unpacked);
    free_tree(&parser->spare);
}

void spare_tree(Parser *parser, Tree *tree)
{
    if (parser->spare.nodes || tree->room > MOST_SPARE_NODES) {
        free_tree(tree);
        return;
    }
    parser->spare = *tree;
    parser->spare.count = 0;
    *tree = (Tree){0};
}

/* To unpack a table takes as long as it saves in reading some text, so a language that is met once keeps its lists. */
static const TSLanguage *language_for(Parser *parser, uint32_t length)
{
    parser->bytes_read += length;
    if (!parser->unpacked && parser->bytes_read > unpacked_bytes(parser->language) / TABLE_BYTES_PER_TEXT_BYTE)
        parser->unpacked = unpack_tables(parser->language);
    return parser->unpacked ? parser->unpacked : parser->language;
}

/* A parser for each text: what one keeps between two texts would not outlive the arena. */
static bool begin_parse(Parser *parser, uint32_t length)
{
    if (parser->parser)
        return true;
    parser->parser = new_parser(language_for(parser, length));
    if (parser->parser)
        return true;
    PyErr_SetString(PyExc_ValueError, "the grammar was made for another version of tree-sitter");
    return false;
}

int read_tree(Parser *parser, const char *text, uint32_t length, uint64_t microseconds, Tree *tree)
{
    *tree = parser->spare;
    parser->spare = (Tree){0};
    use_arena(&parser->arena);
    int outcome = -1;
    if (begin_parse(parser, length)) {
        Subtree root = parse_text(parser->parser, text, length, microseconds);
        if (root.ptr)
            outcome = flatten(parser->language, root, tree) ? 1 : -1;
        else if (ts_stack_version_count(parser->parser->stack))
            outcome = 0;
        else
            /* The core takes it that this never happens; what is left could not be gone on with. */
            PyErr_SetString(PyExc_RuntimeError, "the parser ended without a tree");
    }
    use_arena(NULL);
    if (outcome)
        reset_parser(parser);
    return outcome;
}

uint32_t child_in_field(const Tree *tree, uint32_t node, uint16_t field)
{
    const Node *nodes = tree->nodes;
    uint32_t end = node + nodes[node].size;
    for (uint32_t child = node + 1; child < end; child += nodes[child].size)
        if (nodes[child].field == field)
            return child;
    return NO_NODE;
}
