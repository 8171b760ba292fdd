"""Those who can be asked: a shared index of our own, and the code searches that others run."""
