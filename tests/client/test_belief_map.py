"""The belief map window by window: what strikes squares off, what sets pieces down on them."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.views import BOARD, ON_CERES, ON_ROCK, contact, own_ship, view
from sunglare_client.bots.sightings.beliefmap import BeliefMap
from sunglare_client.bots.sightings.trails import Bounds, Trail
from sunglare_protocol.geometry import Area, Compass, Landing, Place, Square, Vector, box_of
from sunglare_protocol.ids import Side
from sunglare_protocol.notices import ScanAnswered
from sunglare_protocol.replay.analysis import Basis
from sunglare_protocol.views import CloakRules, ContactView, HabitView, OwnView, View
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.scans import Echo, ScanSize, ScanType
from sunglare_rules.advice.odds.candidates import landed_scanners
from sunglare_rules.advice.odds.whereabouts import Whereabouts
from sunglare_rules.sensors.areas import scan_area
from sunglare_rules.sensors.masks import Stride, area_mask, mask_of, masks_of, squares_in
from sunglare_rules.sensors.questions import answers
from sunglare_rules.turn.movement import Flight, MoveEnding, ending, flown, thrust_headings

A, B = Side("A"), Side("B")

ZONE = ("G7", "H8")
"""The boxes in which the enemy sets up."""

SPACE = masks_of(BOARD).space

TRACK = contact(
    fix=Fix.TRACKED,
    square=Square(20, 22),
    vector=Vector(1, -2),
    facing=Compass.E,
    size=Echo.MEDIUM,
)


def seen(*views: View, thrust: int = 12, speed: int | None = None) -> BeliefMap:
    """Return the map of side A after these views."""
    told = BeliefMap(A, ZONE, thrust=thrust, speed=speed)
    for one in views:
        told.see(one)
    return told


def spot(told: BeliefMap) -> Whereabouts:
    """Return the only suspect."""
    (found,) = told.suspects()
    return found


def set_up() -> View:
    """Return the first view of a match."""
    return view(Phase.PLOT, turn=1, zone=("A1",))


HABIT = HabitView(
    turn=3, square=Square(7, 27), type=ScanType.VISUAL, size=ScanSize.BOX, at=Square(22, 22)
)
"""A scan by eye of box E5, in sunlight."""


def scanner(habit: HabitView = HABIT, rating: int = 4) -> OwnView:
    """Return the frigate after a scan."""
    return own_ship(sensors={ScanType.VISUAL: rating}, habit=habit)


SCANNED = area_mask(BOARD, Area(20, 20, 24, 24))


def test_a_map_that_has_seen_nothing_says_so() -> None:
    told = BeliefMap(A, ZONE)
    with pytest.raises(ValueError, match="no view yet"):
        _ = told.weights
    assert told.possible == 0
    assert told.suspects() == ()


def test_the_enemy_starts_in_its_zones_in_space() -> None:
    told = seen(set_up())
    assert {box_of(square).name for square in told.squares()} == set(ZONE)
    assert told.may_hold(Square(30, 30))
    assert not told.may_hold(Square(29, 30))
    assert told.weights.peak(Square(0, 0)) == Square(32, 32)


def test_who_is_placed_by_the_scenario_or_comes_late_begins_with_the_whole_map() -> None:
    for first in (replace(set_up(), zone=()), view(Phase.PLOT, turn=4)):
        assert seen(first).possible == SPACE


def test_the_bounds_given_say_how_far_the_enemy_may_come() -> None:
    moved = view(Phase.SCAN, turn=1)
    near = seen(set_up(), moved, thrust=1)
    # At most two squares of its start, one of thrust, and one that the planet pulls.
    assert near.may_hold(Square(30 - 4, 30))
    assert not near.may_hold(Square(30 - 5, 30))
    slow = seen(set_up(), moved, thrust=1, speed=1)
    assert not slow.may_hold(Square(30 - 2, 30))
    assert seen(set_up(), moved).may_hold(Square(30 - 15, 30))


@given(
    st.builds(Square, st.integers(0, 39), st.integers(0, 39)),
    st.builds(Vector, st.integers(-4, 4), st.integers(-4, 4)),
    st.sampled_from(Compass),
    st.integers(-1, 1),
    st.lists(st.integers(0, 2), max_size=12),
)
def test_every_flight_that_the_rules_allow_is_on_the_trail(
    start: Square, vector: Vector, facing: Compass, turn: int, burns: list[int]
) -> None:
    headings = thrust_headings(facing.turned(turn))
    end = flown(BOARD, Flight(start, vector, facing), turn, tuple(headings[n] for n in burns))
    trail = Trail(
        mask_of(BOARD, (start,)), Stride(vector.dx, vector.dx), Stride(vector.dy, vector.dy)
    )
    after = trail.moved(BOARD, Bounds(12, 200))
    flies = ending(BOARD, end.square) is MoveEnding.FLIES
    assert bool(after.mask & mask_of(BOARD, (end.square,))) is flies
    assert after.east.least <= end.vector.dx <= after.east.most
    assert after.south.least <= end.vector.dy <= after.south.most


def test_what_is_held_stands_where_the_hold_says() -> None:
    told = seen(view(Phase.SCAN, contacts=(TRACK,)))
    assert spot(told)[:4] == ("C1", Basis.HELD, None, (TRACK.square,))
    assert told.may_hold(TRACK.square)


def test_what_is_held_is_possible_where_it_is_whatever_the_bounds_say() -> None:
    here = replace(TRACK, turn=1)
    told = seen(set_up(), view(Phase.SCAN, turn=1, contacts=(here,)), thrust=0, speed=0)
    assert told.may_hold(here.square)
    told.see(view(Phase.SCAN, turn=2))
    assert told.may_hold(here.square)
    assert not told.may_hold(Square(here.square.x + 1, here.square.y))


def test_a_lost_track_goes_on_for_as_long_as_it_tells_more_than_nothing() -> None:
    lost = replace(TRACK, fix=Fix.COASTING)
    views = [view(Phase.SCAN, turn=turn, contacts=(lost,)) for turn in (4, 5, 6)]
    told = BeliefMap(A, ZONE, thrust=2, speed=4)
    told.see(view(Phase.SCAN, contacts=(TRACK,)))
    sizes = []
    for one in views:
        told.see(one)
        sizes.append(len(spot(told).squares))
    assert 1 < sizes[0] < sizes[1] < sizes[2]
    assert spot(told).basis is Basis.LOST


def test_the_first_move_of_a_lost_track_is_reckoned_by_its_facing() -> None:
    lost = replace(TRACK, fix=Fix.COASTING)
    told = seen(view(Phase.SCAN, contacts=(TRACK,)), view(Phase.SCAN, turn=4, contacts=(lost,)))
    adrift = Square(21, 20)
    squares = spot(told).squares
    assert adrift in squares
    assert min(square.x for square in squares) == adrift.x
    assert max(square.x for square in squares) > adrift.x


def test_a_map_that_comes_late_to_a_lost_track_knows_as_much_of_it() -> None:
    lost = replace(TRACK, fix=Fix.COASTING)
    then = view(Phase.SCAN, turn=4, contacts=(lost,))
    assert spot(seen(then)).mask == spot(seen(view(Phase.SCAN, contacts=(TRACK,)), then)).mask


def test_what_may_be_a_volley_may_have_steered_anywhere_in_reach() -> None:
    volley = replace(TRACK, size=Echo.MISSILE, vector=Vector(0, 0))
    lost = replace(volley, fix=Fix.COASTING)
    told = seen(
        view(Phase.SCAN, contacts=(volley,)),
        view(Phase.SCAN, turn=4, contacts=(lost,)),
        thrust=0,
    )
    assert Square(20 - 10, 22) in spot(told).squares


@pytest.mark.parametrize("fate", [Fate.DESTROYED, Fate.ESCAPED])
def test_what_is_gone_is_suspected_no_longer(fate: Fate) -> None:
    gone = replace(TRACK, fix=Fix.MEMORY, fate=fate)
    assert seen(view(Phase.SCAN, contacts=(gone,))).suspects() == ()


def test_what_was_seen_to_land_stands_by_its_body() -> None:
    down = replace(TRACK, fix=Fix.MEMORY, landed=ON_CERES, square=Square(2, 2))
    assert spot(seen(view(Phase.SCAN, contacts=(down,)))).squares == (Square(14, 13),)


def test_a_scan_in_vain_strikes_off_where_even_a_cold_ship_would_have_been_found() -> None:
    told = seen(view(Phase.DETECT, scanner()))
    assert told.possible == SPACE & ~SCANNED


@pytest.mark.parametrize(
    ("ship", "change"),
    [
        pytest.param(scanner(rating=0), {}, id="a scan too weak"),
        pytest.param(scanner(replace(HABIT, turn=2)), {}, id="a scan of the turn before"),
        pytest.param(scanner(replace(HABIT, type=ScanType.IR)), {}, id="it may be cold"),
        pytest.param(scanner(), {"cloak_rules": CloakRules(cloaks=True)}, id="it may be cloaked"),
    ],
)
def test_a_scan_that_might_have_missed_it_strikes_nothing_off(
    ship: OwnView, change: dict[str, object]
) -> None:
    assert seen(replace(view(Phase.DETECT, ship), **change)).possible == SPACE


def test_squares_on_which_something_stands_are_not_struck_off() -> None:
    beside = own_ship(id="S2", square=Square(21, 21))
    held = contact(square=Square(22, 24))
    told = seen(view(Phase.DETECT, scanner(), beside, contacts=(held,)))
    left = {Square(21, 21), Square(22, 24)}
    assert {square for square in told.squares() if Area(20, 20, 24, 24).covers(square)} == left


def test_shadow_and_bodies_hide_from_a_scan() -> None:
    told = seen(view(Phase.DETECT, scanner(replace(HABIT, at=Square(17, 17)))))
    # Column 15 lies in the shadow of Ceres.
    assert told.may_hold(Square(15, 18))
    assert not told.may_hold(Square(17, 18))


def scan_of(place: Place, name: str = "D5") -> ScanAnswered:
    """Return the public record's entry of an IR scan of B's from a place."""
    given = answers(BOARD, place, scan_area(BOARD, ScanSize.BOXES, Square(17, 22)))
    return ScanAnswered(
        side=B,
        type=ScanType.IR,
        size=ScanSize.BOXES,
        at=name,
        strength=1,
        answers=given,
        effective=1,
    )


def heard(turn: int, *scans: ScanAnswered) -> View:
    """Return a view in whose turn these scans were made."""
    return replace(view(Phase.DETECT, turn=turn), record=scans)


IN_THE_WELL = Place(Square(14, 14))


def test_whose_scan_was_heard_has_a_trail_of_its_own() -> None:
    told = seen(heard(3, scan_of(IN_THE_WELL)), thrust=1, speed=2)
    first = spot(told)
    assert first[:3] == ("ir 3box D5 of turn 3", Basis.SCAN, B)
    assert IN_THE_WELL.square in first.squares
    assert 20 * len(first.squares) < SPACE.bit_count()
    told.see(heard(4))
    assert set(spot(told).squares) > set(first.squares)


def test_a_scan_seen_in_two_windows_is_one_scan() -> None:
    told = seen(*[heard(3, scan_of(IN_THE_WELL))] * 3)
    assert len(told.suspects()) == 1


def test_own_scans_and_radar_begin_no_trail() -> None:
    own = replace(scan_of(IN_THE_WELL), side=A)
    radar = replace(scan_of(IN_THE_WELL), type=ScanType.RADAR)
    assert seen(heard(3, own, radar)).suspects() == ()


@pytest.mark.parametrize(
    ("landing", "stands"), [(ON_CERES, Square(14, 13)), (ON_ROCK, Square(30, 30))]
)
def test_whoever_scans_from_a_body_is_on_the_trail_of_its_scan(
    landing: Landing, stands: Square
) -> None:
    notice = scan_of(Place(stands, landing))
    assert stands in squares_in(BOARD, landed_scanners(view(Phase.SCAN), notice))
    assert stands in spot(seen(heard(3, notice))).squares


def test_a_scan_of_no_place_tells_nothing() -> None:
    assert landed_scanners(view(Phase.SCAN), scan_of(IN_THE_WELL, "Z9")) == 0
    assert seen(heard(3, scan_of(IN_THE_WELL, "Z9"))).suspects() == ()


@pytest.mark.parametrize(
    "one",
    [
        set_up(),
        view(Phase.SCAN, contacts=(TRACK,)),
        view(Phase.DETECT, scanner()),
        heard(3, scan_of(IN_THE_WELL)),
    ],
    ids=["set-up", "a track", "a scan", "a scan heard"],
)
def test_seeing_a_view_again_changes_nothing(one: View) -> None:
    once, again = seen(one), seen(one, one, one)
    assert (once.possible, once.suspects()) == (again.possible, again.suspects())
    assert once.weights.peak(Square(0, 0)) == again.weights.peak(Square(0, 0))


@pytest.mark.parametrize("asked", [BeliefMap.squares, BeliefMap.suspects])
def test_it_makes_no_difference_when_the_map_is_asked(
    asked: Callable[[BeliefMap], object],
) -> None:
    lost = replace(TRACK, fix=Fix.COASTING)
    views = (set_up(), view(Phase.SCAN, contacts=(TRACK,)), *(_turn(t, lost) for t in (4, 5)))
    often = BeliefMap(A, ZONE)
    for one in views:
        often.see(one)
        asked(often)
    assert often.suspects() == seen(*views).suspects()
    assert often.possible == seen(*views).possible


def _turn(turn: int, lost: ContactView) -> View:
    return view(Phase.SCAN, turn=turn, contacts=(lost,))
