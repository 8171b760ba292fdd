"""Features: what each piece of code is for, in a few words, and the tree of areas that they belong to. Pure."""
