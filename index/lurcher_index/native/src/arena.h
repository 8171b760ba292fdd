/* Memory for one parse at a time. */
#ifndef LURCHER_ARENA_H
#define LURCHER_ARENA_H

#include <stddef.h>
#include <stdint.h>

enum { ARENA_LISTS = 64 + 32 };

typedef struct {
    struct Block *used;
    struct Block *spare;
    unsigned spare_count;
    char *at;
    char *end;
    void *lists[ARENA_LISTS];
} Arena;

/* From now on the parser's memory comes from an arena, or from the system again if there is none. What was taken from
 * one must be given back, and used, only while that one is in use. */
void use_arena(Arena *arena);

/* Everything that was taken from it is gone. */
void forget_all(Arena *arena);
void free_arena(Arena *arena);

/* Make a library ask here for its memory. */
typedef void AllocatorSetter(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));
void set_allocator(AllocatorSetter *set);

#endif
