"""Private notes as a layer of a record: there and gone again, with nothing else changed."""

from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.replays import is_sentence
from builders.verified import short
from sunglare_client.export.cutting import layer_alone
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import SIDES, Side
from sunglare_protocol.replay.file import read_replay
from sunglare_protocol.replay.notes import (
    NOTE_LETTERS_MOST,
    NOTES_MOST,
    SQUARE_MOST,
    Note,
    counted,
    note_of,
    side_of_notes,
    with_notes,
    without_notes,
)
from sunglare_protocol.replay.values import ReplayError

A = Side("A")

NUMBERS = st.integers(0, SQUARE_MOST)
NOTES = st.builds(
    Note,
    seq=st.integers(1, 2_000),
    turn=st.integers(0, 30),
    window=st.sampled_from(("", "1.plot", "2.scan.1")),
    text=st.text(st.characters(exclude_categories=["Cs"]), max_size=NOTE_LETTERS_MOST),
    at=st.none() | st.builds(Square, NUMBERS, NUMBERS),
)


def whole() -> bytes:
    """Return the record file of a whole match."""
    return short().data


@cache
def layers_of_whole() -> dict[str, tuple[dict[str, Any], ...]]:
    """Return the layers of that match by their names, read once."""
    return read_replay(whole()).layers.by_name


def notes_in(data: bytes) -> dict[str, list[Note]]:
    """Return the notes in a file, by side."""
    return notes_among(read_replay(data).layers.by_name)


def notes_among(layers: dict[str, tuple[dict[str, Any], ...]]) -> dict[str, list[Note]]:
    """Return the notes among the layers of a file, by side."""
    sides = {name: side for name in layers if (side := side_of_notes(name)) is not None}
    return {side: list(map(note_of, layers[name])) for name, side in sides.items()}


@given(st.lists(NOTES, min_size=1, max_size=6), st.sampled_from(SIDES))
def test_notes_are_read_as_they_were_added_and_nothing_else_has_changed(
    notes: list[Note], side: Side
) -> None:
    made = with_notes(whole(), side, notes)
    found = read_replay(made)
    sent = found.layers.by_name
    assert found.fault == ""
    assert notes_among(sent) == {side: notes}
    assert without_notes(made) == whole()
    del sent[f"notes.{side}"]
    assert sent == layers_of_whole()


def test_notes_take_the_place_of_earlier_ones_of_that_side_alone() -> None:
    first, second, foreign = (
        [Note(seq=1, text=text)] for text in ("first", "second", "of another")
    )
    made = with_notes(with_notes(with_notes(whole(), A, first), Side("B"), foreign), A, second)
    assert notes_in(made) == {"A": second, "B": foreign}
    assert b"first" not in made
    assert without_notes(made) == whole()


def test_without_any_notes_a_file_stays_as_it_is() -> None:
    assert with_notes(whole(), A, ()) == whole()
    assert without_notes(whole()) == whole()
    assert without_notes(b"no replay") == b"no replay"


def test_no_notes_go_into_a_file_that_is_no_whole_record() -> None:
    for data in (whole()[:-40], layer_alone(whole(), "A"), b"no replay"):
        with pytest.raises(ReplayError) as told:
            with_notes(data, A, [Note(seq=1, text="a")])
        assert is_sentence(str(told.value))


def test_a_layer_of_one_side_alone_has_no_notes() -> None:
    made = with_notes(whole(), A, [Note(seq=1, text="canary of mine")])
    assert b"canary of mine" in made
    assert b"canary" not in layer_alone(made, "A")


BAD: dict[str, dict[str, Any]] = {
    "another kind": {"t": "frame"},
    "no text": {"text": 7},
    "too long": {"text": "a" * (NOTE_LETTERS_MOST + 1)},
    "no window": {"window": "1.plot" * 6},
    "a square of three": {"at": [1, 2, 3]},
    "a square off every board": {"at": [0, SQUARE_MOST + 1]},
    "a square before the first": {"at": [-1, 0]},
}


@pytest.mark.parametrize("change", BAD.values(), ids=BAD)
def test_what_is_no_note_is_told_as_that(change: dict[str, Any]) -> None:
    good = msgspec.to_builtins(Note(seq=1, text="fine", at=Square(1, 2)))
    assert note_of(good).at == Square(1, 2)
    with pytest.raises(ReplayError):
        note_of({**good, **change})


def test_of_many_notes_the_first_sound_ones_are_counted_from_1() -> None:
    bad = Note(seq=1, text="a" * (NOTE_LETTERS_MOST + 1))
    many = [bad, *(Note(seq=7, text=str(n)) for n in range(NOTES_MOST + 5))]
    found = counted(many)
    assert [note.seq for note in found] == list(range(1, NOTES_MOST + 1))
    assert [note.text for note in found] == [str(n) for n in range(NOTES_MOST)]


def test_no_audience_is_called_as_notes_are() -> None:
    assert [side_of_notes(name) for name in (*SIDES, "public", "omni", "analysis")] == [None] * 7
    assert side_of_notes("notes.A") == "A"
