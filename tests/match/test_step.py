"""A match as a fold of its records: the start and the windows."""

import msgspec
import pytest
from msgspec.structs import replace

from builders.data import shipped
from builders.matches import FOUR, TEST, TWO, Course, opened
from builders.truths import A1, B1, C1, D1, MATCH, SEED, A, B, C, D, only
from sunglare_protocol.geometry import Planet, PlanetSize, Square, Vector, box_of
from sunglare_protocol.ids import PUBLIC, Audience, WindowId
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.sensors.sectors import in_body
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.data.scenario import Scenario, ShipEntry, SideSetup
from sunglare_server.match.dice import match_seed
from sunglare_server.match.events.space import InitiativeRolled, ScanDeclared
from sunglare_server.match.record import (
    RECORD_VERSION,
    ChatSaid,
    Closed,
    Kind,
    Opened,
    OrdersGiven,
    Record,
    RecordError,
    Resigned,
    Seat,
    WindowDue,
)
from sunglare_server.match.state import MatchState
from sunglare_server.match.step import step

ROSTERS = (("Lone wolf", 1), ("Two wolves", 2), ("Three wolves", 3))


# The start.


def test_a_match_begins_in_plot_of_turn_1_with_the_initiative_drawn() -> None:
    course = Course(FOUR)
    standing = course.state.standing
    assert (standing.turn, standing.phase, standing.window) == (1, Phase.PLOT, "1.plot")
    assert sorted(standing.initiative) == [A, B, C, D]
    assert [type(event) for event in course.steps[0].events] == [InitiativeRolled]


def test_fixed_ships_stand_where_the_scenario_puts_them() -> None:
    ships = Course(FOUR).state.truth.ships
    assert {piece: one.square for piece, one in ships.items()} == {
        A1: (5, 30),
        B1: (30, 5),
        C1: (5, 5),
        D1: (30, 30),
    }


def seats(*entropies: bytes) -> Opened:
    made = opened(TWO, TEST)
    both = zip((A, B), entropies, strict=True)
    return replace(
        made, seats=tuple(Seat(side=side, account="x", entropy=some) for side, some in both)
    )


def state_after(body: Opened) -> MatchState:
    record = Record(v=RECORD_VERSION, m=MATCH, n=1, k=Kind.OPEN, t=0, b=body)
    return step(None, record).state


@pytest.mark.parametrize(
    ("entropies", "counted"),
    [
        ((b"one", b"two"), (b"one", b"two")),
        ((b"one", b""), (b"one",)),
        ((b"", b"two"), (b"two",)),
        ((b"", b""), ()),
    ],
    ids=["both", "the first", "the second", "none"],
)
def test_a_seat_that_revealed_nothing_is_left_out_of_the_seed(
    entropies: tuple[bytes, bytes], counted: tuple[bytes, ...]
) -> None:
    assert state_after(seats(*entropies)).seed == match_seed(SEED, counted)


def in_zones(scenario: Scenario, seed: int) -> MatchState:
    return Course(scenario, seed=bytes([seed]) * 32).state


@pytest.mark.parametrize("name", ["shadow-of-ceres", "four-corners"])
def test_the_dice_place_ships_in_the_zone_of_their_side_at_rest(name: str) -> None:
    scenario = shipped().scenarios[name]
    seen = set()
    for seed in range(30):
        for one in in_zones(scenario, seed).truth.ships.values():
            seen.add(one.square)
            assert box_of(one.square).name in scenario.data.sides[one.side].zone
            assert not in_body(scenario.board, one.square)
            assert one.vector == Vector(0, 0)
    assert len(seen) > 30
    assert in_zones(scenario, 1).truth == in_zones(scenario, 1).truth


def test_a_zone_with_a_planet_in_it_leaves_its_body_free() -> None:
    juno = Planet(name="Juno", at=Square(7, 7), size=PlanetSize.LARGE)
    setups = {
        A: SideSetup(zone=("B2",), ships=(ShipEntry(name="One", type="frigate"),)),
        B: SideSetup(zone=("F6",), ships=(ShipEntry(name="Two", type="frigate"),)),
    }
    data = replace(TWO.data, sides=setups, fixed=False, planets=(juno,))
    squares = {
        in_zones(replace(TWO, data=data), seed).truth.ships[A1].square for seed in range(150)
    }
    free = {(x, y) for x in range(5, 10) for y in range(5, 10)} - {
        (x, y) for x in (6, 7, 8) for y in (6, 7, 8)
    }
    assert squares == free


def test_the_dice_draw_one_of_several_rosters_and_nobody_else_is_told_which() -> None:
    rosters = tuple((ShipEntry(name=name, type="frigate"),) * count for name, count in ROSTERS)
    setups = {
        A: SideSetup(zone=("B2",), drawn=rosters),
        B: SideSetup(zone=("F6",), ships=(ShipEntry(name="Two", type="frigate"),)),
    }
    scenario = replace(TWO, data=replace(TWO.data, sides=setups, fixed=False))
    drawn = set()
    for seed in range(60):
        course = Course(scenario, seed=bytes([seed]) * 32)
        names = [one.name for one in course.state.truth.ships_of(A)]
        drawn.add((names[0], len(names)))
        for audience in (B, PUBLIC):
            [sent] = course.sent[Audience(audience)]
            assert not [name for name, _ in ROSTERS if name.encode() in msgspec.json.encode(sent)]
    assert drawn == set(ROSTERS)


# Windows.


def test_a_turn_of_two_sides_has_five_windows_and_slots_in_reverse_initiative() -> None:
    course = Course(TWO)
    first, second = course.state.standing.initiative
    names, slots = [], []
    for _ in range(5):
        names.append(course.state.standing.window)
        slots.append(course.state.standing.slot_side)
        course.close()
    assert names == ["1.plot", "1.scan.1", "1.scan.2", "1.detect", "1.engage"]
    assert slots == [None, second, first, None, None]
    assert course.state.standing.window == "2.plot"


def test_sealed_slots_are_one_window_resolved_in_reverse_initiative() -> None:
    course = Course(TWO, MatchOptions(clock="test", scan_slots="sealed"))
    course.close()
    assert course.state.standing.window == "1.scan"
    for side in (A, B):
        course.orders(side, "scan S1 mass 1box D4 nosense")
    made = only(course.close().events, ScanDeclared)
    order = course.state.standing.initiative
    assert [event.piece[0] for event in made] == list(reversed(order))
    assert course.state.standing.window == "1.detect"


def test_orders_are_sealed_until_the_window_closes() -> None:
    course = Course(TWO)
    before = course.everywhere()
    stepped = course.orders(A, "thrust S1 N")
    assert (stepped.posts, stepped.events) == ((), ())
    assert course.everywhere() == before


def test_orders_that_come_later_replace_those_before() -> None:
    course = Course(TWO)
    course.orders(A, "thrust S1 N", lock=False)
    course.orders(A, "thrust S1 NE")
    course.close()
    assert course.state.truth.ships[A1].square == Square(6, 29)


def test_orders_are_used_unlocked_when_the_window_closes_and_only_there() -> None:
    course = Course(TWO)
    course.orders(A, "thrust S1 N", lock=False)
    course.close()
    assert course.state.truth.ships[A1].square == Square(5, 29)
    assert course.state.staged == {}


def test_a_window_waits_for_every_seat_that_has_a_say() -> None:
    course = Course(TWO)
    assert [*course.state.awaited] == [A, B]
    course.orders(A)
    assert [course.state.awaits(side) for side in (A, B)] == [False, True]
    course.orders(B, lock=False)
    assert [*course.state.awaited] == [B]
    course.orders(B)
    assert [*course.state.awaited] == []


def test_a_seat_whose_slot_it_is_not_counts_as_locked() -> None:
    course = Course(TWO)
    course.close()
    slot = course.state.standing.slot_side
    assert [side for side in (A, B) if course.state.awaits(side)] == [slot]


@pytest.mark.parametrize("window", ["1.scan.1", "2.plot", "1.PLOT", ""])
def test_a_deadline_of_another_window_is_a_damaged_record(window: str) -> None:
    course = Course(TWO)
    with pytest.raises(RecordError):
        course.put(WindowDue(window=WindowId(window)), kind=Kind.TICK)


def test_a_command_without_a_seat_is_a_damaged_record() -> None:
    course = Course(TWO)
    for body in (
        ChatSaid(text="hello"),
        Resigned(),
        OrdersGiven(window=WindowId("1.plot"), rev=1, orders=(), lock=True),
    ):
        with pytest.raises(RecordError):
            course.put(body)


def test_a_match_is_opened_once_and_by_its_first_record() -> None:
    course = Course(TWO)
    with pytest.raises(RecordError):
        course.put(opened(TWO, TEST), kind=Kind.OPEN)
    record = Record(v=RECORD_VERSION, m=MATCH, n=1, k=Kind.CLOSE, t=0, b=Closed())
    with pytest.raises(RecordError):
        step(None, record)
