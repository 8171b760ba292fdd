"""How often `locate` finds the file that a bug-fix changed.

The issues are patches of a Linux distribution: each has a description that a person wrote, and says which lines of
which files mend it. `mining` makes a folder of them, `asking` asks, `__main__` prints the table.
"""
