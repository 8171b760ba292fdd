"""From an issue to the places it is about: what to look for, with which tools, and where it was found."""
