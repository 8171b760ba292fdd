/* The parser's way through a text, token by token: what the core does for every one of them, for texts that are there as a whole and
 * trees that nobody goes on with. Gives the same trees as the core's own functions, which are called for whatever is not the usual case. */
#ifndef LURCHER_STEPPING_H
#define LURCHER_STEPPING_H

#include "core.h"

/* What an entry of the table says, if that is to reduce and nothing else; the core never does shifts that are repetitions. */
static const TSParseAction *only_reduction(const TableEntry *entry)
{
    const TSParseAction *found = NULL;
    for (uint32_t at = 0; at < entry->action_count; at++) {
        const TSParseAction *action = &entry->actions[at];
        if (action->type == TSParseActionTypeReduce && !found)
            found = action;
        else if (action->type != TSParseActionTypeShift || !action->shift.repetition)
            return NULL;
    }
    return found;
}

/* How many subtrees lie on the stack until `count` of them are none that may stand anywhere, if nobody else knows the nodes that
   they lie in; NULL if somebody does. `found` becomes their number, the result is the node below them. */
static StackNode *own_way_back(StackNode *node, uint32_t count, uint32_t *found)
{
    for (*found = 0; count; node = node->links[0].node) {
        if (node->ref_count != 1 || node->link_count != 1 || !node->links[0].subtree.ptr)
            return NULL;
        ++*found;
        count -= !ts_subtree_extra(node->links[0].subtree);
    }
    return node;
}

/* The subtrees down to a node, taken from the stack: they and the nodes change hands, and nothing has to be counted. */
static SubtreeArray take_subtrees(Stack *stack, StackHead *head, StackNode *below, uint32_t count)
{
    SubtreeArray subtrees = array_new();
    if (count)
        array_reserve(&subtrees, (uint32_t)(ts_subtree_alloc_size(count) / sizeof(Subtree)));
    subtrees.size = count;
    for (StackNode *node = head->node, *next; node != below; node = next) {
        next = node->links[0].node;
        subtrees.contents[--count] = node->links[0].subtree;
        if (stack->node_pool.size < MAX_NODE_POOL_SIZE)
            array_push(&stack->node_pool, node);
        else
            ts_free(node);
    }
    head->node = below;
    return subtrees;
}

/* Reduces where there is one version of the stack and one thing to do. The core makes a second version, counts all that it shares
   with the first one, and then puts it in its place. False if nothing was done. */
static bool reduce_in_place(TSParser *parser, const TSParseAction *action, bool ends_extra)
{
    Stack *stack = parser->stack;
    StackHead *head = array_get(&stack->heads, 0);
    uint32_t count;
    StackNode *below = own_way_back(head->node, action->reduce.child_count, &count);
    if (!below)
        return false;
    SubtreeArray children = take_subtrees(stack, head, below, count);
    if (count && ts_subtree_extra(children.contents[count - 1]))
        ts_subtree_array_remove_trailing_extras(&children, &parser->trailing_extras);
    else
        array_clear(&parser->trailing_extras);
    TSSymbol symbol = action->reduce.symbol;
    MutableSubtree parent = ts_subtree_new_node(symbol, &children, action->reduce.production_id, parser->language);
    TSStateId state = ts_language_next_state(parser->language, below->state, symbol);
    if (ends_extra && state == below->state)
        parent.ptr->extra = true;
    parent.ptr->dynamic_precedence += action->reduce.dynamic_precedence;
    ts_stack_push(stack, 0, ts_subtree_from_mut(parent), false, state);
    for (uint32_t at = 0; at < parser->trailing_extras.size; at++)
        ts_stack_push(stack, 0, parser->trailing_extras.contents[at], false, state);
    return true;
}

/* One version of the stack on its way past a token. */
typedef struct {
    StackVersion version;
    TSStateId state;
    uint32_t position;
    Subtree external; /* The last token of the grammar's own scanner, which the stack holds. */
    Subtree token;    /* None at the end of what may stand anywhere. */
    TableEntry entry;
} Advance;

static void look_up(TSParser *parser, Advance *at)
{
    TSSymbol symbol = at->token.ptr ? ts_subtree_symbol(at->token) : ts_builtin_sym_end;
    ts_language_table_entry(parser->language, at->state, symbol, &at->entry);
}

/* The next token and what it means here; false if the grammar's scanner failed. */
static bool next_token(TSParser *parser, Advance *at)
{
    at->token = ts_parser__lex(parser, at->version, at->state);
    if (parser->has_scanner_error)
        return false;
    if (at->token.ptr)
        ts_parser__set_cached_token(parser, at->position, at->external, at->token);
    look_up(parser, at);
    return true;
}

typedef enum { PAST, REDUCED, MERGED, STUCK } Outcome;

/* Does what the table says, in whatever order it says it. */
static Outcome act(TSParser *parser, Advance *at)
{
    StackVersion reduced = STACK_VERSION_NONE;
    bool did_reduce = false;
    for (uint32_t each = 0; each < at->entry.action_count; each++) {
        TSParseAction action = at->entry.actions[each];
        if (action.type == TSParseActionTypeShift) {
            if (action.shift.repetition)
                continue;
            ts_parser__shift(parser, at->version, action.shift.extra ? at->state : action.shift.state, at->token,
                             action.shift.extra);
            return PAST;
        }
        if (action.type == TSParseActionTypeAccept) {
            ts_parser__accept(parser, at->version, at->token);
            return PAST;
        }
        if (action.type == TSParseActionTypeRecover) {
            ts_parser__recover(parser, at->version, at->token);
            return PAST;
        }
        StackVersion made = ts_parser__reduce(parser, at->version, action.reduce.symbol, action.reduce.child_count,
                                              action.reduce.dynamic_precedence, action.reduce.production_id,
                                              at->entry.action_count > 1, !at->token.ptr);
        did_reduce = true;
        if (made != STACK_VERSION_NONE)
            reduced = made;
    }
    if (reduced == STACK_VERSION_NONE)
        return did_reduce ? MERGED : STUCK;
    ts_stack_renumber_version(parser->stack, reduced, at->version);
    return REDUCED;
}

/* A keyword that cannot stand here may be a name; false if it is none, or if no name can stand here either. */
static bool take_keyword_for_name(TSParser *parser, Advance *at)
{
    if (!at->token.ptr || !ts_subtree_is_keyword(at->token))
        return false;
    TSSymbol name = parser->language->keyword_capture_token, symbol = ts_subtree_symbol(at->token);
    if (symbol == name || ts_language_is_reserved_word(parser->language, at->state, symbol))
        return false;
    ts_language_table_entry(parser->language, at->state, name, &at->entry);
    if (!at->entry.action_count)
        return false;
    MutableSubtree token = ts_subtree_make_mut(&parser->tree_pool, at->token);
    ts_subtree_set_symbol(&token, name, parser->language);
    at->token = ts_subtree_from_mut(token);
    return true;
}

/* Takes one version of the stack past the next token. False if the time is up. What the core's own function does with the nodes of
   an older tree is left out: there is none. */
static bool advance_version(TSParser *parser, StackVersion version)
{
    Stack *stack = parser->stack;
    Advance at = {
        .version = version,
        .state = ts_stack_state(stack, version),
        .position = ts_stack_position(stack, version).bytes,
        .external = ts_stack_last_external_token(stack, version),
    };
    at.token = ts_parser__get_cached_token(parser, at.state, at.position, at.external, &at.entry);
    bool has_token = at.token.ptr;
    for (;;) {
        if (!has_token && !next_token(parser, &at))
            return false;
        if (!ts_parser__check_progress(parser, &at.token, &at.position, 1))
            return false;
        const TSParseAction *only = ts_stack_version_count(stack) == 1 ? only_reduction(&at.entry) : NULL;
        Outcome outcome = REDUCED;
        if (!only || !reduce_in_place(parser, only, !at.token.ptr))
            outcome = act(parser, &at);
        if (outcome == REDUCED) {
            at.state = ts_stack_state(stack, version);
            /* Behind what may stand anywhere comes another token. */
            has_token = at.token.ptr;
            if (has_token)
                look_up(parser, &at);
            continue;
        }
        if (outcome == MERGED) {
            if (at.token.ptr)
                ts_subtree_release(&parser->tree_pool, at.token);
            ts_stack_halt(stack, version);
        }
        if (outcome != STUCK)
            return true;
        has_token = true;
        if (!take_keyword_for_name(parser, &at)) {
            ts_stack_pause(stack, version, at.token);
            return true;
        }
    }
}

/* Lets each version of the stack take one step: past the next token, or past those that take no place. False if the time
   is up. */
static bool take_step(TSParser *parser, uint32_t *position)
{
    for (StackVersion version = 0; version < ts_stack_version_count(parser->stack); version++) {
        while (ts_stack_is_active(parser->stack, version)) {
            if (!advance_version(parser, version))
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
        /* Nothing is to be compared with the only version, nor to be taken up again. What else happens when versions are
           compared is that fewer nodes than at the last error are noted. */
        if (ts_stack_version_count(parser->stack) == 1 && ts_stack_is_active(parser->stack, 0) &&
            !parser->finished_tree.ptr) {
            (void)ts_stack_node_count_since_error(parser->stack, 0);
            continue;
        }
        unsigned least_cost = ts_parser__condense_stack(parser);
        if (parser->finished_tree.ptr && ts_subtree_error_cost(parser->finished_tree) < least_cost)
            break;
    } while (ts_stack_version_count(parser->stack));
    Subtree root = parser->finished_tree;
    parser->finished_tree = NULL_SUBTREE;
    return root;
}

#endif
