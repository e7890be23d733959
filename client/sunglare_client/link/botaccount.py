"""The account that a program plays under: its token, in a file that one process uses at a time.

A program has what people have: a token file per server and name (`identity`), so that it is the
same player in its next match and gets its seats back after a crash. The file's lock is held while
the program runs: of two processes with one account, each would throw the other out for ever.
"""

import contextlib
import logging
import os
import sys
from collections.abc import Iterator
from typing import Final, final

from sunglare_client.link import identity
from sunglare_protocol.errors import SunglareError

if sys.platform != "win32":
    import fcntl

log = logging.getLogger(__name__)

_PROCESS_ID_BYTES: Final = 20


class InUseError(SunglareError):
    """Another process plays under the same account."""

    def __init__(self, url: str, name: str, process: str) -> None:
        """Keep where, as whom, and the number of the process that does."""
        super().__init__(url, name, process)
        self.url, self.name, self.process = url, name, process

    def __str__(self) -> str:
        """Say who has the account, and what would be right."""
        return (
            f"process {self.process or 'unknown'} plays as {self.name} on {self.url} already; "
            "end it first, or take another --name"
        )


@final
class BotAccount:
    """A program's account on a server: the name and the token to say hello with."""

    def __init__(self, url: str, name: str | None, token: str | None, *, is_kept: bool) -> None:
        """Be `name` on the server at `url`; `is_kept`: the token belongs in its file."""
        self.name = name
        self.token = token
        self._url = url
        self._is_kept = is_kept

    def keep(self, token: str) -> None:
        """Store the token that the server has given, before anything is done with it."""
        if self._is_kept and self.name is not None and token != self.token:
            try:
                identity.save(self._url, token, self.name)
            except OSError as fault:
                log.warning("the token of %s cannot be kept: %s", self.name, fault)
        self.token = token


@contextlib.contextmanager
def bot_account(url: str, name: str | None, token: str | None) -> Iterator[BotAccount]:
    """Give the account to play under while this lasts.

    It is that of `token`, if the environment has one, else that of the token file for the server
    and `name`; without a name it is a guest's. A folder that cannot be written is reported: then
    the token that lies there plays, or a guest. Raise `InUseError` if another process has the
    account, `IdentityError` for a file that cannot be trusted.
    """
    if token is not None or name is None:
        yield BotAccount(url, name, token, is_kept=False)
        return
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(_locked(url, name))
        except OSError as fault:
            account = _unkept(url, name, fault)
        else:
            account = BotAccount(url, name, identity.load(url, name), is_kept=True)
        yield account


def _unkept(url: str, name: str, fault: OSError) -> BotAccount:
    """Return who plays where nothing can be written."""
    token = identity.load(url, name)
    who = "a guest" if token is None else name
    log.warning(
        "%s cannot be written (%s): %s plays, and nothing of it is kept; set SUNGLARE_HOME to a "
        "folder that can be written, or SUNGLARE_TOKEN",
        *(identity.home(), fault.strerror, who),
    )
    return BotAccount(url, None if token is None else name, token, is_kept=False)


@contextlib.contextmanager
def _locked(url: str, name: str) -> Iterator[None]:
    path = identity.lock_path(url, name)
    path.parent.mkdir(mode=identity.PRIVATE_FOLDER, parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, identity.PRIVATE)
    try:
        _lock(handle, url, name)
        yield
    finally:
        os.close(handle)  # which gives the lock back, as the end of the process does


def _lock(handle: int, url: str, name: str) -> None:
    if sys.platform == "win32":
        return  # it has no such locks: two processes there are left to themselves
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(handle, _PROCESS_ID_BYTES, 0).decode("ascii", "replace").strip()
        raise InUseError(url, name, holder) from None
    os.ftruncate(handle, 0)
    os.pwrite(handle, f"{os.getpid()}\n".encode("ascii"), 0)
