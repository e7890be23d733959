"""Identities by server: token, ticket and log files that only their owner can read."""

import contextlib
import hashlib
import os
import re
import stat
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from sunglare_client.link.server_address import address
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import MatchId

PRIVATE = 0o600
"""A secret is read and written by its owner alone."""

PRIVATE_FOLDER = 0o700
"""A folder of secrets is entered by its owner alone."""

SECRET_MOST = 512
"""No token or ticket is as long as this, in bytes; a longer file is something else."""

_DEFAULT_PORTS = {"ws": 80, "wss": 443}
_READING = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")
_LETTERS_MOST = 24
_HASH_DIGITS = 16


class IdentityError(SunglareError):
    """A file of secrets that cannot be trusted, or a match that can't be part of a file's name."""


def home() -> Path:
    """Return the folder of the secrets, from SUNGLARE_HOME, XDG_STATE_HOME or the home folder."""
    own = os.environ.get("SUNGLARE_HOME")
    if own:
        return Path(own)
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "sunglare"


def check_writable() -> None:
    """Raise `IdentityError` if no token could be kept in the folder of the secrets."""
    try:
        home().mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home()):
            pass
    except OSError as fault:
        raise IdentityError(
            f"a name needs its token to be kept, and {home()} cannot be written"
            f" ({fault.strerror}): SUNGLARE_HOME may name another folder"
        ) from fault


def path(url: str, profile: str | None = None) -> Path:
    """Return the token file for a server and one of several identities there."""
    return home() / f"{_stem(url, profile)}.token"


def lock_path(url: str, profile: str | None = None) -> Path:
    """Return the file that a process locks while it plays under an identity."""
    return home() / f"{_stem(url, profile)}.lock"


def load(url: str, profile: str | None = None) -> str | None:
    """Return the token for a server, or None if there is none.

    A file that others could read is made private first. Raise `IdentityError` for one that is
    no plain file of the caller's.
    """
    return _read(path(url, profile))


def save(url: str, token: str, profile: str | None = None) -> None:
    """Keep the token for a server, in a file that only the caller can read."""
    _write(path(url, profile), token)


def drop(url: str, profile: str | None = None) -> None:
    """Forget the token for a server, if there is one."""
    path(url, profile).unlink(missing_ok=True)


def load_next(url: str) -> str | None:
    """Return the token that is to take the place of the one for a server, if one is to."""
    return _read(_next_path(url))


def save_next(url: str, token: str) -> None:
    """Keep the token that is to take the place of the one for a server."""
    _write(_next_path(url), token)


def take_next(url: str) -> None:
    """Have that token take the place of the one before, as a file takes that of another."""
    _next_path(url).replace(path(url))


def drop_next(url: str) -> None:
    """Forget that token, if there is one."""
    _next_path(url).unlink(missing_ok=True)


def load_ticket(url: str, match: MatchId, profile: str | None = None) -> str | None:
    """Return the ticket of the seat in a match, or None if there is none."""
    return _read(_ticket_path(url, match, profile))


def save_ticket(url: str, match: MatchId, ticket: str, profile: str | None = None) -> None:
    """Keep the newest ticket of the seat in a match."""
    _write(_ticket_path(url, match, profile), ticket)


def drop_ticket(url: str, match: MatchId, profile: str | None = None) -> None:
    """Forget the ticket of the seat in a match, if there is one."""
    _ticket_path(url, match, profile).unlink(missing_ok=True)


def log_path(url: str, match: MatchId, profile: str | None = None) -> Path:
    """Return the file for the log of a match."""
    return home() / "logs" / f"{_stem(url, profile)}.{_name(match)}.log"


def record_path(match: MatchId) -> Path:
    """Return the file for the record of a local match."""
    return records_folder() / f"{_name(match)}.sgr"


def records_folder() -> Path:
    """Return the folder for the records of local matches."""
    return home() / "records"


def _next_path(url: str) -> Path:
    return home() / f"{_stem(url, None)}.token.next"


def _ticket_path(url: str, match: MatchId, profile: str | None) -> Path:
    return home() / f"{_stem(url, profile)}.{_name(match)}.ticket"


def _stem(url: str, profile: str | None) -> str:
    parts = urlsplit(address(url))
    port = parts.port or _DEFAULT_PORTS.get(parts.scheme, 0)
    host = re.sub(r"[^a-z0-9.-]", "-", parts.hostname or "")
    return f"{host}_{port}" + (f".{_word(profile)}" if profile else "")


def _word(profile: str) -> str:
    """Return what stands for a profile in a file's name: itself where that can be.

    Else its letters that can, and a hash of it, so that two profiles never share a file.
    """
    if _NAME.fullmatch(profile) is not None:
        return profile
    letters = re.sub(r"[^A-Za-z0-9_-]", "-", profile)[:_LETTERS_MOST]
    return f"{letters}.{hashlib.sha256(profile.encode()).hexdigest()[:_HASH_DIGITS]}"


def _name(text: str) -> str:
    if _NAME.fullmatch(text) is None:
        raise IdentityError(f"{text!r} cannot be part of a file's name: letters, digits, - and _")
    return text


def _read(file: Path) -> str | None:
    try:
        handle = os.open(file, _READING)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as fault:
        raise IdentityError(f"{file} cannot be read: {fault.strerror}") from fault
    try:
        _make_private(file, handle)
        text = os.read(handle, SECRET_MOST).decode("ascii", "replace").strip()
    finally:
        os.close(handle)
    return text or None


def _make_private(file: Path, handle: int) -> None:
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode):
        raise IdentityError(f"{file} is no plain file.")
    if os.name != "posix":
        return
    if found.st_uid != os.geteuid():
        raise IdentityError(f"{file} belongs to another user.")
    if stat.S_IMODE(found.st_mode) & ~PRIVATE:
        os.fchmod(handle, PRIVATE)


def _write(file: Path, secret: str) -> None:
    file.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    write_private(file, f"{secret}\n".encode("ascii"))


def write_private(file: Path, data: bytes) -> None:
    """Write a file that only its owner can read, whatever was there; raise `OSError` if not."""
    # A new file that takes the old one's place: no moment with half a secret, and no reader
    # who has the old file open sees the new one. It is made with the private mode.
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as opened:
            opened.write(data)
            opened.flush()
            os.fsync(opened.fileno())
        Path(name).replace(file)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            Path(name).unlink()
        raise
