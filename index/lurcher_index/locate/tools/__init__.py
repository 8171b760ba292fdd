"""Tools that find places, one file each, behind the one small interface in `interface`."""
