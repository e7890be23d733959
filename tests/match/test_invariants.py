"""What holds after every step: counts are never negative, a launch adds the piece it names."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.agentmatches import match_of, side_of, who
from builders.agents import AP1
from builders.data import CLASSES
from builders.ordnance import LANCER, S1, Battle, placed
from builders.truths import A1, A, B
from sunglare_arena.invariants import broken
from sunglare_arena.series import Series, run, scenario_called
from sunglare_protocol.geometry import Square, Vector
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Launch, Order
from sunglare_protocol.words.armament import Launchable
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.check.check import check
from sunglare_server.match.dice import Dice
from sunglare_server.match.events.space import FighterLaunched, PointsScored
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.record import Resigned
from sunglare_server.match.resolve import launching
from sunglare_server.match.state import Stepped
from sunglare_server.match.truth.truth import ShipTruth, Truth

FLIGHTS = 2
DISPENSERS = 2
TENDER = replace(
    LANCER, name="tender", flights=FLIGHTS, dispensers=DISPENSERS, remote=CLASSES["sensor-buoy"]
)
"""A class that launches everything: two flights, a sensor from each of two dispensers, volleys."""

MISSILES, FIGHTER, REMOTE = Launchable.MISSILES, Launchable.FIGHTER, Launchable.REMOTE
KINDS = {MISSILES: PieceKind.MISSILE, FIGHTER: PieceKind.FIGHTER, REMOTE: PieceKind.REMOTE}

WANTED = [
    Launch(ship=S1, what=FIGHTER),
    Launch(ship=S1, what=REMOTE),
    Launch(ship=S1, what=REMOTE),
    Launch(ship=S1, what=MISSILES, weapon="M1", at=Square(20, 20)),
    Launch(ship=S1, what=MISSILES, weapon="M2", at=Square(18, 22), cold=True),
]


def tender() -> Battle:
    return Battle(placed(A, 1, TENDER, (18, 18)), placed(B, 1, LANCER, (35, 35)))


def kinds_of(fight: Battle) -> Counter[PieceKind]:
    """Return how many pieces of each kind the truth has ever had of side A."""
    return Counter(ship.type.kind for ship in fight.course.state.truth.ships_of(A))


def allowed(fight: Battle, wanted: list[Order]) -> tuple[Order, ...]:
    """Return those of the orders that go together and are legal."""
    fight.course.close_until(Phase.PLOT)
    given_: tuple[Order, ...] = ()
    for order in wanted:
        if check(fight.view(A), (*given_, order)) is None:
            given_ = (*given_, order)
    return given_


@pytest.mark.parametrize("what", list(Launchable), ids=lambda value: value.value)
def test_a_launch_in_space_adds_one_piece_of_the_kind_named(what: Launchable) -> None:
    fight = tender()
    before = kinds_of(fight)
    order = next(launch for launch in WANTED if launch.what is what)
    fight.plot({A: (order,)})
    assert kinds_of(fight) - before == Counter({KINDS[what]: 1})
    left = fight.own(A, S1).flights
    assert left == FLIGHTS - (what is FIGHTER)


def test_remote_sensors_bring_no_fighters_however_many_are_launched() -> None:
    fight = tender()
    for _ in range(FLIGHTS + 2):
        fight.turn({A: (Launch(ship=S1, what=REMOTE),)})
    assert fight.own(A, S1).flights == FLIGHTS
    assert kinds_of(fight)[PieceKind.FIGHTER] == 0


PLOTS = st.lists(st.lists(st.sampled_from(WANTED), max_size=7), min_size=1, max_size=4)


@given(PLOTS)
def test_whatever_is_launched_the_invariants_hold_and_the_hangar_empties(
    plots: list[list[Order]],
) -> None:
    fight = tender()
    flights = 0
    for wanted in plots:
        before, orders = kinds_of(fight), allowed(fight, wanted)
        fight.plot({A: orders})
        named = Counter(KINDS[order.what] for order in orders if isinstance(order, Launch))
        assert kinds_of(fight) - before == named
        flights += named[PieceKind.FIGHTER]
        assert fight.own(A, S1).flights == FLIGHTS - flights >= 0
    states = [step.state for step in fight.course.steps]
    found = [
        broken(before, after)
        for before, after in zip([None, *states], fight.course.steps, strict=False)
    ]
    assert not any(found)


def last(fight: Battle, *orders: Order) -> tuple[Stepped, Stepped]:
    """Return the last two steps after a PLOT with these orders."""
    fight.plot({A: orders})
    before, after = fight.course.steps[-2:]
    return before, after


def flight_beside(launcher: ShipTruth, own: str) -> FighterLaunched:
    """Return that a ship has launched a flight of that name."""
    return FighterLaunched(
        piece=piece_id(launcher.side, OwnId(own)),
        own=OwnId(own),
        launcher=launcher.id,
        square=launcher.square,
        vector=launcher.vector,
        facing=launcher.facing,
    )


def with_ship(stepped: Stepped, **changes: object) -> Stepped:
    """Return the step as if A's ship had come out of it changed."""
    truth = stepped.state.truth
    ships = {**truth.ships, A1: replace(truth.ships[A1], **changes)}
    return replace(stepped, state=replace(stepped.state, truth=replace(truth, ships=ships)))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"launched": FLIGHTS + 1}, "truth.ships[A/S1].flights is -1"),
        ({"damage": -2}, "truth.ships[A/S1].damage is -2"),
        ({"heat": -1}, "truth.ships[A/S1].heat is -1"),
    ],
    ids=["flights", "damage", "heat"],
)
def test_a_negative_count_is_found_and_named(changes: dict[str, object], words: str) -> None:
    before, after = last(tender())
    assert broken(before.state, after) == ()
    assert broken(before.state, with_ship(after, **changes)) == (words,)
    assert broken(None, with_ship(after, **changes)) == (words,)


def test_a_vector_that_points_west_and_north_is_no_negative_count() -> None:
    before, after = last(tender())
    changed = with_ship(after, vector=Vector(-2, -3), square=Square(-1, 4))
    assert broken(before.state, changed) == ()
    assert broken(None, changed) == ()


@pytest.mark.parametrize("ordered", [REMOTE, FIGHTER], ids=["a sensor", "a flight"])
def test_a_flight_beside_what_was_ordered_is_found(ordered: Launchable) -> None:
    before, after = last(tender(), next(order for order in WANTED if order.what is ordered))
    truth = after.state.truth
    event = flight_beside(truth.ships[A1], "F9")
    extra = replace(truth.ships[A1], id=event.piece, type=CLASSES["fighter"], launched=0)
    more = replace(truth, ships={**truth.ships, extra.id: extra})
    forged = replace(after, state=replace(after.state, truth=more), events=(*after.events, event))
    rightly = int(ordered is FIGHTER)
    assert broken(before.state, forged) == (
        f"A/S1 launched {rightly + 1} fighter in the place of {rightly}",
    )


def test_a_launch_that_adds_nothing_is_found_unless_its_ship_has_left_space() -> None:
    before, after = last(tender(), WANTED[0])
    gone = {piece: ship for piece, ship in after.state.truth.ships.items() if "F" not in piece}
    truth = replace(after.state.truth, ships=gone)
    lost = replace(after, state=replace(after.state, truth=truth))
    assert broken(before.state, lost) == ("A/S1 launched 0 fighter in the place of 1",)


def test_a_ship_that_leaves_the_map_may_launch_nothing() -> None:
    fight = Battle(placed(A, 1, TENDER, (0, 5), (-3, 0)), placed(B, 1, LANCER, (35, 35)))
    before, after = last(fight, WANTED[0])
    assert not after.state.truth.ships[A1].in_play
    assert broken(before.state, after) == ()


def test_what_was_ordered_when_the_other_side_gave_up_is_not_launched_any_more() -> None:
    fight = tender()
    fight.course.close_until(Phase.PLOT)
    fight.course.orders(A, WANTED[0])
    before = fight.course.state
    after = fight.course.put(Resigned(), B)
    assert after.state.is_over
    assert broken(before, after) == ()


@pytest.mark.parametrize("phase", [Phase.PLOT, Phase.SCAN, Phase.DETECT])
def test_detection_that_has_not_spread_by_the_close_of_a_window_is_found(phase: Phase) -> None:
    course = match_of(side_of(who("Rusk"), who("Vane")), side_of(who("Dray")))
    course.close_until(phase)
    before = course.state
    course.close()
    after = course.steps[-1]
    assert broken(before, after) == ()
    agents = after.state.truth.agents
    one_seen = {**agents, AP1: replace(agents[AP1], detected=True)}
    truth = replace(after.state.truth, agents=one_seen)
    forged = replace(after, state=replace(after.state, truth=truth))
    assert broken(before, forged) == ("A/P2 is not detected by those around",)


def test_the_arena_ends_a_match_that_breaks_an_invariant_and_says_which(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def a_flight_for_all(
        truth: Truth, ship: ShipTruth, _order: Launch, taken: list[PieceId], _dice: Dice
    ) -> FighterLaunched:
        return flight_beside(ship, f"F{len(truth.ships) + len(taken)}")

    monkeypatch.setattr(launching, "_launch", a_flight_for_all)
    scenario = scenario_called("blip-parade")
    series = Series(scenario=scenario, bots=("scout", "scout"), matches=1, turns=3)
    with pytest.raises(RuntimeError, match=r"game 0: truth.ships\[\w/S\d\].flights is -1"):
        run(series)


def test_more_points_than_what_was_destroyed_is_worth_are_found() -> None:
    before, after = last(tender())
    worth = TENDER.points
    lost = with_ship(after, fate=Fate.DESTROYED)
    scored = PointsScored(side=B, points=worth, why="destroy", is_known=True)
    assert broken(before.state, replace(lost, events=(scored,))) == ()
    assert broken(before.state, replace(lost, events=(scored, scored))) == (
        f"{2 * worth} points were given for what was worth {worth}",
    )


def test_more_points_for_what_left_the_map_than_it_is_worth_to_each_other_side_are_found() -> None:
    before, after = last(tender())
    worth, others = TENDER.points, len(before.state.standing.sides) - 1
    left = with_ship(after, fate=Fate.ESCAPED)
    scored = PointsScored(side=B, points=worth, why="lost", is_known=False)
    assert broken(before.state, replace(left, events=(scored,) * others)) == ()
    assert broken(before.state, replace(left, events=(scored,) * (others + 1))) == (
        f"{(others + 1) * worth} points were given to {others} sides for what was worth {worth}",
    )
