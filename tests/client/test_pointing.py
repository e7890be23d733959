"""Pointing at a place of the map, and the command that it means in each window."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.desks import SCENES, frames_of, view_in
from builders.terminals import KITE, LANCER, MOTH, S1, S2, VOLLEY, ship, view
from sunglare_client.bot import is_asked
from sunglare_client.command import Problem
from sunglare_client.fullscreen.pointing import (
    Pointer,
    acting,
    first_pointer,
    line_at,
    moved,
    next_contact,
    next_ship,
    resized,
    way_chosen,
    ways,
)
from sunglare_client.terminal.prompt import parse
from sunglare_protocol.geometry import Square, Vector
from sunglare_protocol.ids import Side
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fix, Phase

HERE = KITE.square


def views() -> list[View]:
    """Return views of each scene that ask side A for orders."""
    return [
        view_in(sent)
        for scene in SCENES
        for sent in frames_of(*scene)[Side("A")][::4]
        if is_asked(view_in(sent), Side("A"))
    ]


VIEWS = st.deferred(lambda: st.sampled_from(views()))


@pytest.mark.parametrize(
    ("phase", "way", "line"),
    [
        (Phase.PLOT, 0, "burn S1 +2,-2"),
        (Phase.PLOT, 1, "face S1 NE"),
        (Phase.SCAN, 0, "scan S1 visual 1box B5"),
        (Phase.DETECT, 0, "listen S1"),
        (Phase.DETECT, 1, "sweep S1"),
    ],
)
def test_a_place_means_one_command_in_each_window_and_way(
    phase: Phase, way: int, line: str
) -> None:
    pointer = Pointer(HERE.moved(Vector(2, -3)), S1, way)
    slot = "A" if phase is Phase.SCAN else None
    assert line_at(view(phase, slot=slot), pointer) == line


def test_where_a_ship_drifts_anyhow_means_that_it_drifts() -> None:
    assert line_at(view(), Pointer(HERE.moved(KITE.vector), S1)) == "drift S1"


def test_a_weapon_is_fired_at_what_stands_there_and_at_nothing_else() -> None:
    seen = view(Phase.ENGAGE)
    target = seen.contacts[0]
    assert line_at(seen, Pointer(target.square, S1)) == f"fire S1.B1 {target.label}"
    assert line_at(seen, Pointer(target.square, S1, 1)) == f"fire S1.P1 {target.label}"
    assert line_at(seen, Pointer(Square(0, 0), S1)) == ""


def test_missiles_are_launched_at_a_place_and_sent_elsewhere() -> None:
    seen = view(own=(LANCER, VOLLEY))
    launch = ways(seen, LANCER).index("launch M1")
    assert line_at(seen, Pointer(Square(9, 20), S1, launch)) == "launch S1.M1 9,20"
    assert line_at(seen, Pointer(Square(9, 20), VOLLEY.id)) == "aim M1 9,20"


def test_a_scan_is_as_large_as_one_chooses() -> None:
    seen, pointer = view(Phase.SCAN, slot="A"), Pointer(HERE, S1)
    sizes = [line_at(seen, resized(pointer, step)).split()[3] for step in (-9, -1, 0, 1, 9)]
    assert sizes == ["1sq", "3sq", "1box", "3box", "3box"]


def test_scans_that_the_sensors_cannot_make_come_last() -> None:
    folded = ship(KITE, popped_out=False)
    seen = view(Phase.SCAN, slot="A", own=(folded,))
    assert ways(view(Phase.SCAN, slot="A"), KITE)[0] == "visual"
    assert "visual" in ways(seen, folded)[1:]


def test_nothing_is_aimed_at_a_memory() -> None:
    seen = view(Phase.ENGAGE)
    gone = replace(seen.contacts[0], fix=Fix.MEMORY, handle=None)
    faded = replace(seen, contacts=(gone,))
    assert line_at(faded, Pointer(gone.square, S1)) == ""


def test_the_next_ship_acts_and_the_last_is_followed_by_the_first() -> None:
    seen = view(own=(KITE, MOTH))
    second = next_ship(seen, first_pointer(seen))
    assert (second.own, second.square) == (S2, MOTH.square)
    assert next_ship(seen, second).own == S1
    assert next_ship(seen, second, -1).own == S1


def test_who_has_no_ship_points_in_the_middle_and_means_nothing() -> None:
    seen = view(own=())
    pointer = first_pointer(seen)
    assert acting(seen, pointer) is None
    assert (line_at(seen, pointer), way_chosen(seen, pointer)) == ("", "")
    assert next_ship(seen, pointer) == pointer


@given(VIEWS, st.integers(-80, 80), st.integers(-80, 80))
def test_the_pointer_never_leaves_the_map(seen: View, dx: int, dy: int) -> None:
    assert moved(first_pointer(seen), seen.board, Vector(dx, dy)).square in seen.board


@given(VIEWS, st.integers(0, 20), st.integers(0, 3), st.data())
def test_whatever_one_points_at_is_a_command_that_can_be_read(
    seen: View, way: int, size: int, data: st.DataObject
) -> None:
    area = seen.board.area
    square = Square(
        data.draw(st.integers(0, area.east), label="x"),
        data.draw(st.integers(0, area.south), label="y"),
    )
    ships = [own.id for own in seen.own]
    pointer = Pointer(square, data.draw(st.sampled_from(ships)) if ships else None, way, size)
    line = line_at(seen, pointer)
    if line and not line.startswith("burn"):  # too far a way has no thrust that brings one there
        assert not isinstance(parse(line, seen), Problem)


@given(VIEWS)
def test_going_through_the_contacts_comes_to_each_of_their_squares(seen: View) -> None:
    pointer, found = first_pointer(seen), set()
    for _ in seen.contacts:
        pointer = next_contact(seen, pointer)
        found.add(pointer.square)
    squares = [contact.square for contact in seen.contacts if contact.fate.value == "in_play"]
    assert len(squares) > len({*squares}) or found >= {*squares}
