"""A store of recorded matches: what a function of a builder returns is played once, then read.

`@stored(form)` before a function of plain values makes it so. Its results lie in `.test-matches/`
at the root of the repository, or where `SUNGLARE_TEST_MATCHES` says; there, `none` is no folder.

A result is kept under the hash of everything that it follows from: the product's sources and
data, the builders, the interpreter and the options of the run; then the function and its
arguments. So a test that reads one sees what it would see if it played. Still, these play anew:

- a process that holds a mutant calls `switch_off`: it plays each match once for itself;
- while a `MonkeyPatch` has changed anything but the environment or `sys`, nothing is read or
  kept, not even in memory. Planted leaks, bugs and faults are all put in by a `MonkeyPatch`;
- suites that judge steps, frames or verification make their matches without `@stored`.

Results are packed as messages are, not pickled: what is read is checked by its type, too.
"""

import fcntl
import functools
import hashlib
import inspect
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

import msgspec
import pytest

P = ParamSpec("P")
T = TypeVar("T")

ROOT: Final = Path(__file__).parents[2]
VARIABLE: Final = "SUNGLARE_TEST_MATCHES"

TREES: Final = ("server", "client", "protocol", "tests/builders", "tests/second_reading")
"""The folders from whose files matches follow, with what the rigs of matches check."""

LEFT_OUT: Final = frozenset({"__pycache__", "node_modules", "samples"})
"""Folders in them from which no match follows."""

OPTIONS: Final = ("SUNGLARE_HALVES", "SUNGLARE_HALVES_NATS", "HYPOTHESIS_PROFILE")
"""The variables of the environment that choose how tests run."""

KEPT: Final = 6
"""How many states of the sources the folder holds: some interpreters and profiles of two."""

_SUM_BYTES = hashlib.sha256().digest_size
_BEGAN = time.time()


class _Switch:
    """Whether this process may use the folder, and the results that it has in memory."""

    is_off = False
    memories: Final[list[dict[str, Any]]] = []


def switch_off() -> None:
    """Have this process play its matches itself from now on: its product is a changed one."""
    _Switch.is_off = True
    for memory in _Switch.memories:
        memory.clear()


def stored(
    form: object, folder: Callable[[], Path | None] | None = None
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Return a decorator after which a function's results, of the type `form`, are stored.

    They are stored in the folder that `folder` returns, if not in that of all matches.

    Raises:
        TypeError: when called, if an argument is no plain value.

    """

    def decorated(play: Callable[P, T]) -> Callable[P, T]:
        watch_patches()
        signature, memory = inspect.signature(play), dict[str, Any]()
        _Switch.memories.append(memory)

        @functools.wraps(play)
        def result(*args: P.args, **kwargs: P.kwargs) -> T:
            if is_patched():
                return play(*args, **kwargs)
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            name = entry_name(play, tuple(bound.arguments.values()))
            if name not in memory:
                within = None if _Switch.is_off else (folder or store_folder)()
                again = functools.partial(play, *args, **kwargs)
                memory[name] = (
                    again() if within is None else read_or_played(within / name, form, again)
                )
            found: T = memory[name]
            return found

        return result

    return decorated


def read_or_played(path: Path, form: object, play: Callable[[], T]) -> T:
    """Return a stored result; of several processes one plays it, and the others wait for that.

    A file that is damaged is replaced. What was played after a change of the sources is not
    stored, as it may be that of other sources than those that were hashed.

    Raises:
        ValueError: if what was played is not what would be read.

    """
    found = _read(path, form)
    if found is None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(path.with_suffix(".lock")):
            found = _read(path, form) or (_played(path, form, play),)
    value: T = found[0]
    return value


def _read(path: Path, form: object) -> tuple[Any] | None:
    """Return what a file holds, in a tuple; None if there is none or it is damaged."""
    try:
        whole = path.read_bytes()
    except FileNotFoundError:
        return None
    data = whole[_SUM_BYTES:]
    if hashlib.sha256(data).digest() != whole[:_SUM_BYTES]:
        return None
    return (_unpacked(data, form),)


def _unpacked(data: bytes, form: object) -> Any:
    return msgspec.msgpack.decode(data, type=form)


def _played(path: Path, form: object, play: Callable[[], T]) -> T:
    value = play()
    data = msgspec.msgpack.encode(value)
    if _unpacked(data, form) != value:
        raise ValueError(f"{path.name} would not be read as it was played")
    if _newest_change() < _BEGAN:
        beside = path.with_suffix(f".{os.getpid()}")
        beside.write_bytes(hashlib.sha256(data).digest() + data)
        beside.replace(path)
    return value


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock that ends with its process at the latest."""
    with path.open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(lock, fcntl.LOCK_UN)


# --- what a result is kept under


def entry_name(play: Callable[..., object], values: tuple[object, ...]) -> str:
    """Return the name of the file with the result of a function for these arguments."""
    if not _is_plain(values):
        raise TypeError(f"no plain values: {values!r}")
    told = f"{play.__module__}.{play.__qualname__}{values!r}".encode()
    digest = hashlib.sha256(told + _source_of(inspect.getfile(play)))
    return f"{play.__name__.strip('_')}-{digest.hexdigest()[:24]}"


def _is_plain(value: object) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, str | int)


@functools.cache
def _source_of(file: str) -> bytes:
    return Path(file).read_bytes()


@functools.cache
def store_folder() -> Path | None:
    """Return the folder for the sources as they are, or None if nothing is to be stored."""
    wanted = os.environ.get(VARIABLE) or str(ROOT / ".test-matches")
    if wanted == "none":
        return None
    parts = (sys.version, msgspec.__version__, *(os.environ.get(name, "") for name in OPTIONS))
    digest = hashlib.sha256(repr(parts).encode() + sources_hash(ROOT))
    folder = Path(wanted) / digest.hexdigest()[:24]
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    prune(folder.parent, KEPT)
    return folder


def sources_hash(root: Path) -> bytes:
    """Return one hash of all that matches follow from, by name and content."""
    digest = hashlib.sha256()
    for path in _sources(root):
        data = Path(path).read_bytes()
        digest.update(f"{path[len(str(root)) :]}\0{len(data)}\0".encode())
        digest.update(data)
    return digest.digest()


def _newest_change() -> float:
    """Return when the sources were last written to, in seconds as `time.time` has them."""
    return max(os.stat(path).st_mtime for path in _sources(ROOT))


def _sources(root: Path) -> Iterator[str]:
    for tree in TREES:
        yield from _files_in(str(root / tree))


def _files_in(folder: str) -> Iterator[str]:
    if not os.path.isdir(folder):
        return
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.is_dir():
            if entry.name not in LEFT_OUT:
                yield from _files_in(entry.path)
        elif not entry.name.endswith((".md", ".pyc")):
            yield entry.path


def prune(folder: Path, kept: int) -> None:
    """Remove all but the folders that were used last."""
    by_use = sorted(folder.iterdir(), key=_used, reverse=True)
    for old in by_use[kept:]:
        # Another process may be removing the same one.
        shutil.rmtree(old, ignore_errors=True)


def _used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


# --- whether the product is the one in the sources

_patchers: Final[set[pytest.MonkeyPatch]] = set()
"""Those that have changed something which a match may follow from; a lasting one stays here."""


def is_patched() -> bool:
    """Return whether a `MonkeyPatch` has changed what a match may follow from."""
    return bool(_patchers)


def _changes_matches(target: object) -> bool:
    """Return whether matches may differ when something is set in `target`.

    In its configuration, tests and fixtures pytest and its plugins set something themselves.
    """
    if isinstance(target, pytest.Config | pytest.Item | pytest.FixtureDef):
        return False
    return not any(target is harmless for harmless in (os.environ, sys, sys.modules))


def _watched(name: str) -> None:
    """Have a method of `MonkeyPatch` note which of them changes what."""
    method = getattr(pytest.MonkeyPatch, name)

    @functools.wraps(method)
    def noting(self: pytest.MonkeyPatch, target: object, *args: Any, **kwargs: Any) -> None:
        if _changes_matches(target):
            _patchers.add(self)
        method(self, target, *args, **kwargs)

    setattr(pytest.MonkeyPatch, name, noting)


@functools.cache
def watch_patches() -> None:
    """Have every `MonkeyPatch` of this process noted, from its first change until it is undone."""
    for name in ("setattr", "delattr", "setitem", "delitem"):
        _watched(name)
    undo = pytest.MonkeyPatch.undo

    @functools.wraps(undo)
    def noting_undo(self: pytest.MonkeyPatch) -> None:
        undo(self)
        _patchers.discard(self)

    setattr(pytest.MonkeyPatch, "undo", noting_undo)  # noqa: B010 - mypy takes no assignment
