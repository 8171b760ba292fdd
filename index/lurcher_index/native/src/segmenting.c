/* Where a document is cut: the twin of `segment` in chunking/segments.py, of the cuts in plain.py and of the borders in
 * pieces.py. */
#include "cutting.h"

#include <string.h>

/* A region of lines that is cut further, or done if it is not to be split. */
typedef struct {
    Py_ssize_t low;
    Py_ssize_t high;
    Source source;
    bool split;
} Task;

typedef struct {
    Task *items;
    uint32_t count;
    uint32_t room;
} Tasks;

typedef struct {
    Py_ssize_t low;
    Py_ssize_t high;
} Piece;

typedef struct {
    const Query *query; /* And the tree: NULL for a text without syntax. */
    const Tree *tree;
    Layout layout;
    Tasks tasks; /* A stack. */
    Parts parts;
    Piece *pieces;
    uint32_t piece_count;
    uint32_t piece_room;
} Cutting;

static const Source nobody = {NOBODY, NO_NODE, 0};

static bool push(Cutting *cutting, Py_ssize_t low, Py_ssize_t high, Source source, bool split)
{
    Tasks *tasks = &cutting->tasks;
    if (!grow((void **)&tasks->items, &tasks->room, tasks->count, sizeof(Task)))
        return false;
    tasks->items[tasks->count++] = (Task){low, high, source, split};
    return true;
}

/* Parts that stay together, unless what closes them is so long that it has to be cut off. */
static bool push_packed(Cutting *cutting, Py_ssize_t low, Py_ssize_t high)
{
    return push(cutting, low, high, nobody, size_between(&cutting->layout, low, high) > cutting->layout.most);
}

static bool is_blank(const Layout *layout, Py_ssize_t line)
{
    return layout->sums.items[line] == layout->sums.items[line + 1];
}

/* What the last part was cut to begins here. */
static bool next_part(Parts *parts, Py_ssize_t first, Cutter deeper)
{
    if (parts->count)
        parts->items[parts->count - 1].after = first;
    return add_part(parts, (Part){first, first, {deeper, NO_NODE, 0}});
}

/* One part for each paragraph. */
static bool cut_paragraphs(const Layout *layout, Py_ssize_t low, Py_ssize_t high, Parts *parts)
{
    bool ok = next_part(parts, low, INDENTS);
    for (Py_ssize_t line = low + 1; ok && line < high; line++)
        if (is_blank(layout, line - 1) && !is_blank(layout, line))
            ok = next_part(parts, line, INDENTS);
    if (ok)
        parts->items[parts->count - 1].after = high;
    return ok;
}

static Py_ssize_t indent_of(const Layout *layout, Py_ssize_t line)
{
    Py_ssize_t start = layout->starts.items[line], end = layout->starts.items[line + 1], at = start;
    while (at < end && (layout->data[at] == ' ' || layout->data[at] == '\t' || layout->data[at] == '\v' ||
                        layout->data[at] == '\f'))
        at++;
    return at - start;
}

/* One part for each line of the smallest indentation; none if all are indented alike, where a count is as good. */
static bool cut_indents(const Layout *layout, Py_ssize_t low, Py_ssize_t high, Parts *parts)
{
    Py_ssize_t least = PY_SSIZE_T_MAX, indented = 0;
    for (Py_ssize_t line = low + 1; line < high; line++) {
        if (is_blank(layout, line))
            continue;
        Py_ssize_t indent = indent_of(layout, line);
        least = indent < least ? indent : least;
        indented++;
    }
    bool ok = next_part(parts, low, INDENTS);
    for (Py_ssize_t line = low + 1; ok && line < high; line++)
        if (!is_blank(layout, line) && indent_of(layout, line) == least)
            ok = next_part(parts, line, INDENTS);
    if (!ok)
        return false;
    parts->items[parts->count - 1].after = high;
    if ((Py_ssize_t)parts->count == indented + 1)
        parts->count = 0;
    return true;
}

static bool cut(Cutting *cutting, const Task *task)
{
    Parts *parts = &cutting->parts;
    parts->count = 0;
    switch (task->source.cutter) {
    case NODES:
        return cut_node(cutting->query, cutting->tree, &cutting->layout, task->source, task->low, task->high, parts);
    case PARAGRAPHS:
        return cut_paragraphs(&cutting->layout, task->low, task->high, parts);
    case INDENTS:
        return cut_indents(&cutting->layout, task->low, task->high, parts);
    default:
        return true;
    }
}

/* The last resort: as many whole lines as fit, at least one. */
static bool count_lines(Cutting *cutting, const Task *task)
{
    const Numbers *sums = &cutting->layout.sums;
    bool ok = true;
    for (Py_ssize_t low = task->low; ok && low < task->high;) {
        Py_ssize_t most = sums->items[low] + cutting->layout.full;
        Py_ssize_t high = bisect_right(sums, most, low + 1, task->high + 1) - 1;
        high = high > low ? high : low + 1;
        ok = push(cutting, low, high, nobody, false);
        low = high;
    }
    return ok;
}

/* The parts, packed; those that are still too large are to be cut again. */
static bool pack(Cutting *cutting, const Task *task)
{
    const Layout *layout = &cutting->layout;
    const Parts *parts = &cutting->parts;
    Py_ssize_t low = task->low;
    bool ok = true;
    for (uint32_t each = 0; ok && each < parts->count; each++) {
        const Part *part = &parts->items[each];
        Py_ssize_t end = each + 1 < parts->count ? parts->items[each + 1].first : task->high;
        Py_ssize_t held = size_between(layout, low, part->first);
        if (size_between(layout, part->first, part->after) > layout->full) {
            /* A tiny beginning stays with it, unless that would be the same region over again, for ever. */
            bool again = low == task->low && end == task->high && task->source.cutter == INDENTS;
            if (held > layout->tiny || again) {
                ok = push_packed(cutting, low, part->first);
                low = part->first;
            }
            ok = ok && push(cutting, low, end, part->source, true);
            low = end;
        } else if (held &&
                   size_between(layout, low, part->after) > (held <= layout->tiny ? layout->most : layout->full)) {
            ok = push_packed(cutting, low, part->first);
            low = part->first;
        }
    }
    return ok && (low >= task->high || push_packed(cutting, low, task->high));
}

/* What was pushed last becomes what is taken last. */
static void turn_round(Tasks *tasks, uint32_t from)
{
    for (uint32_t low = from, high = tasks->count; low + 1 < high; low++, high--) {
        Task task = tasks->items[low];
        tasks->items[low] = tasks->items[high - 1];
        tasks->items[high - 1] = task;
    }
}

/* Accept a region as a piece, or as the end of the one before if it is tiny. */
static bool settle(Cutting *cutting, const Task *task)
{
    const Layout *layout = &cutting->layout;
    if (cutting->piece_count && size_between(layout, task->low, task->high) <= layout->tiny) {
        Piece *last = &cutting->pieces[cutting->piece_count - 1];
        if (size_between(layout, last->low, task->high) <= layout->most) {
            last->high = task->high;
            return true;
        }
    }
    if (!grow((void **)&cutting->pieces, &cutting->piece_room, cutting->piece_count, sizeof(Piece)))
        return false;
    cutting->pieces[cutting->piece_count++] = (Piece){task->low, task->high};
    return true;
}

static bool segment(Cutting *cutting)
{
    Source whole = {cutting->tree ? NODES : PARAGRAPHS, cutting->tree ? 0 : NO_NODE, 0};
    bool ok = push(cutting, 0, cutting->layout.lines, whole, true);
    while (ok && cutting->tasks.count) {
        Task task = cutting->tasks.items[--cutting->tasks.count];
        Py_ssize_t size = size_between(&cutting->layout, task.low, task.high);
        if (!size)
            continue;
        if (size <= cutting->layout.full || !task.split || task.high - task.low == 1) {
            ok = settle(cutting, &task);
            continue;
        }
        uint32_t from = cutting->tasks.count;
        ok = cut(cutting, &task);
        const Parts *parts = &cutting->parts;
        bool is_cut = parts->count > 1 || (parts->count && parts->items[0].source.cutter != NOBODY);
        ok = ok && (is_cut ? pack(cutting, &task) : count_lines(cutting, &task));
        turn_round(&cutting->tasks, from);
    }
    return ok;
}

static bool is_inside_character(unsigned char byte) { return (byte & 0xC0) == 0x80; }

/* The last border between characters up to `stop`, or the first one after `start` if a character is that large. */
static Py_ssize_t border(const Layout *layout, Py_ssize_t start, Py_ssize_t stop)
{
    Py_ssize_t end = layout->starts.items[layout->lines];
    while (stop > start && is_inside_character(layout->data[stop]))
        stop--;
    while (stop == start || (stop < end && is_inside_character(layout->data[stop])))
        stop++;
    return stop;
}

static bool is_all_blank(const Layout *layout, Py_ssize_t start, Py_ssize_t end)
{
    for (; start < end; start++)
        if (layout->data[start] != ' ' && (layout->data[start] < '\t' || layout->data[start] > '\r'))
            return false;
    return true;
}

static int append_range(PyObject *list, Py_ssize_t first, Py_ssize_t last, Py_ssize_t start, Py_ssize_t end)
{
    PyObject *range = Py_BuildValue("(nnnn)", first, last, start, end);
    int status = range ? PyList_Append(list, range) : -1;
    Py_XDECREF(range);
    return status;
}

/* Parts of one long line, between characters, and between words where there are any. */
static int split_line(const Layout *layout, PyObject *list, Py_ssize_t line, Py_ssize_t start, Py_ssize_t end)
{
    while (end - start > layout->full) {
        Py_ssize_t stop = border(layout, start, start + layout->full), least = start + layout->full / 2;
        for (Py_ssize_t at = stop; at > least; at--)
            if (layout->data[at - 1] && strchr(" \t,;)}]>", layout->data[at - 1])) {
                stop = at;
                break;
            }
        if (!is_all_blank(layout, start, stop) && append_range(list, line + 1, line + 1, start, stop) < 0)
            return -1;
        start = stop;
    }
    return is_all_blank(layout, start, end) ? 0 : append_range(list, line + 1, line + 1, start, end);
}

/* A piece without the blank lines around it: its lines, counted from 1, and its bytes. */
static int append_piece(const Layout *layout, PyObject *list, Piece piece)
{
    while (is_blank(layout, piece.low))
        piece.low++;
    while (is_blank(layout, piece.high - 1))
        piece.high--;
    Py_ssize_t start = layout->starts.items[piece.low], end = layout->starts.items[piece.high];
    while (end > start && (layout->data[end - 1] == '\n' || layout->data[end - 1] == '\r'))
        end--;
    if (piece.high - piece.low == 1 && size_between(layout, piece.low, piece.high) > layout->most)
        return split_line(layout, list, piece.low, start, end);
    return append_range(list, piece.low + 1, piece.high, start, end);
}

static bool ascend(const Numbers *numbers)
{
    for (Py_ssize_t at = 1; at < numbers->count; at++)
        if (numbers->items[at] < numbers->items[at - 1])
            return false;
    return true;
}

/* What is asked for must lie within the text, whoever asks. */
static bool is_sound(const Cutting *cutting, Py_ssize_t bytes)
{
    const Layout *layout = &cutting->layout;
    if (layout->full > 0 && layout->starts.count > 0 && layout->starts.count == layout->sums.count &&
        layout->starts.items[0] == 0 && layout->starts.items[layout->lines] == bytes && ascend(&layout->starts) &&
        ascend(&layout->sums) && (!cutting->tree || (Py_ssize_t)cutting->tree->nodes[0].end <= bytes))
        return true;
    PyErr_SetString(PyExc_ValueError, "these are not the lines of the text");
    return false;
}

PyObject *make_ranges(const Query *query, const Tree *tree, PyObject *arguments)
{
    Cutting cutting = {.query = query, .tree = tree};
    Layout *layout = &cutting.layout;
    PyObject *data, *starts, *sums, *list = NULL;
    if (!PyArg_ParseTuple(arguments, "SO!O!O!nnn", &data, &PyList_Type, &starts, &PyList_Type, &sums, &PyDict_Type,
                          &layout->tops, &layout->full, &layout->tiny, &layout->most))
        return NULL;
    layout->data = (const unsigned char *)PyBytes_AS_STRING(data);
    if (numbers_of(starts, &layout->starts) == 0 && numbers_of(sums, &layout->sums) == 0) {
        layout->lines = layout->starts.count - 1;
        if (is_sound(&cutting, PyBytes_GET_SIZE(data)) && segment(&cutting))
            list = PyList_New(0);
    }
    for (uint32_t each = 0; list && each < cutting.piece_count; each++)
        if (append_piece(layout, list, cutting.pieces[each]) < 0)
            Py_CLEAR(list);
    free_numbers(&layout->starts);
    free_numbers(&layout->sums);
    PyMem_RawFree(cutting.tasks.items);
    PyMem_RawFree(cutting.parts.items);
    PyMem_RawFree(cutting.pieces);
    return list;
}

static PyObject *ranges_of_lines(PyObject *module, PyObject *arguments)
{
    (void)module;
    return make_ranges(NULL, NULL, arguments);
}

static PyMethodDef functions[] = {
    {"ranges", ranges_of_lines, METH_VARARGS, "See `Syntax.ranges`, for a text without syntax."},
    {NULL, NULL, 0, NULL},
};

int add_segmenting(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
