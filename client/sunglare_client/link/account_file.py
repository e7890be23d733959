"""The account on a server as a file of its own: its token is the account's only key."""

import contextlib
import os
import re
from pathlib import Path

from sunglare_client.link import identity
from sunglare_client.link.identity import PRIVATE, SECRET_MOST, IdentityError

_TOKEN = re.compile(r"[A-Za-z0-9_-]{16,128}")


def export_account(url: str, file: Path) -> None:
    """Write the token for a server to a new file that only the caller can read.

    Raise `IdentityError` if there is no token, or the file is there already or cannot be made.
    """
    token = identity.load(url)
    if token is None:
        raise IdentityError(
            f"you have no account for {url} here; the first sunglare play on that server makes one"
        )
    _check_settled(url)
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    except FileExistsError:
        raise IdentityError(
            f"{file} is there already; name another file, or remove it first"
        ) from None
    except OSError as fault:
        raise IdentityError(f"{file} cannot be written: {fault.strerror}") from fault
    _fill(file, handle, token)


def import_account(url: str, file: Path, *, replace: bool = False) -> None:
    """Keep the token in a file as the one for a server.

    Raise `IdentityError` if the file holds none, or if another token is kept for that server
    and it is not to `replace` that.
    """
    token = _token_in(file)
    known = identity.load(url)
    if known not in (None, token) and not replace:
        raise IdentityError(
            f"you have another account for {url} here, in {identity.path(url)}; keep it with "
            f"sunglare account export FILE --url {url}, then import with --replace"
        )
    if known == token:
        _check_settled(url)
    identity.drop_next(url)
    identity.save(url, token)


def _check_settled(url: str) -> None:
    """Raise `IdentityError` while it is not known which token of an account is good."""
    if identity.load_next(url) is not None:
        raise IdentityError(
            f"an exchange of your token was cut off; finish it: sunglare account renew --url {url}"
        )


def _fill(file: Path, handle: int, token: str) -> None:
    try:
        with os.fdopen(handle, "wb") as opened:
            if os.name == "posix":
                os.fchmod(handle, PRIVATE)
            opened.write(f"{token}\n".encode("ascii"))
            opened.flush()
            os.fsync(handle)
    except BaseException as fault:
        # Half a token is worth nothing.
        with contextlib.suppress(OSError):
            file.unlink()
        if isinstance(fault, OSError):
            raise IdentityError(f"{file} cannot be written: {fault.strerror}") from fault
        raise


def _token_in(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            text = opened.read(SECRET_MOST).decode("ascii", "replace").strip()
    except OSError as fault:
        raise IdentityError(f"{file} cannot be read: {fault.strerror}") from fault
    if _TOKEN.fullmatch(text) is None:
        raise IdentityError(
            f"{file} holds no account: it should be one line, a token as sunglare account export "
            "writes it"
        )
    return text
