"""Which hosts are this machine: only to them may anything be sent that is not encrypted."""

from ipaddress import ip_address


def is_this_machine(host: str) -> bool:
    """Whether a host is this machine, by its name alone: nobody is asked."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
