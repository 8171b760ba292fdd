"""A git history as labelled questions: what a commit says, the files it changed, and the tree as it was before."""
