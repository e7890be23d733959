"""Certificates of a cluster's engines, made by openssl: a CA of its own, and one for all.

All engines show the same certificate, which names the host of each: they share their secrets
anyway, and a client that is sent from one to another by address still knows it.
"""

import ipaddress
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple, final

from sunglare_server.base.entropy import Entropy
from sunglare_server.cluster.client.credentials import CA, CredentialError

CA_KEY: Final = "ca.key"
"""The key of the CA; it stays where certificates are made."""

ENGINE_CERTIFICATE: Final = "engine.pem"
ENGINE_KEY: Final = "engine.key"

_DAYS: Final = "3650"
"""OWN: engines are few, and a certificate that ends unnoticed stops all matches."""

_SERIAL_BYTES: Final = 16
_NEW_KEY: Final = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")

_CONFIG: Final = """\
[req]
prompt = no
distinguished_name = name
[name]
CN = Sunglare cluster CA
[ca]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[engine]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth, clientAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = {names}
"""


@final
class Certificates(NamedTuple):
    """The files of a cluster's encryption, each with its bytes in PEM."""

    ca: bytes
    ca_key: bytes
    engine: bytes
    engine_key: bytes

    @property
    def files(self) -> dict[str, bytes]:
        """Return the bytes by the name of their file."""
        return {
            CA: self.ca,
            CA_KEY: self.ca_key,
            ENGINE_CERTIFICATE: self.engine,
            ENGINE_KEY: self.engine_key,
        }


def make_certificates(folder: Path, hosts: Sequence[str], entropy: Entropy) -> Certificates:
    """Return a certificate for engines at these hosts, signed by the CA in `folder` or a new one.

    Raise `CredentialError` if openssl is missing or refuses.
    """
    with tempfile.TemporaryDirectory(prefix="sunglare-credentials-") as name:
        work = Path(name)
        names = ", ".join(map(_subject_name, dict.fromkeys(hosts)))
        (work / "openssl.cnf").write_text(_CONFIG.format(names=names), "ascii")
        there = [folder / CA, folder / CA_KEY]
        if all(path.exists() for path in there):
            for path in there:
                (work / path.name).write_bytes(path.read_bytes())
        else:
            ends = ("-days", _DAYS, "-extensions", "ca", "-keyout", CA_KEY, "-out", CA)
            _openssl(work, "req", "-x509", "-config", "openssl.cnf", *_NEW_KEY, *ends)
        asked = ("-subj", "/CN=Sunglare engines", "-keyout", ENGINE_KEY, "-out", "engine.csr")
        _openssl(work, "req", "-new", "-config", "openssl.cnf", *_NEW_KEY, *asked)
        # X.509 wants a positive number of at most 20 bytes.
        serial = f"0x01{entropy.token(_SERIAL_BYTES).hex()}"
        signed = ("-CA", CA, "-CAkey", CA_KEY, "-set_serial", serial, "-days", _DAYS)
        named = ("-extfile", "openssl.cnf", "-extensions", "engine", "-out", ENGINE_CERTIFICATE)
        _openssl(work, "x509", "-req", "-in", "engine.csr", *signed, *named)
        files = (CA, CA_KEY, ENGINE_CERTIFICATE, ENGINE_KEY)
        return Certificates(*[(work / file).read_bytes() for file in files])


def _subject_name(host: str) -> str:
    try:
        return f"IP:{ipaddress.ip_address(host)}"
    except ValueError:
        return f"DNS:{host}"


def _openssl(work: Path, *words: str) -> None:
    program = shutil.which("openssl")
    if program is None:
        raise CredentialError("openssl is not on the PATH: it makes the engines' certificates")
    done = subprocess.run(  # noqa: S603 - our own words
        [program, *words], cwd=work, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise CredentialError(f"openssl {words[0]} fails: {done.stderr.strip()[-200:]}")
