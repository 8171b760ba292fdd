/* Bytes that grow at their end. */
#ifndef LURCHER_BUFFER_H
#define LURCHER_BUFFER_H

#include "parts.h"

#include <string.h>

typedef struct {
    char *bytes;
    size_t size;
    size_t room;
} Buffer;

/* Makes room for `more` bytes behind those that are there. Returns 0, or -1 with an exception set. */
int buffer_grow(Buffer *buffer, size_t more);

void buffer_free(Buffer *buffer);

static inline int buffer_reserve(Buffer *buffer, size_t more)
{
    return more <= buffer->room - buffer->size ? 0 : buffer_grow(buffer, more);
}

static inline int buffer_append(Buffer *buffer, const void *bytes, size_t size)
{
    if (buffer_reserve(buffer, size) < 0)
        return -1;
    /* With nothing to append there may be no bytes yet, and memcpy must not be given a null pointer. */
    if (size)
        memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
    return 0;
}

#endif
