"""What the scout scans, how it may be found itself, where it lies in wait, how it fights."""

import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.bots import BOARD, contact, corvette, frigate, seen
from builders.fakeserver import SIDE
from sunglare_client.advice import Advice
from sunglare_client.bots.movement.ambush_sites import laid, lair, lies_in_wait, watched
from sunglare_client.bots.movement.duel import Duel, fought
from sunglare_client.bots.scans.exposure import Habits, finders, found_chance
from sunglare_client.bots.scans.scan_targets import Sought, chances, guess_of, sought
from sunglare_client.bots.scans.surveying import Survey, is_held_by_all
from sunglare_client.bots.scout import Scout
from sunglare_client.bots.sightings.belief import Belief
from sunglare_client.bots.sightings.foes import Foe, Foes
from sunglare_protocol.geometry import Compass, Square, Vector, box_of
from sunglare_protocol.ids import Side
from sunglare_protocol.notices import ScanAnswered
from sunglare_protocol.orders import Deploy, Scan, Thrust
from sunglare_protocol.views import ContactView, Exposure, OwnView, View
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.scans import Answers, Echo, ScanSize, ScanType
from sunglare_rules.sensors.signatures import Emitter
from sunglare_rules.sensors.sunlight import in_shadow
from sunglare_rules.turn.movement import AT_REST, Flight

SHADE = Square(20, 30)
"""A square in the planet's shadow."""

MEDIUM = guess_of((Echo.MEDIUM,), 0)


def tracked(square: Square, vector: Vector = AT_REST) -> ContactView:
    return msgspec.structs.replace(
        contact(square, Fix.TRACKED, 4), vector=vector, facing=Compass.N, size=Echo.MEDIUM
    )


def held(ship: OwnView) -> OwnView:
    return msgspec.structs.replace(ship, exposed=(Exposure(side=Side("B"), fix=Fix.TRACKED),))


def scanning(*ships: OwnView, contacts: tuple[ContactView, ...] = ()) -> View:
    return seen(Phase.SCAN, ships, contacts)


def plotting(*ships: OwnView, contacts: tuple[ContactView, ...] = (), turn: int = 5) -> View:
    return seen(Phase.PLOT, ships, contacts, turn=turn)


def foes_of(view: View) -> tuple[Foe, ...]:
    foes = Foes()
    foes.see(view)
    return foes.now


def surveyed(
    view: View, quest: tuple[Sought, ...], missing: float = 0.0, seed: int = 0
) -> tuple[Scan, ...]:
    survey = Survey(Advice(view), quest, Belief(view.board), MEDIUM)
    return survey.chosen(view.own, missing, random.Random(seed))


def on(square: Square, *, is_tracked: bool = True) -> Sought:
    return Sought(((square, 1.0),), MEDIUM, is_tracked)


def test_a_track_is_followed_with_a_scan_that_covers_it() -> None:
    (scan,) = surveyed(scanning(corvette(Square(8, 30))), (on(Square(33, 8)),))
    assert isinstance(scan.at, str)
    assert box_of(Square(33, 8)).name == scan.at or scan.size is ScanSize.BOXES


def test_two_ships_look_after_two_foes_that_no_scan_covers_together() -> None:
    view = scanning(corvette(Square(8, 30)), frigate(Square(9, 30)))
    first, second = surveyed(view, (on(Square(33, 3)), on(Square(3, 3))))
    assert {first.ship, second.ship} == {"S1", "S2"}
    west = [scan for scan in (first, second) if str(scan.at)[0] < "D"]
    assert len(west) == 1


def test_a_ship_takes_the_smallest_scan_that_it_can_place_on_a_track() -> None:
    for square, size in ((Square(6, 31), ScanSize.SQUARE), (Square(12, 31), ScanSize.SQUARES)):
        (scan,) = surveyed(scanning(held(corvette(Square(8, 30)))), (on(square),))
        assert scan.size is size


@pytest.mark.parametrize("seed", range(8))
def test_radar_is_left_alone_by_a_ship_that_nobody_holds(seed: int) -> None:
    view = scanning(corvette(Square(8, 30)))
    (scan,) = surveyed(view, (on(Square(11, 29)),), seed=seed)
    assert scan.type is not ScanType.RADAR


def test_a_ship_that_is_held_anyway_draws_from_all_sure_types_and_takes_the_smallest() -> None:
    view = scanning(held(corvette(Square(8, 30))))
    burning = Sought(((Square(6, 31), 1.0),), guess_of((Echo.MEDIUM,), 2), is_tracked=True)
    made = [surveyed(view, (burning,), seed=seed)[0] for seed in range(40)]
    assert {scan.type for scan in made} == set(ScanType)
    assert {scan.size for scan in made} == {ScanSize.SQUARE}


def test_glare_is_avoided_where_another_scan_finds_as_much() -> None:
    view = scanning(corvette(Square(22, 30)))
    (scan,) = surveyed(view, (on(Square(18, 8)),))
    preview = Advice(view).preview(scan)
    assert preview is not None
    assert not preview.answers.glare


def test_a_foe_in_shadow_is_not_looked_for_by_eye() -> None:
    view = scanning(corvette(Square(8, 30)))
    for seed in range(8):
        (scan,) = surveyed(view, (on(SHADE),), seed=seed)
        assert scan.type is not ScanType.VISUAL


def test_with_nothing_known_the_likeliest_squares_are_searched_and_believed_emptier() -> None:
    view = scanning(corvette(Square(8, 30)))
    belief = Belief(view.board)
    belief.start_in([box_of(Square(33, 8))])
    before = belief.share(1 << (8 * 40 + 33))
    (scan,) = Survey(Advice(view), (), belief, MEDIUM).chosen(view.own, 1.0, random.Random(0))
    assert Advice(view).check((scan,)) is None
    assert belief.share(1 << (8 * 40 + 33)) < before


def test_only_a_ship_that_all_other_sides_hold_has_nothing_to_lose() -> None:
    ship = held(corvette(Square(8, 30)))
    view = scanning(ship)
    four = msgspec.structs.replace(
        view, stage=msgspec.structs.replace(view.stage, sides=(SIDE, Side("B"), Side("C")))
    )
    assert is_held_by_all(view, ship)
    assert not is_held_by_all(four, ship)
    assert not is_held_by_all(view, corvette(Square(8, 30)))


@given(st.sampled_from(ScanType), st.integers(-9, 8), st.sampled_from((0, 6)), st.integers(0, 3))
def test_a_stronger_scan_never_finds_or_tracks_less(
    scan_type: ScanType, strength: int, light: int, operator: int
) -> None:
    guess = guess_of((Echo.SMALL, Echo.LARGE))
    weak = chances(guess, scan_type, strength, light, operator)
    strong = chances(guess, scan_type, strength + 1, light, operator)
    assert 0 <= weak.found <= strong.found <= 1.0001
    assert weak.tracked <= strong.tracked <= strong.found + 0.0001


def test_a_live_track_is_sought_on_its_square_and_a_lost_foe_where_it_may_have_flown() -> None:
    own = (corvette(Square(8, 30)),)
    lost = msgspec.structs.replace(contact(Square(30, 8), Fix.MEMORY, 4), label="C2")
    foes = foes_of(plotting(*own, contacts=(tracked(Square(14, 30)), lost)))
    found = sought(scanning(*own, contacts=(tracked(Square(13, 30)), lost)), foes, ())
    assert found[0].spots == ((Square(13, 30), 1.0),)
    assert found[0].is_tracked
    assert len(found) == 2
    assert not found[1].is_tracked
    assert len(found[1].spots) > 1


@pytest.mark.parametrize(
    ("here", "there", "seen_by_eye"),
    [
        (Square(8, 30), Square(12, 30), True),
        (Square(12, 30), SHADE, False),
        (Square(33, 30), Square(31, 12), False),
        (Square(33, 12), Square(31, 30), True),
        (Square(36, 30), Square(31, 12), True),
        (SHADE, Square(22, 26), True),
    ],
    ids=[
        "in sunlight",
        "in shadow",
        "out of the sun",
        "with the sun behind",
        "from another column of boxes",
        "looking out of the shadow",
    ],
)
def test_an_eye_finds_what_is_lit_and_not_before_the_sun(
    here: Square, there: Square, seen_by_eye: bool
) -> None:
    foe = _foe_at(here)
    types = finders(BOARD, foe, here, there, Emitter(echo=Echo.MEDIUM, popped_out=True))
    assert (ScanType.VISUAL in types) is seen_by_eye


def test_a_ship_is_found_less_in_shadow_and_more_often_there_once_heat_is_looked_for() -> None:
    ship = corvette(Square(12, 30))
    foes = foes_of(plotting(ship, contacts=(tracked(Square(26, 33)),)))
    habits = Habits(SIDE)

    def chance(square: Square) -> float:
        return found_chance(
            BOARD, frigate(square), Flight(square, AT_REST, Compass.E), 0, foes, habits
        )

    at_first = chance(SHADE)
    assert at_first < chance(Square(18, 30))
    for _ in range(5):
        habits.heard(_heat_scan(Side("B")))
    assert chance(SHADE) > at_first


def test_the_own_scans_tell_nothing_of_the_habits_of_enemies() -> None:
    habits = Habits(SIDE)
    before = habits.chance((ScanType.IR,))
    habits.heard(_heat_scan(SIDE))
    assert habits.chance((ScanType.IR,)) == before


def test_a_lair_is_a_square_of_the_zone_in_shadow() -> None:
    spot = lair(seen(Phase.PLOT, (corvette(SHADE),), turn=1, zone=("F7", "G7")))
    assert spot == Square(27, 30)
    assert in_shadow(BOARD, spot)
    assert lair(seen(Phase.PLOT, (corvette(SHADE),), turn=1, zone=("A1",))) is None


def test_a_scout_deploys_its_ships_in_the_lair_at_rest() -> None:
    view = seen(Phase.PLOT, (corvette(Square(30, 32)),), turn=1, zone=("F7",))
    bot = Scout(0)
    orders = list(bot.on_window(view, Advice(view)))
    deployed = [order for order in orders if isinstance(order, Deploy)]
    assert [(order.at, order.vector) for order in deployed] == [(Square(27, 30), AT_REST)]
    assert laid(view.own[0], Square(27, 30), Square(5, 5))[0] == Deploy(
        ship=view.own[0].id, at=Square(27, 30), facing=Compass.NW
    )


@pytest.mark.parametrize(
    ("ship", "turn", "waits"),
    [
        (corvette(SHADE), 5, True),
        (held(corvette(SHADE)), 5, False),
        (corvette(Square(12, 30)), 5, False),
        (corvette(SHADE, Vector(0, 1)), 5, False),
        (corvette(SHADE), 15, False),
    ],
    ids=["unseen in shadow", "found", "in sunlight", "moving", "too late"],
)
def test_a_ship_waits_in_its_lair_until_it_is_found_or_it_is_late(
    ship: OwnView, turn: int, waits: bool
) -> None:
    assert lies_in_wait(plotting(ship, turn=turn), ship, ()) is waits


def test_no_ship_waits_while_a_comrade_is_in_the_light() -> None:
    ship, comrade = corvette(SHADE), frigate(Square(12, 30))
    assert not lies_in_wait(plotting(ship, comrade), ship, ())
    assert lies_in_wait(plotting(ship, frigate(SHADE)), ship, ())


def test_a_ship_waits_longer_while_a_foe_comes() -> None:
    ship = corvette(SHADE)
    view = plotting(
        ship, contacts=(msgspec.structs.replace(tracked(Square(28, 30)), turn=14),), turn=15
    )
    assert lies_in_wait(view, ship, foes_of(view))


def test_a_ship_in_its_lair_turns_to_the_foe_and_spends_no_thrust() -> None:
    ship = msgspec.structs.replace(corvette(SHADE), facing=Compass.N)
    view = plotting(ship, contacts=(tracked(Square(25, 30)),))
    advice = Advice(view)
    orders = watched(advice, ship, foes_of(view), Habits(SIDE), SHADE)
    assert not any(isinstance(order, Thrust) for order in orders)
    assert advice.flight(ship, orders).facing in (Compass.NE, Compass.E)


def test_a_ship_ends_its_move_where_its_guns_bear_on_the_foe() -> None:
    ship = corvette(Square(10, 30), Vector(1, 0))
    view = plotting(ship, contacts=(tracked(Square(17, 30)),))
    advice, foes = Advice(view), foes_of(view)
    orders = fought(advice, ship, foes, Habits(SIDE))
    duel = Duel(Advice(view), ship, foes, Habits(SIDE))
    assert advice.check(orders) is None
    assert duel.dealt(advice.flight(ship, orders), 0)[0] > 0.5


def test_a_foe_that_will_not_find_the_ship_does_no_damage() -> None:
    ship = frigate(SHADE)
    view = plotting(ship, contacts=(tracked(Square(26, 33)),))
    duel = Duel(Advice(view), ship, foes_of(view), Habits(SIDE))
    dark, lit = (Flight(at, AT_REST, Compass.E) for at in (SHADE, Square(21, 30)))
    assert duel.taken(dark, 0) < duel.taken(lit, 0)


def _foe_at(square: Square) -> Foe:
    return Foe(tracked(square), square, AT_REST, Compass.N, frigate(square))


def _heat_scan(side: Side) -> ScanAnswered:
    return ScanAnswered(
        side=side,
        type=ScanType.IR,
        size=ScanSize.BOXES,
        at="D4",
        strength=0,
        answers=Answers(glare=False, from_well=False, touches_well=False),
        effective=0,
    )
