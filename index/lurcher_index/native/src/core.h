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

/* What a parent knows of its children, summed up beside it: in its own memory each sum would be written and read again for
   every child. Errors, which cost by rules of their own, are left to the core. */
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
    Subtree first = all[0], last = all[children->size - 1];
    TSSymbolMetadata metadata = ts_language_symbol_metadata(language, symbol);
    const TSSymbol *aliases = ts_language_alias_sequence(language, production);
    Length padding = ts_subtree_padding(first), size = ts_subtree_size(first);
    uint32_t looked_at = 0, cost = 0, seen = 0, named = 0, below = 0, index = 0;
    int32_t precedence = 0;
    bool by_column = false, changes_scanner = false, is_external = false, has_error = false;
    for (uint32_t at = 0; at < children->size; at++) {
        Subtree child = all[at];
        /* The core adds a child up behind this, and so does not see its rows yet, but for the first one's. */
        by_column = by_column || (ts_subtree_depends_on_column(child) && !(at && size.extent.row));
        changes_scanner = changes_scanner || ts_subtree_has_external_scanner_state_change(child);
        if (at)
            size = length_add(size, ts_subtree_total_size(child));
        uint32_t end = padding.bytes + size.bytes + ts_subtree_lookahead_bytes(child);
        looked_at = end > looked_at ? end : looked_at;
        if (ts_subtree_symbol(child) != ts_builtin_sym_error_repeat)
            cost += ts_subtree_error_cost(child);
        precedence += ts_subtree_dynamic_precedence(child);
        below += ts_subtree_visible_descendant_count(child);
        bool is_extra = ts_subtree_extra(child);
        TSSymbol alias = aliases && !is_extra && ts_subtree_symbol(child) ? aliases[index] : 0;
        if (alias) {
            below++, seen++;
            named += ts_language_symbol_metadata(language, alias).named;
        } else if (ts_subtree_visible(child)) {
            below++, seen++;
            named += ts_subtree_named(child);
        } else if (ts_subtree_child_count(child)) {
            seen += child.ptr->visible_child_count;
            named += child.ptr->named_child_count;
        }
        is_external = is_external || ts_subtree_has_external_tokens(child);
        has_error = has_error || ts_subtree_is_error(child);
        index += !is_extra;
    }
    uint32_t depth = 0;
    if (children->size > 1 && !metadata.visible && !metadata.named && ts_subtree_symbol(first) == symbol) {
        uint32_t one = ts_subtree_repeat_depth(first), other = ts_subtree_repeat_depth(last);
        depth = (one > other ? one : other) + 1;
    }
    SubtreeHeapData *parent = (SubtreeHeapData *)(void *)&children->contents[children->size];
    *parent = (SubtreeHeapData){
        .ref_count = 1,
        .padding = padding,
        .size = size,
        .lookahead_bytes = looked_at - size.bytes - padding.bytes,
        .error_cost = cost,
        .child_count = children->size,
        .symbol = symbol,
        .parse_state = has_error ? TS_TREE_STATE_NONE : 0,
        .visible = metadata.visible,
        .named = metadata.named,
        .fragile_left = has_error || ts_subtree_fragile_left(first),
        .fragile_right = has_error || ts_subtree_fragile_right(last),
        .has_external_tokens = is_external,
        .has_external_scanner_state_change = changes_scanner,
        .depends_on_column = by_column,
        .visible_child_count = seen,
        .named_child_count = named,
        .visible_descendant_count = below,
        .dynamic_precedence = precedence,
        .repeat_depth = (uint16_t)depth,
        .production_id = (uint16_t)production,
        .first_leaf = {ts_subtree_leaf_symbol(first), ts_subtree_leaf_parse_state(first)},
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

/* Lets each version of the stack take one step: past the next token, or past those that take no place. False if the time
   is up. */
static bool take_step(TSParser *parser, uint32_t *position)
{
    for (StackVersion version = 0; version < ts_stack_version_count(parser->stack); version++) {
        while (ts_stack_is_active(parser->stack, version)) {
            if (!ts_parser__advance(parser, version, false))
                return false;
            uint32_t now = ts_stack_position(parser->stack, version).bytes;
            if (now > *position || (version > 0 && now == *position)) {
                *position = now;
                break;
            }
        }
    }
    return true;
}

/* The tree of a text, or nothing if the time is up; then the next call goes on. The core's own function also goes on with
   the trees of earlier texts, and balances long lists for the next one, which is of no use here. The tree is the caller's,
   who forgets it with all else of this parse. */
static Subtree parse_text(TSParser *parser, const char *text, uint32_t length, uint64_t microseconds)
{
    TSStringInput string = {text, length};
    ts_lexer_set_input(&parser->lexer, (TSInput){&string, ts_string_input_read, TSInputEncodingUTF8, NULL});
    parser->operation_count = 0;
    parser->end_clock = clock_after(clock_now(), duration_from_micros(microseconds));
    if (!ts_parser_has_outstanding_parse(parser))
        ts_parser__external_scanner_create(parser);
    uint32_t position = 0;
    do {
        if (!take_step(parser, &position))
            return NULL_SUBTREE;
        unsigned least_cost = ts_parser__condense_stack(parser);
        if (parser->finished_tree.ptr && ts_subtree_error_cost(parser->finished_tree) < least_cost)
            break;
    } while (ts_stack_version_count(parser->stack));
    Subtree root = parser->finished_tree;
    parser->finished_tree = NULL_SUBTREE;
    return root;
}

#endif
