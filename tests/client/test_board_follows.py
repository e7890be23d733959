"""The board follows the plan: deployments, routes, and the ship that can act in a window."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.fullscreens import TITLE, full_screen_of
from builders.terminals import CONTACT, KITE, MOTH, S1, S2, TRACK, frame, view
from client.test_keys_in_order import Standing
from client.test_remembered_orders import FLYING, at_turn, opened, planned, told
from sunglare_client.command import Plan
from sunglare_client.fullscreen.playing import Playing
from sunglare_client.fullscreen.pointing.pointing import (
    Pointer,
    first_pointer,
    in_window,
    named_at,
)
from sunglare_client.map.cells import What
from sunglare_client.map.marks import marks_of
from sunglare_client.text.places import place_text
from sunglare_protocol.geometry import Square, Vector
from sunglare_protocol.ids import WindowId
from sunglare_protocol.orders import Deploy, Turn
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.odds.after import after
from sunglare_rules.advice.seen.plotting import after_plot, as_deployed

SET_UP = at_turn(view(own=(KITE, MOTH), zone=("B6", "G7")), 1)


def ghosts_of(playing: Playing, name: str) -> list[Square]:
    """Return where a map draws the ghost of an own ship."""
    return [
        square
        for square, cell in playing.look(None).over
        if cell.what is What.GHOST and cell.is_own and cell.name == name
    ]


def place_of(playing: Playing, name: str) -> Square:
    """Return where a map draws an own ship itself."""
    seen = playing.view()
    assert seen is not None
    (place,) = [mark.square for mark in marks_of(seen) if mark.label == name]
    return place


def test_a_ship_stands_where_the_plan_deploys_it_before_the_turn_is_sent() -> None:
    terminal = Standing(SET_UP)
    playing, at = Playing(terminal, TITLE), Square(8, 29)
    told(terminal.session, "deploy S1 8,29")
    assert place_of(playing, S1) == at
    assert place_of(playing, S2) == MOTH.square
    assert f"{place_text(at)}: S1" in playing.card(Pointer(at, S1)).lines
    told(terminal.session, "undo")
    assert place_of(playing, S1) == KITE.square


def test_a_view_without_deployments_stays_the_same() -> None:
    assert as_deployed(SET_UP, ()) is SET_UP
    moved = as_deployed(SET_UP, (Deploy(ship=S2, at=Square(8, 29)),))
    assert moved.own[0] == KITE
    assert moved.own[1] == replace(
        MOTH, square=Square(8, 29), facing=Deploy(ship=S2, at=Square(8, 29)).facing
    )


@given(
    st.builds(Square, st.integers(0, 39), st.integers(0, 39)),
    st.builds(Vector, st.integers(-3, 3), st.integers(-3, 3)),
    st.booleans(),
)
def test_a_deployed_ship_flies_as_the_orders_say(at: Square, way: Vector, turns: bool) -> None:
    orders: Plan = (Deploy(ship=S1, at=at, vector=way),)
    orders += (Turn(ship=S1, steps=1),) if turns else ()
    there = as_deployed(SET_UP, orders)
    assert (there.own[0].square, there.own[0].vector) == (at, way)
    assert after_plot(there, there.own[0], orders) == after_plot(SET_UP, KITE, orders)


@pytest.mark.parametrize("phase", [Phase.SCAN, Phase.DETECT, Phase.ENGAGE])
def test_outside_plot_a_route_is_drawn_to_where_its_next_leg_ends(phase: Phase) -> None:
    terminal = Standing(FLYING)
    session = terminal.session
    session.layers = ("ghosts",)
    told(session, "go S1 20,20 stop")
    (route,) = session.intent.policy.routes
    first, second = route.legs[0].flight, route.legs[1].flight
    playing = Playing(terminal, TITLE)
    assert ghosts_of(playing, S1) == [first.square]
    opened(session, at_turn(after(session.view, planned(session)), FLYING.stage.turn, phase))
    assert ghosts_of(playing, S1) == [second.square]


def test_a_ship_that_has_left_its_route_is_drawn_adrift() -> None:
    terminal = Standing(FLYING)
    session = terminal.session
    session.layers = ("ghosts",)
    told(session, "go S1 20,20 stop")
    pushed = replace(KITE, square=Square(5, 30), vector=Vector(0, -2))
    seen = replace(FLYING, own=(pushed, MOTH))
    opened(session, at_turn(seen, FLYING.stage.turn, Phase.SCAN))
    assert ghosts_of(Playing(terminal, TITLE), S1) == [Square(5, 28)]


HIDDEN = replace(KITE, cloak=True, cloaked=True)
SCANNING = view(Phase.SCAN, slot="A", own=(HIDDEN, MOTH))
BEFORE = WindowId("4.plot")


def test_the_map_opens_with_a_ship_that_can_act() -> None:
    assert first_pointer(SCANNING) == Pointer(MOTH.square, S2)
    none_can = replace(SCANNING, own=(HIDDEN, replace(MOTH, cloak=True, cloaked=True)))
    assert first_pointer(none_can) == Pointer(HIDDEN.square, S1)


@pytest.mark.parametrize(
    ("at", "led"),
    [
        pytest.param(HIDDEN.square, MOTH.square, id="at an own ship"),
        pytest.param(TRACK.square, TRACK.square, id="elsewhere"),
    ],
)
def test_in_a_new_window_a_ship_that_can_act_takes_over(at: Square, led: Square) -> None:
    pointer = Pointer(at, S1)
    assert in_window(SCANNING, pointer, BEFORE) == Pointer(led, S2)
    assert in_window(SCANNING, pointer, SCANNING.stage.window) == pointer
    assert in_window(SCANNING, Pointer(at, S2), BEFORE) == Pointer(at, S2)


async def test_the_map_points_at_a_ship_that_can_scan_after_a_plot_of_another() -> None:
    plot, scan = frame(1, view(own=(HIDDEN, MOTH))), frame(2, SCANNING)
    async with full_screen_of((plot, scan), awaits=("4.scan.A",)) as shown:
        await shown.press("f1")
        assert shown.board.pointer == Pointer(MOTH.square, S2)


@pytest.mark.parametrize("phase", [Phase.DETECT, Phase.ENGAGE])
def test_a_contact_beside_an_own_ship_is_named_where_pointing_aims(phase: Phase) -> None:
    near = replace(TRACK, square=MOTH.square)
    assert named_at(view(phase, contacts=(near,)), MOTH.square) == near.label
    assert named_at(view(Phase.PLOT, contacts=(near,)), MOTH.square) == S2


def test_the_card_names_the_ship_that_acts_wherever_one_points() -> None:
    seen = view(Phase.ENGAGE)
    playing = Playing(Standing(seen), TITLE)
    first = playing.card(Pointer(MOTH.square, S1)).lines[0]
    assert first.startswith("way of S1: fire B1")
    alone = Playing(Standing(replace(seen, own=(KITE,))), TITLE)
    assert alone.card(Pointer(MOTH.square, S1)).lines[0].startswith("way: fire B1")


def test_a_shot_that_is_refused_where_one_points_names_no_other_target() -> None:
    aside = replace(CONTACT, square=Square(2, 38))
    seen = view(Phase.ENGAGE, contacts=(TRACK, aside))
    card = "\n".join(Playing(Standing(seen), TITLE).card(Pointer(aside.square, S1)).lines)
    assert f"fire S1.B1 {aside.label}: " in card
    assert TRACK.label not in card
