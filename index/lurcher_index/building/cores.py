"""How long somebody was ready to work and had no core: time that nobody may hold against them."""

from pathlib import Path


def seconds_without_core(pid: int) -> float:
    """Seconds for which the first thread of a process had to wait for a core since it began; 0 where nobody tells."""
    try:
        # Linux tells it as the second number, in nanoseconds.
        return int(Path(f"/proc/{pid}/schedstat").read_bytes().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0
