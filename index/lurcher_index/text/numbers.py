"""Numbers in sentences."""


def counted(number: int, thing: str) -> str:
    """A number of things, which end in -s if there are several."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
