"""Credentials for the engine: what a process shows to be let in, and the file that holds it."""

import re
import ssl
from pathlib import Path
from typing import Final, final

import msgspec

from sunglare_protocol.errors import SunglareError
from sunglare_server.cluster.client.permissions import Role, inbox_of
from sunglare_server.textfiles import KIB, read_file

NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
"""The form of a name: one word of a subject."""

RESERVED: Final = frozenset({"all", "any", "worker"})
"""Words of subjects that stand where a name may."""

CA: Final = "ca.pem"
"""The certificate of the CA that signs those of the engines; it lies next to each credential."""

FILE_BYTES_MOST: Final = 16 * KIB
"""OWN: the longest file of credentials that is read."""

_ROLES = frozenset(role.value for role in Role)


@final
class CredentialError(SunglareError):
    """A file of credentials cannot be read or made."""


@final
class Credential(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Lets one process into the engine; `password` is its secret."""

    role: Role
    name: str
    password: str

    def __repr__(self) -> str:
        """Show whose it is and keep the secret."""
        return f"Credential({self.user})"

    @property
    def user(self) -> str:
        """Return the engine's name for its holder."""
        return user_of(self.role, self.name)

    @property
    def inbox(self) -> str:
        """Return the prefix of the subjects on which its holder gets answers."""
        return inbox_of(self.name)


def user_of(role: Role, name: str) -> str:
    """Return the engine's name for a user; the operator's and the system's are the role alone."""
    return role.value if name == role.value else f"{role.value}-{name}"


def file_of(folder: Path, role: Role, name: str) -> Path:
    """Return where the credential of a role and name lies in a folder."""
    return folder / f"{user_of(role, name)}.json"


def encode_credential(credential: Credential) -> bytes:
    """Return what a file of credentials holds."""
    return msgspec.json.format(msgspec.json.encode(credential), indent=2) + b"\n"


def read_credential(path: Path) -> Credential:
    """Return what a file holds; raise `CredentialError` if it is none or cannot be read."""
    try:
        credential = msgspec.json.decode(read_file(path, FILE_BYTES_MOST), type=Credential)
    except OSError as fault:
        raise CredentialError(f"{path}: {fault.strerror}") from None
    except (msgspec.MsgspecError, UnicodeError):
        # Its words might quote what the file holds.
        raise CredentialError(f"{path}: this is no file of credentials") from None
    if not is_name(credential.role, credential.name):
        raise CredentialError(f"{path}: {credential.name!r} is no name")
    return credential


def system_beside(path: Path) -> Credential:
    """Return the credential of the system's account, which lies next to a worker's at `path`.

    Raise `CredentialError` if there is none.
    """
    system = read_credential(file_of(path.parent, Role.SYSTEM, Role.SYSTEM.value))
    if system.role is not Role.SYSTEM:
        raise CredentialError(f"{path.parent}: system.json is {system.user}'s")
    return system


def trust_beside(path: Path) -> ssl.SSLContext | None:
    """Return what trusts the CA that lies next to a credential alone; None if there is none.

    Raise `CredentialError` if the file there is no certificate.
    """
    ca = path.parent / CA
    if not ca.exists():
        return None
    try:
        return ssl.create_default_context(cafile=ca)
    except (ssl.SSLError, OSError):
        raise CredentialError(f"{ca}: this is no certificate of a CA in PEM") from None


def is_name(role: Role, name: str) -> bool:
    """Return whether a user of this role may have this name."""
    if name in _ROLES:
        return name == role.value and role in (Role.OPERATOR, Role.SYSTEM)
    return NAME.fullmatch(name) is not None and name not in RESERVED
