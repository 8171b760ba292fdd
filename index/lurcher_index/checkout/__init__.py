"""What is checked out in a folder: which repository, which commit, and what differs from it."""
