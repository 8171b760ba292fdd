#include "buffer.h"

#define SMALLEST_ROOM 256

int buffer_grow(Buffer *buffer, size_t more)
{
    /* What Python can hold in one object is the limit, and doubling it once does not overflow a size_t. */
    const size_t most = (size_t)PY_SSIZE_T_MAX;
    if (buffer->size > most || more > most - buffer->size) {
        PyErr_NoMemory();
        return -1;
    }
    size_t needed = buffer->size + more;
    size_t room = buffer->room < SMALLEST_ROOM ? SMALLEST_ROOM : 2 * buffer->room;
    if (room < needed)
        room = needed;
    if (room > most)
        room = most;
    char *bytes = PyMem_Realloc(buffer->bytes, room);
    if (!bytes) {
        PyErr_NoMemory();
        return -1;
    }
    buffer->bytes = bytes;
    buffer->room = room;
    return 0;
}

void buffer_free(Buffer *buffer)
{
    PyMem_Free(buffer->bytes);
    *buffer = (Buffer){0};
}
