#include "memo.h"

/* Longer runs are data or sentences without blanks, which hardly come twice. */
#define MOST_RUN_BYTES 255
#define MOST_TERMS_BYTES 4095
#define MOST_KEPT_BYTES ((size_t)32 << 20)
#define FEWEST_SLOTS 1024

/* Half of the slots are empty, so a run that looks in vain that often was made to collide with others: it is not
   remembered, and no text can make a look-up cost more than this. */
#define MOST_STEPS 64

typedef struct {
    uint16_t run_size;
    uint16_t terms_size;
} Entry;

#define MOST_ENTRY_BYTES (sizeof(Entry) + MOST_RUN_BYTES + MOST_TERMS_BYTES + 1)

static uint64_t eight_bytes(const unsigned char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static uint64_t four_bytes(const unsigned char *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static uint64_t mixed(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ (hash >> 32);
}

uint32_t memo_hash(const unsigned char *run, size_t size)
{
    uint64_t hash = size;
    if (size >= 8) {
        for (size_t at = 0; at + 8 < size; at += 8)
            hash = mixed(hash, eight_bytes(run + at));
        hash = mixed(hash, eight_bytes(run + size - 8));
    } else if (size >= 4) {
        hash = mixed(hash, four_bytes(run) << 32 | four_bytes(run + size - 4));
    } else if (size) {
        hash = mixed(hash, (uint64_t)run[0] << 16 | (uint64_t)run[size / 2] << 8 | run[size - 1]);
    }
    return (uint32_t)mixed(hash, 0);
}

static Entry entry_at(const Memo *memo, uint32_t offset)
{
    Entry entry;
    memcpy(&entry, memo->kept.bytes + offset, sizeof entry);
    return entry;
}

const char *memo_find(const Memo *memo, uint32_t hash, const unsigned char *run, size_t size, size_t *terms_size)
{
    if (!memo->slot_count || size > MOST_RUN_BYTES)
        return NULL;
    size_t mask = memo->slot_count - 1;
    for (size_t step = 0; step < MOST_STEPS; step++) {
        Slot slot = memo->slots[(hash + step) & mask];
        if (!slot.entry)
            return NULL;
        if (slot.hash != hash)
            continue;
        Entry entry = entry_at(memo, slot.entry);
        const char *kept = memo->kept.bytes + slot.entry + sizeof entry;
        if (entry.run_size == size && memcmp(kept, run, size) == 0) {
            *terms_size = entry.terms_size;
            return kept + size;
        }
    }
    return NULL;
}

/* The first empty slot for a hash; NULL if there is none near enough. */
static Slot *free_slot(Slot *slots, size_t slot_count, uint32_t hash)
{
    for (size_t step = 0; step < MOST_STEPS; step++) {
        Slot *slot = &slots[(hash + step) & (slot_count - 1)];
        if (!slot->entry)
            return slot;
    }
    return NULL;
}

static int more_slots(Memo *memo)
{
    size_t slot_count = memo->slot_count ? 2 * memo->slot_count : FEWEST_SLOTS;
    Slot *slots = PyMem_Calloc(slot_count, sizeof *slots);
    if (!slots) {
        PyErr_NoMemory();
        return -1;
    }
    size_t count = 0;
    for (size_t at = 0; at < memo->slot_count; at++) {
        Slot *slot = memo->slots[at].entry ? free_slot(slots, slot_count, memo->slots[at].hash) : NULL;
        if (slot) {
            *slot = memo->slots[at];
            count++;
        }
    }
    PyMem_Free(memo->slots);
    memo->slots = slots;
    memo->slot_count = slot_count;
    memo->count = count;
    return 0;
}

static void forget_all(Memo *memo)
{
    if (memo->slots)
        memset(memo->slots, 0, memo->slot_count * sizeof *memo->slots);
    memo->count = 0;
    memo->kept.size = 0;
}

static int append_entry(Buffer *kept, Entry entry, const unsigned char *run, const char *terms)
{
    if (buffer_reserve(kept, sizeof entry + entry.run_size + entry.terms_size) < 0)
        return -1;
    if (buffer_append(kept, &entry, sizeof entry) < 0 || buffer_append(kept, run, entry.run_size) < 0)
        return -1;
    return buffer_append(kept, terms, entry.terms_size);
}

int memo_keep(Memo *memo, uint32_t hash, const unsigned char *run, size_t size, const char *terms, size_t terms_size)
{
    size_t known;
    if (size > MOST_RUN_BYTES || terms_size > MOST_TERMS_BYTES || memo_find(memo, hash, run, size, &known))
        return 0;
    if (memo->count >= memo->most || memo->kept.size > MOST_KEPT_BYTES - MOST_ENTRY_BYTES)
        forget_all(memo);
    if (memo->count >= memo->slot_count / 2 && more_slots(memo) < 0)
        return -1;
    /* Offset 0 says that a slot is empty. */
    if (!memo->kept.size && buffer_append(&memo->kept, "", 1) < 0)
        return -1;
    Slot *slot = free_slot(memo->slots, memo->slot_count, hash);
    if (!slot)
        return 0;
    uint32_t offset = (uint32_t)memo->kept.size;
    if (append_entry(&memo->kept, (Entry){(uint16_t)size, (uint16_t)terms_size}, run, terms) < 0)
        return -1;
    *slot = (Slot){hash, offset};
    memo->count++;
    return 0;
}

void memo_free(Memo *memo)
{
    PyMem_Free(memo->slots);
    buffer_free(&memo->kept);
    memo->slots = NULL;
    memo->slot_count = memo->count = 0;
}
