"""The call graph beside what real analysers say: `python -m benchmarks.callgraph --help`.

From the bottom: `packages` fetches real packages, `tools` the analysers, `making` runs one over the other; the scripts
in `makers/` belong to the analysers' environments and import nothing from here. `truth` is what they write, `ours` what
the index says, `comparing` holds both beside each other, `results` is what a run leaves, `tables` shows it.
"""
