/* Memory for one parse at a time: taken from large blocks, given back all at once.
 *
 * A parse asks for memory some ten times for each node, and a tree is given back node by node. Both were a sixth of the
 * time. Here, what is given back during a parse is kept in lists by size, and what is left at the end is forgotten. */
#include "arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES (1u << 20)
#define STEP 16u                /* Sizes are rounded up to steps, which is what any type may be aligned to. */
#define LISTED_STEPS 64u        /* Larger pieces have lists by powers of two. */
#define KEPT_BLOCKS 32u         /* Blocks that are kept for the next parse; a file of 1 MB takes about as many. */

typedef struct Block {
    struct Block *next;
    size_t size;
} Block;

/* Before every piece: which list it goes to, and how many bytes it has. */
typedef struct {
    uint64_t list;
    uint64_t size;
} Head;

static Arena *current;

void use_arena(Arena *arena)
{
    current = arena;
}

static char *block_begin(Block *block)
{
    return (char *)block + (sizeof(Block) + STEP - 1) / STEP * STEP;
}

static Block *take_block(Arena *arena, size_t least)
{
    size_t room = least > BLOCK_BYTES ? least : BLOCK_BYTES;
    Block *block = arena->spare;
    if (block && room == BLOCK_BYTES) {
        arena->spare = block->next;
        arena->spare_count--;
    } else {
        block = malloc(room + 2 * STEP + sizeof(Block));
        if (!block)
            return NULL;
        block->size = room;
    }
    block->next = arena->used;
    arena->used = block;
    arena->at = block_begin(block);
    arena->end = arena->at + room;
    return block;
}

/* The list that pieces of a size go to; the size becomes that of all pieces in it. */
static unsigned list_of(size_t *size)
{
    size_t steps = (*size + STEP - 1) / STEP;
    if (steps < LISTED_STEPS) {
        *size = (steps ? steps : 1) * STEP;
        return (unsigned)(steps ? steps : 1);
    }
    unsigned power = 0;
    size_t room = LISTED_STEPS * STEP;
    while (room < *size && power < ARENA_LISTS - LISTED_STEPS - 1) {
        room *= 2;
        power++;
    }
    if (room > *size)
        *size = room;
    return LISTED_STEPS + power;
}

/* The parser writes to what it gets without a look, so it must never get NULL; its own allocator ends like this. */
static void *checked(void *piece, size_t size)
{
    if (!piece && size) {
        fprintf(stderr, "tree-sitter failed to allocate %zu bytes\n", size);
        abort();
    }
    return piece;
}

static void *take(size_t size)
{
    Arena *arena = current;
    if (!arena)
        return checked(malloc(size), size);
    if (size > SIZE_MAX / 4)
        return checked(NULL, size);
    unsigned list = list_of(&size);
    void *piece = arena->lists[list];
    if (piece) {
        memcpy(&arena->lists[list], piece, sizeof(void *));
        return piece;
    }
    size_t whole = size + sizeof(Head);
    if ((size_t)(arena->end - arena->at) < whole)
        checked(take_block(arena, whole), whole);
    Head head = {list, size};
    memcpy(arena->at, &head, sizeof(head));
    piece = arena->at + sizeof(Head);
    arena->at += whole;
    return piece;
}

static Head head_of(void *piece)
{
    Head head;
    memcpy(&head, (char *)piece - sizeof(Head), sizeof(head));
    return head;
}

static void give_back(void *piece)
{
    Arena *arena = current;
    if (!arena || !piece) {
        free(piece);
        return;
    }
    Head head = head_of(piece);
    memcpy(piece, &arena->lists[head.list], sizeof(void *));
    arena->lists[head.list] = piece;
}

static void *take_zeros(size_t count, size_t size)
{
    if (!current)
        return checked(calloc(count, size), count && size);
    if (size && count > SIZE_MAX / 4 / size)
        return checked(NULL, SIZE_MAX);
    return memset(take(count * size), 0, count * size);
}

static void *resize(void *piece, size_t size)
{
    if (!current)
        return checked(realloc(piece, size), size);
    if (!piece)
        return take(size);
    Head head = head_of(piece);
    if (size <= head.size)
        return piece;
    void *larger = take(size);
    memcpy(larger, piece, head.size);
    give_back(piece);
    return larger;
}

void forget_all(Arena *arena)
{
    while (arena->used) {
        Block *block = arena->used;
        arena->used = block->next;
        if (block->size == BLOCK_BYTES && arena->spare_count < KEPT_BLOCKS) {
            block->next = arena->spare;
            arena->spare = block;
            arena->spare_count++;
        } else
            free(block);
    }
    arena->at = arena->end = NULL;
    memset(arena->lists, 0, sizeof(arena->lists));
}

void free_arena(Arena *arena)
{
    forget_all(arena);
    while (arena->spare) {
        Block *block = arena->spare;
        arena->spare = block->next;
        free(block);
    }
}

void set_allocator(AllocatorSetter *set)
{
    set(take, take_zeros, resize, give_back);
}
