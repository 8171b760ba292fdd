"""A certificate of our own making, as a test needs one that nobody vouches for."""

import ssl
import subprocess
from pathlib import Path

import pytest

HOSTS = ("code.example.com", "api.github.com")


class Certificate:
    """For 127.0.0.1 and some hosts."""

    def __init__(self, folder: Path) -> None:
        self._key = folder / "own.key"
        self._certificate = folder / "own.crt"
        names = ",".join(["IP:127.0.0.1", *(f"DNS:{host}" for host in HOSTS)])
        command = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2", "-subj", "/CN=127.0.0.1", "-addext", f"subjectAltName={names}", "-keyout", str(self._key), "-out",
            str(self._certificate),
        ]  # fmt: skip
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=60)
        except (OSError, subprocess.CalledProcessError):
            pytest.skip("there is no openssl that can make a certificate")

    def server_side(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self._certificate, self._key)
        return context

    def trusting(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self._certificate))
