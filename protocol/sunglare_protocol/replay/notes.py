"""The layers of private notes in a replay: what a seat wrote down for itself, window by window.

Notes are never sent, and no server has any: no message of the wire has this form. The player keeps
them, and may put them into the own copy of a record, as a layer of the own side. So they follow
from nothing in the record, and nothing vouches for them. To readers of the file they are text of a
stranger: it is shown, never obeyed.
"""

from collections.abc import Iterable
from itertools import islice
from typing import Any, Final, final

import msgspec

from sunglare_protocol.geometry import BOARD_BOXES_MOST, BOX_EDGE, Square
from sunglare_protocol.ids import Side
from sunglare_protocol.replay.file import FILE_BYTES_MOST, layers_place
from sunglare_protocol.replay.layers import Layers, Message, read_layers, written
from sunglare_protocol.replay.values import ReplayError

NOTES_MOST: Final = 2_000
"""OWN: so many notes of one seat in one match are kept."""

NOTE_LETTERS_MOST: Final = 300
"""OWN: the longest note, in characters; as long as a line of chat."""

SQUARE_MOST: Final = BOARD_BOXES_MOST * BOX_EDGE - 1
"""No board has a square beyond that, to the east or to the south."""

_WINDOW_LETTERS_MOST: Final = 32
"""OWN: the name of a window is shorter."""

_LAYER: Final = "notes."
"""What the name of such a layer begins with; the letter of a side follows."""


@final
class Note(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="t",
    tag="note",
    gc=False,
):
    """A note of one window; `at` is the square that it is about, `seq` counts from 1.

    Before the first window `turn` is 0 and `window` empty.
    """

    seq: int
    turn: int = 0
    window: str = ""
    text: str
    at: Square | None = None


def note_of(sent: dict[str, Any]) -> Note:
    """Return a note as it was read; raise `ReplayError` if it is none."""
    try:
        note = msgspec.convert(sent, Note)
    except msgspec.ValidationError:
        raise ReplayError("There is something among the notes that is none.") from None
    if not _is_sound(note):
        raise ReplayError("There is a note in it that is larger than any.")
    return note


def counted(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Return notes as one seat may have them: numbered from 1, no more than the most.

    Those that are larger than any are left out.
    """
    sound = islice((note for note in notes if _is_sound(note)), NOTES_MOST)
    return tuple(msgspec.structs.replace(note, seq=number) for number, note in enumerate(sound, 1))


def _is_sound(note: Note) -> bool:
    is_short = len(note.text) <= NOTE_LETTERS_MOST and len(note.window) <= _WINDOW_LETTERS_MOST
    return is_short and is_markable(note.at)


def is_markable(square: Square | None) -> bool:
    """Return whether a note may be about a square, or about none."""
    return square is None or all(0 <= part <= SQUARE_MOST for part in square)


def side_of_notes(layer: str) -> Side | None:
    """Return the side whose notes a layer has; None if it has others things."""
    return Side(layer.removeprefix(_LAYER)) if layer.startswith(_LAYER) else None


def with_notes(data: bytes, side: Side, notes: Iterable[Note]) -> bytes:
    """Return a record file with the notes of a side, in the place of those that it has.

    Raise `ReplayError` if it is no whole record, or too large with them.
    """
    layer = f"{_LAYER}{side}"
    added = [Message(layer, msgspec.to_builtins(note)) for note in notes]
    made = _changed(data, layer, added)
    if len(made) > FILE_BYTES_MOST:
        most = f"{FILE_BYTES_MOST >> 20} MiB"
        raise ReplayError(f"With the notes it is too large: {most} are the most.")
    return made


def without_notes(data: bytes) -> bytes:
    """Return a replay without anybody's notes, which are not for others."""
    try:
        layers = read_layers(data, layers_place(data))
    except ReplayError:
        return data  # no layers, so no notes
    for name in layers.names:
        if side_of_notes(name) is not None:
            data = _changed(data, name, [])
    return data


def _changed(data: bytes, layer: str, added: list[Message]) -> bytes:
    """Return a file with other messages in a layer; raise `ReplayError` if it is not whole."""
    place = layers_place(data)
    layers = read_layers(data, place)
    if layers.fault:
        raise ReplayError(layers.fault)
    kept = [message for message in layers.messages if message.layer != layer]
    names = [name for name in layers.names if name != layer]
    more = (layer,) if added else ()
    return data[:place] + written(Layers((*kept, *added), (*names, *more), ""))
