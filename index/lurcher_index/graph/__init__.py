"""The call graph: who calls, inherits and imports what, resolved beyond the bare name."""
