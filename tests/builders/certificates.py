"""A certificate that signs itself, made by openssl, and what trusts it."""

import shutil
import ssl
import subprocess
from pathlib import Path
from typing import NamedTuple, final

OPENSSL = shutil.which("openssl")


@final
class Files(NamedTuple):
    """A certificate and its key."""

    certificate: Path
    key: Path

    @property
    def serving(self) -> ssl.SSLContext:
        """Return what a server shows."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        return context

    @property
    def trusting(self) -> ssl.SSLContext:
        """Return what a client trusts that knows this certificate alone."""
        return ssl.create_default_context(cafile=self.certificate)


def made(folder: Path, subject: str = "IP:127.0.0.1") -> Files:
    """Make a certificate for a subject, such as `DNS:play.example.org`, that signs itself."""
    files = Files(folder / "cert.pem", folder / "key.pem")
    kind = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
    names = ("-subj", "/CN=localhost", "-addext", f"subjectAltName={subject}")
    where = ("-keyout", str(files.key), "-out", str(files.certificate))
    subprocess.run(
        [str(OPENSSL), "req", "-x509", *kind, *names, *where], check=True, capture_output=True
    )
    return files
