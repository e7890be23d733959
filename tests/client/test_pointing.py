"""Pointing at a place of the map, and the command that it means in each window."""

from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.desks import SCENES, frames_of, view_in
from builders.terminals import KITE, LANCER, MOTH, S1, S2, VOLLEY, ship, view
from sunglare_client.bot import is_asked
from sunglare_client.command import Clear, Give, Plan
from sunglare_client.fullscreen.pointing.pointing import (
    Pointer,
    acting,
    first_pointer,
    in_window,
    line_at,
    meaning,
    moved,
    next_contact,
    next_ship,
    next_way,
    resized,
    ways,
)
from sunglare_client.fullscreen.pointing.ways import Meaning, is_taken
from sunglare_client.terminal.input.parser import parse
from sunglare_client.terminal.staging import added, cleared
from sunglare_protocol.geometry import Compass, Square, Vector, box_named
from sunglare_protocol.ids import Side
from sunglare_protocol.views import Crew, View
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.reach import burn_ends
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.advice.seen.plotting import after_plot

HERE = KITE.square


def way_names(view: View, pointer: Pointer, plan: Plan = ()) -> tuple[str, ...]:
    return tuple(way.name for way in ways(view, pointer, plan))


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
        (Phase.PLOT, "", "burn S1 +2,-2"),
        (Phase.PLOT, "face", "face S1 NE"),
        (Phase.PLOT, "sensors in", "sensors S1 in"),
        (Phase.PLOT, "power off", "power S1 off"),
        (Phase.SCAN, "", "scan S1 visual 1box B5"),
        (Phase.SCAN, "radar", "scan S1 radar 1box B5"),
        (Phase.DETECT, "", "listen S1"),
        (Phase.DETECT, "sweep", "sweep S1"),
        (Phase.DETECT, "listen off", "listen S1 off"),
    ],
)
def test_a_place_means_one_command_in_each_window_and_way(
    phase: Phase, way: str, line: str
) -> None:
    pointer = Pointer(HERE.moved(Vector(2, -3)), S1, way)
    slot = "A" if phase is Phase.SCAN else None
    assert line_at(view(phase, slot=slot), pointer) == line


def test_where_a_ship_drifts_anyhow_means_that_it_drifts() -> None:
    assert line_at(view(), Pointer(HERE.moved(KITE.vector), S1)) == "drift S1"


def test_a_ship_that_cannot_turn_so_far_turns_as_far_as_it_can() -> None:
    behind, slow = Pointer(HERE.moved(Vector(1, 6)), S1, "face"), ship(KITE, crew=Crew())
    assert line_at(view(own=(slow,)), behind) == "face S1 NE"
    assert line_at(view(own=(ship(slow, facing=Compass.E),)), behind) == "face S1 SE"


def test_a_weapon_is_fired_at_what_stands_there_and_at_nothing_else() -> None:
    seen = view(Phase.ENGAGE)
    target = seen.contacts[0]
    assert line_at(seen, Pointer(target.square, S1)) == f"fire S1.B1 {target.label}"
    assert line_at(seen, Pointer(target.square, S1, "fire P1")) == f"fire S1.P1 {target.label}"
    assert line_at(seen, Pointer(Square(0, 0), S1)) == ""


def test_a_weapon_that_bears_on_nothing_is_not_offered() -> None:
    far = replace(view(Phase.ENGAGE).contacts[0], square=Square(39, 0))
    seen = replace(view(Phase.ENGAGE), contacts=(far,))
    assert not any(name.startswith("fire") for name in way_names(seen, first_pointer(seen)))


def test_missiles_are_launched_at_a_place_and_sent_elsewhere() -> None:
    seen = view(own=(LANCER, VOLLEY))
    assert line_at(seen, Pointer(Square(9, 20), S1, "launch M1")) == "launch S1.M1 9,20"
    assert line_at(seen, Pointer(Square(9, 20), VOLLEY.id)) == "aim M1 9,20"


def test_a_scan_is_as_large_as_one_chooses() -> None:
    seen, pointer = view(Phase.SCAN, slot="A"), Pointer(HERE, S1)
    sizes = [line_at(seen, resized(pointer, step)).split()[3] for step in (-9, -1, 0, 1, 9)]
    assert sizes == ["1sq", "3sq", "1box", "3box", "3box"]


def test_scans_that_the_sensors_cannot_make_are_not_offered() -> None:
    whole = view(Phase.SCAN, slot="A")
    folded = view(Phase.SCAN, slot="A", own=(ship(KITE, popped_out=False),))
    assert way_names(whole, Pointer(HERE, S1))[0] == "visual"
    assert "visual" not in way_names(folded, Pointer(HERE, S1))


def test_switches_are_offered_to_what_they_are_not() -> None:
    cold = view(own=(ship(KITE, powered=False, popped_out=False),))
    names = way_names(cold, Pointer(HERE, S1))
    assert {"power on", "sensors out"} <= {*names}
    assert not {"power off", "sensors in"} & {*names}


def test_without_power_no_burn_is_offered() -> None:
    cold = view(own=(ship(KITE, powered=False),))
    assert "burn" not in way_names(cold, Pointer(HERE, S1))


def test_a_way_that_was_chosen_stays_chosen_when_it_is_given() -> None:
    seen, pointer = view(), Pointer(HERE, S1, "power off")
    plan = planned(seen, (), line_at(seen, pointer))
    assert line_at(seen, pointer, plan) == "power S1 off"
    assert planned(seen, plan, line_at(seen, pointer, plan)) == plan


def test_the_ways_are_gone_through_in_their_order() -> None:
    seen, pointer = view(), Pointer(HERE, S1)
    names = way_names(seen, pointer)
    found = [pointer := next_way(seen, (), pointer, 1) for _ in names]
    assert [one.way for one in found] == [*names[1:], names[0]]
    assert next_way(seen, (), Pointer(HERE, S1), -1).way == names[-1]


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
    assert meaning(seen, pointer) == Meaning()
    assert next_way(seen, (), pointer, 1).way == ""
    assert next_ship(seen, pointer) == pointer


@given(VIEWS)
def test_a_window_begins_with_the_first_ship_that_has_a_way_to_act(seen: View) -> None:
    ships = ships_in_play(seen)
    able = [one.id for one in ships if way_names(seen, Pointer(one.square, one.id))]
    first = first_pointer(seen)
    assert first.own == next(iter(able or [one.id for one in ships]), None)
    for own in (one.id for one in ships):
        led = in_window(seen, first._replace(own=own, way="burn"), None)
        assert led.own == (own if own in able or not able else able[0])


@given(VIEWS, st.integers(-80, 80), st.integers(-80, 80))
def test_the_pointer_never_leaves_the_map(seen: View, dx: int, dy: int) -> None:
    assert moved(first_pointer(seen), seen.board, Vector(dx, dy)).square in seen.board


def planned(seen: View, plan: Plan, line: str) -> Plan:
    """Return the plan after a command."""
    command = parse(line, seen, plan)
    assert isinstance(command, Give | Clear), line
    return added(plan, command) if isinstance(command, Give) else cleared(plan, command)


def pointer_of(seen: View, plan: Plan, data: st.DataObject) -> Pointer:
    """Return a pointer at any square, or one where something is, with any way of a ship."""
    area = seen.board.area
    square = data.draw(
        st.one_of(
            st.builds(Square, st.integers(0, area.east), st.integers(0, area.south)),
            st.sampled_from(places(seen)),
        ),
        label="square",
    )
    ships = [own.id for own in ships_in_play(seen)]
    own = data.draw(st.sampled_from(ships), label="ship") if ships else None
    pointer = Pointer(square, own, "", data.draw(st.integers(0, 3), label="size"))
    names = way_names(seen, pointer, plan)
    return pointer._replace(way=data.draw(st.sampled_from(names), label="way") if names else "")


def places(seen: View) -> list[Square]:
    """Return squares at which something is likely to be meant."""
    around = [Vector(dx, dy) for dx in range(-2, 3) for dy in range(-2, 3)]
    known = [own.square.moved(way) for own in seen.own for way in around]
    known += [contact.square for contact in seen.contacts]
    known += [box_named(name).centre for name in seen.zone]
    return [square for square in known if square in seen.board] or [Square(0, 0)]


@given(VIEWS, st.data())
def test_whatever_one_points_at_is_taken_beside_what_was_given_so(
    seen: View, data: st.DataObject
) -> None:
    plan: Plan = ()
    for _ in range(4):
        line = line_at(seen, pointer_of(seen, plan, data), plan)
        if line:
            plan = planned(seen, plan, line)
            assert check(seen, plan) is None, line


@given(VIEWS, st.data())
def test_every_way_that_is_offered_means_something_somewhere(
    seen: View, data: st.DataObject
) -> None:
    pointer = pointer_of(seen, (), data)
    for way in ways(seen, pointer, ()):
        here = [*way.reach, *places(seen)]
        assert any(is_taken(seen, (), line) for line in map(way.line, here) if line), way.name


@given(VIEWS, st.data())
def test_the_names_of_the_ways_do_not_depend_on_what_was_given(
    seen: View, data: st.DataObject
) -> None:
    pointer = pointer_of(seen, (), data)
    line = line_at(seen, pointer)
    given_so = planned(seen, (), line) if line else ()
    assert way_names(seen, pointer, given_so) == way_names(seen, pointer)


def test_what_would_be_refused_beside_the_plan_is_not_offered_but_says_why() -> None:
    seen = view()
    plan = planned(seen, (), "burn S1 +0,-1")
    behind = Pointer(HERE.moved(Vector(0, 9)), S1, "face")
    found = meaning(seen, behind, plan)
    assert (found.line, found.command) == ("", found.vain)
    assert found.vain.startswith("face S1")


@given(VIEWS, st.data())
def test_the_reach_of_a_ship_are_the_squares_to_which_it_can_be_pointed(
    seen: View, data: st.DataObject
) -> None:
    plan: Plan = ()
    if turns := [way for way in way_names(seen, first_pointer(seen)) if way == "face"]:
        pointer = pointer_of(seen, plan, data)._replace(way=turns[0])
        plan = planned(seen, plan, line) if (line := line_at(seen, pointer)) else plan
    for own in ships_in_play(seen):
        ends = burn_ends(seen, own, plan)
        for end in _some(data, ends):
            line = line_at(seen, Pointer(end, own.id, "burn"), plan)
            assert line.startswith("burn "), line
            whole = planned(seen, plan, line)
            assert check(seen, whole) is None
            assert after_plot(seen, own, whole).square == end
        if "burn" in way_names(seen, Pointer(own.square, own.id)):
            for end in _some(data, places(seen)):
                line = line_at(seen, Pointer(end, own.id, "burn"), plan)
                assert line.startswith("burn ") == (end in ends)


def _some(data: st.DataObject, squares: Collection[Square]) -> list[Square]:
    """Return a few of these squares."""
    return data.draw(st.lists(st.sampled_from(sorted(squares)), max_size=6)) if squares else []


def test_a_ship_reaches_what_its_thrust_adds_to_its_drift_ahead_and_beside() -> None:
    adrift = KITE.square.moved(KITE.vector)
    ends = {adrift.to(end) for end in burn_ends(view(), ship(KITE, thrust=2), ())}
    one = {(-1, -1), (0, -1), (1, -1)}
    two = {(-2, -2), (-1, -2), (0, -2), (1, -2), (2, -2)}
    assert ends == one | two


def test_outside_plot_no_reach_is_shown() -> None:
    assert burn_ends(view(Phase.ENGAGE), KITE, ()) == ()


@given(VIEWS)
def test_going_through_the_contacts_comes_to_each_of_their_squares(seen: View) -> None:
    pointer, found = first_pointer(seen), set()
    for _ in seen.contacts:
        pointer = next_contact(seen, pointer)
        found.add(pointer.square)
    squares = [contact.square for contact in seen.contacts if contact.fate.value == "in_play"]
    assert len(squares) > len({*squares}) or found >= {*squares}
