"""Lessons solved on this machine, kept in a file next to the tokens."""

import os
from pathlib import Path
from typing import Annotated, Final, final

import msgspec

from sunglare_client.link.identity import home
from sunglare_protocol.errors import SunglareError

NAMES_MOST: Final = 100
"""A file with more names than this is something else."""


class ProgressError(SunglareError):
    """The file of solved lessons is none."""


@final
class Progress(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The names of the lessons that were solved, in the order in which they were."""

    solved: Annotated[tuple[str, ...], msgspec.Meta(max_length=NAMES_MOST)] = ()


def file() -> Path:
    """Return where the progress is kept."""
    return home() / "lessons.json"


def has_begun() -> bool:
    """Return whether lessons have ever been given here, solved or not."""
    return os.path.exists(file())  # of a folder that can't be entered, too


def load() -> Progress:
    """Return what was solved, as far as a file says so.

    Raise `ProgressError` if the file is not one of these.
    """
    try:
        return msgspec.json.decode(file().read_bytes(), type=Progress)
    except OSError:
        return Progress()
    except msgspec.DecodeError as fault:
        raise ProgressError(
            f"{file()} does not say which lessons you solved ({fault}): remove it"
        ) from fault


def keep(progress: Progress) -> str:
    """Write what was solved; return a sentence about why that can't be, or nothing."""
    try:
        file().parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file().write_bytes(msgspec.json.encode(progress))
    except OSError as fault:
        return f"What you solve is not kept: {home()} cannot be written ({fault.strerror})."
    return ""


def with_solved(progress: Progress, name: str) -> Progress:
    """Return the progress with one more lesson."""
    return progress if name in progress.solved else Progress((*progress.solved, name))
