/* Patterns as Python hands them over become steps with the numbers of a grammar. */
#include "syntax.h"

#include <string.h>

#define MOST_STEPS 1000 /* Of one reading; a search goes one call deeper with each. */

static bool make_array(void **items, Py_ssize_t count, size_t item_size)
{
    if (count > UINT16_MAX) {
        *items = NULL;
        PyErr_SetString(PyExc_ValueError, "a pattern has too many parts");
        return false;
    }
    *items = PyMem_RawCalloc((size_t)(count ? count : 1), item_size);
    if (!*items)
        PyErr_NoMemory();
    return *items != NULL;
}

/* The number of a kind of node; an error for one that the grammar does not have, or that stands for several. */
static bool symbol_of(const TSLanguage *language, PyObject *name, bool named, uint16_t *symbol)
{
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(name, &length);
    if (!text)
        return false;
    *symbol = ts_language_symbol_for_name(language, text, (uint32_t)length, named);
    if (!*symbol || ts_language_symbol_type(language, *symbol) == TSSymbolTypeSupertype) {
        PyErr_Format(PyExc_ValueError, "this grammar has no kind of node called %R", name);
        return false;
    }
    return true;
}

static bool field_of(const TSLanguage *language, PyObject *name, uint16_t *field)
{
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(name, &length);
    if (!text)
        return false;
    *field = length ? ts_language_field_id_for_name(language, text, (uint32_t)length) : 0;
    if (length && !*field) {
        PyErr_Format(PyExc_ValueError, "this grammar has no field called %R", name);
        return false;
    }
    return true;
}

static bool read_symbols(const TSLanguage *language, PyObject *kinds, Step *step)
{
    Py_ssize_t count = PyTuple_Size(kinds);
    uint16_t *symbols;
    if (count < 0 || !make_array((void **)&symbols, count, sizeof(uint16_t)))
        return false;
    step->symbols = symbols;
    step->symbol_count = (uint16_t)count;
    for (Py_ssize_t each = 0; each < count; each++) {
        PyObject *name;
        int named;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(kinds, each), "Up", &name, &named) ||
            !symbol_of(language, name, named, &symbols[each]))
            return false;
    }
    return true;
}

static bool read_absent(const TSLanguage *language, PyObject *names, Step *step)
{
    Py_ssize_t count = PyTuple_Size(names);
    uint16_t *absent;
    if (count < 0 || !make_array((void **)&absent, count, sizeof(uint16_t)))
        return false;
    step->absent = absent;
    step->absent_count = (uint16_t)count;
    for (Py_ssize_t each = 0; each < count; each++)
        if (!field_of(language, PyTuple_GET_ITEM(names, each), &absent[each]))
            return false;
    return true;
}

static bool read_step(const TSLanguage *language, PyObject *given, Step *step)
{
    PyObject *kinds, *field, *absent;
    int depth, slots, immediate, last, many, telling;
    if (!PyArg_ParseTuple(given, "iO!UO!ipppp", &depth, &PyTuple_Type, &kinds, &field, &PyTuple_Type, &absent, &slots,
                          &immediate, &last, &many, &telling))
        return false;
    if (depth < 0 || depth >= MOST_DEPTH || slots < 0 || slots >= 1 << SLOTS) {
        PyErr_SetString(PyExc_ValueError, "a pattern is too deep, or captures too much");
        return false;
    }
    step->depth = (uint8_t)depth;
    step->slots = (uint16_t)slots;
    step->immediate = immediate;
    step->last = last;
    step->many = many;
    step->telling = telling;
    return field_of(language, field, &step->field) && read_symbols(language, kinds, step) &&
           read_absent(language, absent, step);
}

static bool read_steps(const TSLanguage *language, PyObject *given, Reading *reading)
{
    Py_ssize_t count = PyTuple_Size(given);
    if (count > MOST_STEPS) {
        PyErr_SetString(PyExc_ValueError, "a pattern has too many parts");
        return false;
    }
    if (count < 0 || !make_array((void **)&reading->steps, count, sizeof(Step)))
        return false;
    reading->step_count = (uint16_t)count;
    for (Py_ssize_t each = 0; each < count; each++)
        if (!read_step(language, PyTuple_GET_ITEM(given, each), &reading->steps[each]))
            return false;
    unsigned filled = 0;
    /* A search follows the nodes from the root down and from left to right. */
    for (Py_ssize_t each = 0; each < count; each++) {
        int deepest = each ? reading->steps[each - 1].depth + 1 : 0;
        if (reading->steps[each].depth > deepest || (each > 0) != (reading->steps[each].depth > 0)) {
            PyErr_SetString(PyExc_ValueError, "the steps of a pattern make no tree");
            return false;
        }
        filled |= reading->steps[each].many ? 0u : reading->steps[each].slots;
    }
    if (!count || !reading->steps[0].symbol_count) {
        PyErr_SetString(PyExc_ValueError, "a pattern has to begin with a kind of node");
        return false;
    }
    if (!(filled & 1u << SLOT_ROLE)) {
        PyErr_SetString(PyExc_ValueError, "a pattern has to capture its role, whichever way it is read");
        return false;
    }
    return true;
}

static bool read_condition(PyObject *given, Condition *condition)
{
    int slot, negated;
    PyObject *texts, *search;
    if (!PyArg_ParseTuple(given, "ipOO", &slot, &negated, &texts, &search))
        return false;
    if (slot < 0 || slot >= SLOTS) {
        PyErr_SetString(PyExc_ValueError, "a condition asks for something that is not captured");
        return false;
    }
    condition->slot = (uint8_t)slot;
    condition->negated = negated;
    if (search != Py_None) {
        condition->search = Py_NewRef(search);
        return true;
    }
    condition->texts = PySequence_Tuple(texts);
    if (!condition->texts)
        return false;
    for (Py_ssize_t each = 0; each < PyTuple_GET_SIZE(condition->texts); each++)
        if (!PyBytes_Check(PyTuple_GET_ITEM(condition->texts, each))) {
            PyErr_SetString(PyExc_TypeError, "a condition compares with bytes");
            return false;
        }
    return true;
}

static bool read_conditions(PyObject *given, Pattern *pattern)
{
    Py_ssize_t count = PyTuple_Size(given);
    if (count < 0 || !make_array((void **)&pattern->conditions, count, sizeof(Condition)))
        return false;
    pattern->condition_count = (uint16_t)count;
    for (Py_ssize_t each = 0; each < count; each++)
        if (!read_condition(PyTuple_GET_ITEM(given, each), &pattern->conditions[each]))
            return false;
    return true;
}

static bool read_pattern(const TSLanguage *language, PyObject *given, uint16_t number, Query *query)
{
    Pattern *pattern = &query->patterns[number];
    PyObject *detail, *readings, *conditions;
    int meaning, list, joins;
    if (!PyArg_ParseTuple(given, "iiOpO!O!", &meaning, &list, &detail, &joins, &PyTuple_Type, &readings, &PyTuple_Type,
                          &conditions))
        return false;
    pattern->meaning = (uint8_t)meaning;
    pattern->list = (uint8_t)list;
    pattern->detail = Py_NewRef(detail);
    pattern->joins = joins;
    pattern->several = PyTuple_GET_SIZE(readings) > 1;
    for (Py_ssize_t each = 0; each < PyTuple_GET_SIZE(readings); each++) {
        Reading *reading = &query->readings[query->reading_count++];
        reading->pattern = number;
        if (!read_steps(language, PyTuple_GET_ITEM(readings, each), reading))
            return false;
    }
    return read_conditions(conditions, pattern);
}

/* For each symbol the readings that it can be the root of, in the order of the patterns. */
static bool sort_by_symbol(const TSLanguage *language, Query *query)
{
    query->symbol_count = ts_language_symbol_count(language);
    if (!make_array((void **)&query->by_symbol, query->symbol_count, sizeof(uint16_t *)))
        return false;
    for (uint32_t symbol = 0; symbol < query->symbol_count; symbol++) {
        uint16_t count = 0;
        for (int round = 0; round < 2; round++) {
            uint16_t kept = 0;
            for (uint16_t each = 0; each < query->reading_count; each++) {
                const Step *root = &query->readings[each].steps[0];
                for (uint16_t kind = 0; kind < root->symbol_count; kind++)
                    if (root->symbols[kind] == symbol) {
                        if (round)
                            query->by_symbol[symbol][kept] = each;
                        kept++;
                        break;
                    }
            }
            count = kept;
            if (!count)
                break;
            if (!round && !make_array((void **)&query->by_symbol[symbol], count + 1, sizeof(uint16_t)))
                return false;
        }
        if (count)
            query->by_symbol[symbol][count] = NO_READING;
    }
    return true;
}

static Py_ssize_t count_readings(PyObject *patterns)
{
    Py_ssize_t count = 0;
    for (Py_ssize_t each = 0; each < PyTuple_GET_SIZE(patterns); each++) {
        PyObject *pattern = PyTuple_GET_ITEM(patterns, each);
        if (!PyTuple_Check(pattern) || PyTuple_GET_SIZE(pattern) != 6 || !PyTuple_Check(PyTuple_GET_ITEM(pattern, 4))) {
            PyErr_SetString(PyExc_TypeError, "a pattern is a tuple of six");
            return -1;
        }
        count += PyTuple_GET_SIZE(PyTuple_GET_ITEM(pattern, 4));
    }
    return count;
}

int build_query(const TSLanguage *language, PyObject *patterns, Query *query)
{
    Py_ssize_t readings = count_readings(patterns);
    if (readings < 0)
        return -1;
    if (readings >= NO_READING || PyTuple_GET_SIZE(patterns) >= NO_READING) {
        PyErr_SetString(PyExc_ValueError, "there are too many patterns");
        return -1;
    }
    if (!make_array((void **)&query->patterns, PyTuple_GET_SIZE(patterns), sizeof(Pattern)) ||
        !make_array((void **)&query->readings, readings, sizeof(Reading)))
        return -1;
    query->pattern_count = (uint16_t)PyTuple_GET_SIZE(patterns);
    for (uint16_t each = 0; each < query->pattern_count; each++)
        if (!read_pattern(language, PyTuple_GET_ITEM(patterns, each), each, query))
            return -1;
    query->body_field = ts_language_field_id_for_name(language, "body", 4);
    return sort_by_symbol(language, query) ? 0 : -1;
}

void free_query(Query *query)
{
    for (uint16_t each = 0; query->patterns && each < query->pattern_count; each++) {
        Pattern *pattern = &query->patterns[each];
        Py_XDECREF(pattern->detail);
        for (uint16_t condition = 0; pattern->conditions && condition < pattern->condition_count; condition++) {
            Py_XDECREF(pattern->conditions[condition].texts);
            Py_XDECREF(pattern->conditions[condition].search);
        }
        PyMem_RawFree(pattern->conditions);
    }
    for (uint16_t each = 0; query->readings && each < query->reading_count; each++) {
        Reading *reading = &query->readings[each];
        for (uint16_t step = 0; reading->steps && step < reading->step_count; step++) {
            PyMem_RawFree((void *)reading->steps[step].symbols);
            PyMem_RawFree((void *)reading->steps[step].absent);
        }
        PyMem_RawFree(reading->steps);
    }
    for (uint32_t symbol = 0; query->by_symbol && symbol < query->symbol_count; symbol++)
        PyMem_RawFree(query->by_symbol[symbol]);
    PyMem_RawFree(query->patterns);
    PyMem_RawFree(query->readings);
    PyMem_RawFree(query->by_symbol);
    memset(query, 0, sizeof(*query));
}
