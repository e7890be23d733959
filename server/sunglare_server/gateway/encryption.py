"""Encryption of the listening socket, from a certificate and a key in files."""

import ssl
from pathlib import Path
from typing import Final, final

from sunglare_protocol.errors import SunglareError
from sunglare_server.textfiles import KIB, read_file

PEM_BYTES_MOST: Final = 1024 * KIB
"""OWN: the longest file of a certificate or a key that is taken."""


@final
class CertificateError(SunglareError):
    """A certificate or key that cannot be used: the files, and why."""

    def __init__(self, files: str, why: str) -> None:
        """Keep the facts."""
        super().__init__(files, why)
        self.files = files
        self.why = why

    def __str__(self) -> str:
        """Say which files, and what is wrong with them."""
        return f"cannot use the certificate {self.files}: {self.why}"


def encryption(certificate: Path | None, key: Path | None) -> ssl.SSLContext | None:
    """Return what encrypts connections, or None without a certificate.

    Both are PEM files, the certificate with its chain; a key in the same file needs no other.
    Raise `CertificateError` if they cannot be used.
    """
    if certificate is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    show(context, certificate, key)
    return context


def show(context: ssl.SSLContext, certificate: Path, key: Path | None) -> None:
    """Have connections from now on be shown this certificate; raise as `encryption` does."""
    # A key under a passphrase would be asked for on the terminal, where no one sits.
    try:
        for path in (certificate, key):
            if path is not None:
                read_file(path, PEM_BYTES_MOST)
        context.load_cert_chain(certificate, key, password=_none)
    except (OSError, ValueError) as fault:
        files = f"{certificate}" if key is None else f"{certificate} with {key}"
        why = getattr(fault, "strerror", None) if not isinstance(fault, ssl.SSLError) else None
        raise CertificateError(files, why or "no PEM certificate with its key") from None


def _none() -> str:
    return ""
