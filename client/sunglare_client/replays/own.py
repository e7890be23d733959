"""A player's own notes on a match: from the log of the seat into the own replay."""

from pathlib import Path
from typing import NamedTuple, final

import msgspec

from sunglare_client.link.matchlog import Begun, LogError, read_log
from sunglare_client.replays.recording import Recording
from sunglare_protocol.ids import Side
from sunglare_protocol.replay.file import read_header
from sunglare_protocol.replay.notes import NOTES_MOST, Note, note_of, with_notes


@final
class Noted(NamedTuple):
    """The notes of one seat, and of which match and side it is."""

    match: str
    side: Side
    notes: tuple[Note, ...]


def noted_in(path: Path) -> Noted:
    """Return what stands in the log of a seat, in its order, numbered from 1.

    Raise `LogError` if it is none, `ReplayError` for a note that is none, `OSError` if it can't be
    read.
    """
    lines = read_log(path)
    begun = next(line for line in lines if isinstance(line, Begun))
    notes = [line for line in lines if isinstance(line, Note)][:NOTES_MOST]
    # Every process that took the seat has counted from 1.
    counted = [msgspec.structs.replace(note, seq=n) for n, note in enumerate(notes, 1)]
    checked = tuple(note_of(msgspec.to_builtins(note)) for note in counted)
    return Noted(begun.match, begun.side, checked)


def recording_with(recording: Recording, path: Path) -> Recording:
    """Return a match with the notes of a log; raise as `noted_in`, and for another match's log."""
    noted = noted_in(path)
    _check(noted, recording.match, path)
    return recording.noting(noted.side, noted.notes)


def record_with(data: bytes, path: Path) -> bytes:
    """Return a record file with the notes of a log as a layer of its side.

    Raise as `noted_in`, for another match's log, and `ReplayError` if it is no whole record.
    """
    noted = noted_in(path)
    _check(noted, str(read_header(data).get("match")), path)
    return with_notes(data, noted.side, noted.notes)


def _check(noted: Noted, match: str, path: Path) -> None:
    if noted.match != match:
        raise LogError(f"{path} is the log of match {noted.match}, not of {match}")
