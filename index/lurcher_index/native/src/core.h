/* tree-sitter's core, for one file of ours to include: its own files, with the steps that every token takes made shorter.
 * Whatever is replaced here gives the same trees (tests compare them with those of the binding); compile.py says which
 * version it belongs to. Where something is not the usual case, the core's own function is called. */
#ifndef LURCHER_CORE_H
#define LURCHER_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In place of atomic.h: no tree of ours is seen by two threads, and to lock the memory for each reference that is counted
   takes longer than all else that is done with it. */
#define TREE_SITTER_ATOMIC_H_

static inline size_t atomic_load(const volatile size_t *number) { return *number; }

static inline uint32_t atomic_inc(volatile uint32_t *number) { return ++*number; }

static inline uint32_t atomic_dec(volatile uint32_t *number) { return --*number; }

#define ts_stack_push core_push
#define ts_stack_pop_count core_pop_count
#define ts_subtree_new_node core_new_node
#include "src/alloc.c"
#include "src/get_changed_ranges.c"
#include "src/language.c"
#include "src/lexer.c"
#include "src/node.c"
#include "src/stack.c"
#include "src/subtree.c"
#include "src/tree.c"
#include "src/tree_cursor.c"
#include "src/wasm_store.c"
#undef ts_stack_push
#undef ts_stack_pop_count
#undef ts_subtree_new_node

/* A node of the stack has room for eight ways back, and nearly always one. The core clears all of them each time. */
static void ts_stack_push(Stack *stack, StackVersion version, Subtree subtree, bool is_pending, TSStateId state)
{
    if (!subtree.ptr || !stack->node_pool.size) {
        core_push(stack, version, subtree, is_pending, state);
        return;
    }
    StackHead *head = array_get(&stack->heads, version);
    StackNode *before = head->node, *node = array_pop(&stack->node_pool);
    node->state = state;
    node->ref_count = 1;
    node->link_count = 1;
    node->links[0] = (StackLink){.node = before, .subtree = subtree, .is_pending = is_pending};
    node->position = length_add(before->position, ts_subtree_total_size(subtree));
    node->error_cost = before->error_cost + ts_subtree_error_cost(subtree);
    node->node_count = before->node_count + stack__subtree_node_count(subtree);
    node->dynamic_precedence = before->dynamic_precedence + ts_subtree_dynamic_precedence(subtree);
    head->node = node;
}

/* How many subtrees lie on the stack until `count` of them are none that may stand anywhere, as comments; 0 if there is
   more than one way back, or an error on it. `last` becomes the node below them. */
static uint32_t only_way_back(StackNode *node, uint32_t count, StackNode **last)
{
    uint32_t found = 0;
    while (count) {
        if (node->link_count != 1 || !node->links[0].subtree.ptr)
            return 0;
        found++;
        count -= !ts_subtree_extra(node->links[0].subtree);
        node = node->links[0].node;
    }
    *last = node;
    return found;
}

/* One more version of the stack, that ends at a node. Written to its place member by member: see `begin_level`. */
static StackVersion add_version(Stack *stack, StackVersion original, StackNode *node)
{
    array_reserve(&stack->heads, stack->heads.size + 1);
    StackHead *head = &stack->heads.contents[stack->heads.size];
    const StackHead *from = &stack->heads.contents[original];
    head->node = node;
    head->summary = NULL;
    head->node_count_at_last_error = from->node_count_at_last_error;
    head->last_external_token = from->last_external_token;
    head->lookahead_when_paused = NULL_SUBTREE;
    head->status = StackStatusActive;
    stack_node_retain(node);
    if (head->last_external_token.ptr)
        ts_subtree_retain(head->last_external_token);
    return stack->heads.size++;
}

/* Nearly always there is one way back, and then the subtrees can be written to where they belong at once. */
static StackSliceArray ts_stack_pop_count(Stack *stack, StackVersion version, uint32_t count)
{
    StackNode *node = array_get(&stack->heads, version)->node, *last = NULL;
    uint32_t found = only_way_back(node, count, &last);
    if (!found)
        return core_pop_count(stack, version, count);
    SubtreeArray subtrees = array_new();
    /* With the room that their parent will need behind them, which the core reserves too. */
    array_reserve(&subtrees, (uint32_t)(ts_subtree_alloc_size(found) / sizeof(Subtree)));
    subtrees.size = found;
    for (uint32_t at = found; at--; node = node->links[0].node) {
        subtrees.contents[at] = node->links[0].subtree;
        ts_subtree_retain(node->links[0].subtree);
    }
    array_reserve(&stack->slices, 1);
    stack->slices.contents[0].subtrees = subtrees;
    stack->slices.contents[0].version = add_version(stack, version, last);
    stack->slices.size = 1;
    return stack->slices;
}

/* What is summed up of the children of a node. */
typedef struct {
    Length size;
    uint32_t cost;
    uint32_t seen;
    uint32_t below;
    int32_t precedence;
} Sum;

/* Small leaves are kept in the place of a pointer to them. */
static void add_leaf(Sum *sum, SubtreeInlineData leaf, bool is_first)
{
    if (!is_first) {
        Length padding = {leaf.padding_bytes, {leaf.padding_rows, leaf.padding_columns}};
        Length size = {leaf.size_bytes, {0, leaf.size_bytes}};
        sum->size = length_add(sum->size, length_add(padding, size));
    }
    if (leaf.is_missing)
        sum->cost += ERROR_COST_PER_MISSING_TREE + ERROR_COST_PER_RECOVERY;
}

static void add_subtree(Sum *sum, const SubtreeHeapData *heap, Subtree subtree, bool is_first)
{
    if (!is_first)
        sum->size = length_add(sum->size, length_add(heap->padding, heap->size));
    if (heap->symbol != ts_builtin_sym_error_repeat)
        sum->cost += ts_subtree_error_cost(subtree);
    if (heap->child_count) {
        sum->precedence += heap->dynamic_precedence;
        sum->below += heap->visible_descendant_count;
    }
}

/* What a parent knows of its children, summed up beside it: in its own memory each sum would be written and read again for
   every child. Errors, which cost by rules of their own, are left to the core; and what only a parse that goes on with this tree
   would look at is left out: how far the lexer looked ahead, the first leaf, scanners' states, what is fragile. */
static MutableSubtree ts_subtree_new_node(TSSymbol symbol, SubtreeArray *children, unsigned production,
                                          const TSLanguage *language)
{
    if (symbol == ts_builtin_sym_error || symbol == ts_builtin_sym_error_repeat || !children->size)
        return core_new_node(symbol, children, production, language);
    size_t bytes = ts_subtree_alloc_size(children->size);
    if (children->capacity * sizeof(Subtree) < bytes) {
        children->contents = ts_realloc(children->contents, bytes);
        children->capacity = (uint32_t)(bytes / sizeof(Subtree));
    }
    const Subtree *all = children->contents;
    TSSymbolMetadata metadata = ts_language_symbol_metadata(language, symbol);
    const TSSymbol *aliases = ts_language_alias_sequence(language, production);
    Sum sum = {.size = ts_subtree_size(all[0])};
    uint32_t index = 0;
    for (uint32_t at = 0; at < children->size; at++) {
        Subtree child = all[at];
        const SubtreeHeapData *heap = child.data.is_inline ? NULL : child.ptr;
        if (heap)
            add_subtree(&sum, heap, child, !at);
        else
            add_leaf(&sum, child.data, !at);
        bool is_extra = heap ? heap->extra : child.data.extra, is_seen = heap ? heap->visible : child.data.visible;
        if (!is_extra && aliases)
            is_seen = is_seen || (aliases[index] && ts_subtree_symbol(child));
        index += !is_extra;
        if (is_seen)
            sum.below++, sum.seen++;
        else if (heap && heap->child_count)
            sum.seen += heap->visible_child_count;
    }
    SubtreeHeapData *parent = (SubtreeHeapData *)(void *)&children->contents[children->size];
    *parent = (SubtreeHeapData){
        .ref_count = 1,
        .padding = ts_subtree_padding(all[0]),
        .size = sum.size,
        .error_cost = sum.cost,
        .child_count = children->size,
        .symbol = symbol,
        .visible = metadata.visible,
        .named = metadata.named,
        .visible_child_count = sum.seen,
        .visible_descendant_count = sum.below,
        .dynamic_precedence = sum.precedence,
        .production_id = (uint16_t)production,
    };
    return (MutableSubtree){.ptr = parent};
}

#include "src/parser.c"

/* One step of the lexer in a text that is there as a whole: nearly always from one ASCII character to the next. */
static void advance(TSLexer *given, bool is_blank)
{
    Lexer *lexer = (Lexer *)given;
    uint32_t next = lexer->current_position.bytes + 1 - lexer->chunk_start;
    if (!lexer->chunk || lexer->lookahead_size != 1 || next >= lexer->chunk_size || lexer->chunk[next] & 0x80) {
        ts_lexer__advance(given, is_blank);
        return;
    }
    lexer->current_position.bytes++;
    if (lexer->data.lookahead == '\n') {
        lexer->current_position.extent = (TSPoint){lexer->current_position.extent.row + 1, 0};
        lexer->column_data = (ColumnData){.value = 0, .valid = true};
    } else {
        lexer->current_position.extent.column++;
        lexer->column_data.value += lexer->column_data.valid;
    }
    if (is_blank)
        lexer->token_start_position = lexer->current_position;
    lexer->data.lookahead = lexer->chunk[next];
}

static void mark_end(TSLexer *given)
{
    Lexer *lexer = (Lexer *)given;
    lexer->token_end_position = lexer->current_position;
}

/* A parser for texts that are there as a whole and of one language. */
static TSParser *new_parser(const TSLanguage *language)
{
    TSParser *parser = ts_parser_new();
    if (!ts_parser_set_language(parser, language)) {
        ts_parser_delete(parser);
        return NULL;
    }
    parser->lexer.data.advance = advance;
    parser->lexer.data.mark_end = mark_end;
    return parser;
}

#endif
