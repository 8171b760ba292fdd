/* Grammars keep the actions of most states in short lists, which the parser searches from the beginning for every
 * token: a fifth of all time in TypeScript. Here they become one table with a place for each state and symbol. */
#include "syntax.h"

#include <stddef.h>
#include <string.h>

/* What a grammar is made of, as the generator of parsers writes it down; it comes with tree-sitter's sources. */
#include "parser.h"

#define MOST_TABLE_BYTES (64u << 20) /* Four times the largest of our grammars; others keep their lists. */

/* Grammars for older versions end before the members that came later. */
static size_t known_size(const TSLanguage *language)
{
    return language->abi_version < 15 ? offsetof(TSLanguage, name) : sizeof(TSLanguage);
}

static void unpack_state(const TSLanguage *language, uint32_t state, uint16_t *row)
{
    const uint16_t *data = &language->small_parse_table[language->small_parse_table_map[state]];
    uint16_t groups = *data++;
    for (uint16_t group = 0; group < groups; group++) {
        uint16_t value = *data++, count = *data++;
        for (uint16_t each = 0; each < count; each++, data++)
            if (*data < language->symbol_count && !row[*data])
                row[*data] = value;
    }
}

size_t unpacked_bytes(const TSLanguage *language)
{
    size_t bytes = (size_t)language->symbol_count * language->state_count * sizeof(uint16_t);
    bool is_known = language->abi_version == 14 || language->abi_version == 15;
    return is_known && language->large_state_count < language->state_count && bytes <= MOST_TABLE_BYTES ? bytes : 0;
}

TSLanguage *unpack_tables(const TSLanguage *language)
{
    size_t symbols = language->symbol_count, states = language->state_count, large = language->large_state_count;
    size_t bytes = unpacked_bytes(language);
    if (!bytes)
        return NULL;
    TSLanguage *unpacked = PyMem_RawCalloc(1, sizeof(TSLanguage));
    uint16_t *table = PyMem_RawCalloc(1, bytes);
    if (!unpacked || !table) {
        PyMem_RawFree(unpacked);
        PyMem_RawFree(table);
        return NULL;
    }
    memcpy(unpacked, language, known_size(language));
    memcpy(table, language->parse_table, large * symbols * sizeof(uint16_t));
    for (size_t state = large; state < states; state++)
        unpack_state(language, (uint32_t)(state - large), table + state * symbols);
    unpacked->parse_table = table;
    unpacked->large_state_count = language->state_count;
    return unpacked;
}

void free_tables(TSLanguage *unpacked)
{
    if (unpacked)
        PyMem_RawFree((void *)unpacked->parse_table);
    PyMem_RawFree(unpacked);
}
