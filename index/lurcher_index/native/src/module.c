/* The module lurcher_index.native._compiled: hot loops of indexing, each with its Python twin beside it. */
#include "parts.h"

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_compiled", "Hot loops of indexing.", -1, NULL, NULL, NULL, NULL, NULL,
};

static int (*const adders[])(PyObject *module) = {
    add_recall,  add_terms,   add_lines,  add_edges,      add_hints,  add_keys,    add_attach,  add_doing,
    add_nesting, add_symbols, add_syntax, add_segmenting, add_naming, add_needles, add_pooling,
};

PyMODINIT_FUNC PyInit__compiled(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (!module)
        return NULL;
    int status = PyModule_AddIntConstant(module, "EDITION", EDITION);
    for (size_t at = 0; status == 0 && at < sizeof adders / sizeof *adders; at++)
        status = adders[at](module);
    if (status < 0)
        Py_CLEAR(module);
    return module;
}
