"""Parts of `benchmarks/remote.py`: engines, the wire, checkouts, copies of a repository, questions."""
