"""Which shots the sender's own view allows, how they bear, and their odds."""

import pytest
from msgspec.structs import replace

from builders.advice import detail, offered, refusal
from builders.orders import typed
from builders.views import C1, C2, ON_CERES, ON_ROCK, ROCK, S1, contact, own_ship, view
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.messages.answers import SenseOdds, ShotOdds
from sunglare_protocol.orders import Fire
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import ContactView, Crew, OwnView, TurretView, WeaponView
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.pieces import Arc, BaseSize, Relation, TurretKind
from sunglare_protocol.words.scans import Echo
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.check.fire import aim, fire_problem
from sunglare_rules.advice.odds.fire import sense_odds, shot_odds
from sunglare_rules.advice.seen.bearing import Bearing, bear

N, S = Compass.N, Compass.S
HERE = Square(7, 27)
FIRE = typed("fire S1.beam aaaaaa")


def off(dx: int, dy: int) -> Square:
    """Return the square that lies so far from the frigate's."""
    return HERE.moved(Vector(dx, dy))


def fire(
    *orders: Fire,
    ship: OwnView | None = None,
    target: ContactView | None = None,
    others: tuple[ContactView, ...] = (),
) -> Rejected | None:
    """Return what ENGAGE says to the shots."""
    contacts = (target or contact(), *others)
    return check(view(Phase.ENGAGE, ship or own_ship(), contacts=contacts), orders or (FIRE,))


def bearing(ship: OwnView, weapon: WeaponView, target: ContactView) -> Bearing | Rejected:
    """Return how the weapon bears on the target."""
    return bear(view(Phase.ENGAGE, ship, contacts=(target,)), ship, weapon, target)


def gun(**fields: object) -> WeaponView:
    """Return a beam battery of class 3 in the front arc, with the fields given changed."""
    beam = WeaponView(id="gun", kind=WeaponKind.BEAM, rank=3, arc=Arc.FRONT)
    return replace(beam, **fields)


def tracked(square: Square, **fields: object) -> ContactView:
    """Return a small live track on the square that faces north."""
    return contact(fix=Fix.TRACKED, square=square, facing=N, size=Echo.SMALL, **fields)


# Ship and weapon.


def test_a_contact_and_a_live_track_may_be_fired_at() -> None:
    assert fire() is None
    assert fire(target=tracked(off(0, -5))) is None


def test_each_weapon_fires_once() -> None:
    ahead, astern = contact(), contact(handle=C2, square=off(0, 5))
    other = typed("fire S1.torpedo bbbbbb")
    assert fire(FIRE, other, target=ahead, others=(astern,)) is None
    assert refusal(fire(FIRE, FIRE)) == "order/twice [1]"


@pytest.mark.parametrize("weapon", ["wreck", "cannon"])
def test_a_weapon_that_is_destroyed_is_like_one_that_never_was(weapon: str) -> None:
    problem = fire(replace(FIRE, weapon=weapon))
    assert refusal(problem) == "order/weapon [0].weapon"
    assert offered(problem) == ("beam", "torpedo", "turret beam")


def test_a_ship_fires_powered_and_in_space() -> None:
    assert refusal(fire(ship=own_ship(powered=False, starting=True))) == "order/power [0].ship"
    assert refusal(fire(ship=own_ship(square=ROCK.at, landed=ON_ROCK))) == "order/landed [0].ship"


# The target.


def test_an_unknown_handle_is_refused_with_the_ones_that_are_held() -> None:
    problem = fire(replace(FIRE, at=Handle("zzzzzz")))
    assert refusal(problem) == "order/handle [0].at"
    assert offered(problem) == (C1,)


def test_a_dead_handle_is_refused_like_an_unknown_one() -> None:
    held = contact(handle=C2, square=off(0, -6))
    dead = fire(target=contact(fate=Fate.DESTROYED), others=(held,))
    unknown = fire(target=contact(handle=None, fix=Fix.MEMORY), others=(held,))
    assert refusal(dead) == "order/handle [0].at"
    assert dead == unknown


@pytest.mark.parametrize("fix", [Fix.COASTING, Fix.MEMORY])
def test_what_is_held_too_loosely_cannot_be_fired_at(fix: Fix) -> None:
    assert refusal(fire(target=contact(fix=fix))) == "order/state [0].at"


# Line of sight.


def test_a_planet_between_two_opposite_sectors_blocks_a_shot() -> None:
    ship = own_ship(square=Square(13, 14), facing=Compass.NE)
    hidden = fire(ship=ship, target=contact(square=Square(18, 9)))
    assert refusal(hidden) == "order/line_of_sight [0].at"
    assert "Ceres" in detail(hidden)
    assert fire(ship=ship, target=contact(square=Square(13, 9))) is None


def test_the_ground_of_an_asteroid_hides_what_stands_behind_it() -> None:
    west = own_ship(square=Square(26, 30), facing=Compass.E)
    problem = fire(ship=west, target=tracked(ROCK.at, landed=ON_ROCK))
    assert refusal(problem) == "order/line_of_sight [0].at"
    east = own_ship(square=Square(34, 30), facing=Compass.W)
    assert fire(ship=east, target=tracked(ROCK.at, landed=ON_ROCK)) is None


# Arc and range.


@pytest.mark.parametrize(
    ("square", "arc", "band", "lies"),
    [
        # Gaps of 20 mm a square, less both half edges of 20 mm.
        pytest.param(off(0, -5), Arc.FRONT, 1, Relation.IN_FRONT, id="60 mm ahead"),
        pytest.param(off(0, -7), Arc.FRONT, 2, Relation.IN_FRONT, id="exactly 100 mm ahead"),
        pytest.param(off(0, -12), Arc.FRONT, 3, Relation.IN_FRONT, id="exactly 200 mm ahead"),
        pytest.param(off(0, -2), Arc.FRONT, 0, Relation.IN_FRONT, id="touching"),
        pytest.param(off(0, 5), Arc.REAR, 1, Relation.BEHIND, id="astern"),
        pytest.param(off(5, 0), Arc.RIGHT, 1, Relation.FLANKING, id="abeam"),
        pytest.param(
            off(-5, 1), Arc.LEFT, 1, Relation.BEHIND, id="abeam, edge on the midway line"
        ),
    ],
)
def test_a_weapon_bears_through_its_arc(
    square: Square, arc: Arc, band: int, lies: Relation
) -> None:
    target = contact(square=square)
    distance = HERE.distance_squared(square)
    assert bearing(own_ship(), gun(arc=arc), target) == Bearing(arc, band, band, lies, distance)


def test_a_target_beside_the_arc_is_refused() -> None:
    found = fire(target=contact(square=off(5, 0)))
    assert refusal(found) == "order/arc [0].at"
    assert "front arc" in detail(found)
    assert "Range 1 base to base" in detail(found)


def test_exactly_300_mm_are_out_of_range() -> None:
    assert isinstance(bearing(own_ship(), gun(rank=4), contact(square=off(0, -16))), Bearing)
    beyond = bearing(own_ship(), gun(rank=4), contact(square=off(0, -17)))
    assert refusal(beyond) == "order/range $.at"


def test_range_3_by_the_bases_may_be_out_of_range_through_the_arc() -> None:
    # Large bases: the near corners are 297 mm apart, the part in the front arc 304 mm.
    ship = own_ship(size=BaseSize.LARGE)
    target = replace(tracked(off(14, -15)), size=Echo.LARGE)
    found = bearing(ship, gun(rank=5), target)
    assert refusal(found) == "order/arc $.at"
    assert "Range 3 base to base" in detail(found)
    assert isinstance(bearing(ship, gun(rank=5, arc=Arc.RIGHT), target), Bearing)


def test_a_weapon_reaches_so_far_from_square_to_square_and_says_so_in_squares() -> None:
    near, far = contact(square=off(0, -10)), contact(square=off(1, -10))
    assert isinstance(bearing(own_ship(), gun(rank=2), near), Bearing)
    found = bearing(own_ship(), gun(rank=2), far)
    assert refusal(found) == "order/range $.at"
    # The root of 101 is rounded up.
    assert detail(found).endswith("It is 10.1 squares away; the beam reaches 10.")


def test_a_range_is_refused_by_the_squares_whatever_the_bands_of_the_arc_are() -> None:
    # A medium base: its corner is 99 mm from the target, the part in the front arc 109 mm.
    ship = own_ship(size=BaseSize.MEDIUM)
    target = contact(square=off(6, -6))
    assert bearing(ship, gun(), target) == Bearing(Arc.FRONT, 2, 1, Relation.IN_FRONT, 72)
    found = bearing(ship, gun(rank=1), target)
    assert refusal(found) == "order/range $.at"
    assert "It is 8.5 squares away; the beam reaches 5." in detail(found)


def test_a_turret_weapon_fires_through_the_arcs_of_its_turret_alone() -> None:
    ship = own_ship(
        turrets=(TurretView(id="T1", kind=TurretKind.DOUBLE, arcs=(Arc.LEFT, Arc.RIGHT)),),
        firing_arcs=(Arc.FRONT,),
    )
    turret = gun(arc=None, turret="T1")
    left = bearing(ship, turret, contact(square=off(-5, 0)))
    assert isinstance(left, Bearing)
    assert left.arc is Arc.LEFT
    assert refusal(bearing(ship, turret, contact(square=off(0, -5)))) == "order/arc $.at"


def test_any_weapon_fires_at_range_0_at_what_lies_in_the_same_square() -> None:
    target = tracked(HERE)
    for arc in Arc:
        found = bearing(own_ship(), gun(arc=arc, needs=Relation.BEHIND), target)
        assert found == Bearing(None, 0, 0, Relation.NONE, 0)


def test_a_small_target_beside_a_large_ship_lies_beneath_its_base() -> None:
    large = own_ship(size=BaseSize.LARGE)
    found = bearing(large, gun(arc=Arc.REAR), contact(square=off(0, -1)))
    assert found == Bearing(None, 0, 0, Relation.NONE, 1)
    beside = bearing(large, gun(arc=Arc.REAR), contact(square=off(0, -2)))
    assert refusal(beside) == "order/arc $.at"


def test_a_contact_of_unknown_size_is_small_and_faces_north() -> None:
    # 7 squares ahead the gap is 100 mm for a small base, 80 mm for a large one.
    snapshot = bearing(own_ship(), gun(), contact(square=off(0, -7)))
    track = bearing(own_ship(), gun(), replace(tracked(off(0, -7)), size=Echo.LARGE))
    assert isinstance(snapshot, Bearing)
    assert isinstance(track, Bearing)
    assert (snapshot.band, track.band) == (2, 1)


def test_an_echo_of_a_missile_has_a_small_base() -> None:
    missile = replace(tracked(off(0, -7)), size=Echo.MISSILE)
    assert bearing(own_ship(), gun(), missile) == bearing(own_ship(), gun(), tracked(off(0, -7)))


@pytest.mark.parametrize(
    ("needs", "square", "arc"),
    [
        pytest.param(Relation.IN_FRONT, off(0, -5), Arc.FRONT, id="in front"),
        pytest.param(Relation.BEHIND, off(0, 5), Arc.REAR, id="behind"),
        pytest.param(Relation.FLANKING, off(5, 0), Arc.RIGHT, id="flanking"),
    ],
)
def test_a_weapon_may_need_a_relation(needs: Relation, square: Square, arc: Arc) -> None:
    target = contact(square=square)
    assert isinstance(bearing(own_ship(), gun(arc=arc, needs=needs), target), Bearing)
    for other in (Relation.IN_FRONT, Relation.BEHIND, Relation.FLANKING):
        if other is needs:
            continue
        problem = bearing(own_ship(), gun(arc=arc, needs=other), target)
        assert refusal(problem) == "order/relation $.at"


# Odds.


def test_the_odds_of_a_beam_are_its_mean_against_no_screens() -> None:
    # A die scores 4 points on 6 faces and rolls again on one of them: 4/5 on the average.
    seen = view(Phase.ENGAGE, own_ship(), contacts=(contact(),))
    assert shot_odds(seen, FIRE) == ShotOdds(
        ship=S1, weapon="beam", at=C1, band=1, relation=Relation.IN_FRONT, mean_hundredths=160
    )


def test_the_odds_of_a_torpedo_are_its_chance_times_a_mean_die() -> None:
    # At 5 squares (12 mu) it hits on 3 or more: 4/6 of 3.5.
    astern = contact(square=off(0, 5))
    seen = view(Phase.ENGAGE, own_ship(), contacts=(astern,))
    odds = shot_odds(seen, typed("fire S1.torpedo aaaaaa"))
    assert isinstance(odds, ShotOdds)
    assert (odds.mean_hundredths, odds.relation) == (233, Relation.BEHIND)


def test_odds_may_be_asked_for_in_any_window() -> None:
    seen = view(Phase.PLOT, own_ship(), contacts=(contact(),))
    assert isinstance(shot_odds(seen, FIRE), ShotOdds)


@pytest.mark.parametrize(
    ("line", "refused"),
    [
        pytest.param("fire S9.beam aaaaaa", "order/ship $.ship", id="no such ship"),
        pytest.param("fire S1.wreck aaaaaa", "order/weapon $.weapon", id="a wreck"),
        pytest.param("fire S1.torpedo aaaaaa", "order/arc $.at", id="not in arc"),
    ],
)
def test_a_shot_that_is_not_allowed_has_no_odds(line: str, refused: str) -> None:
    seen = view(Phase.ENGAGE, own_ship(), contacts=(contact(),))
    assert refusal(shot_odds(seen, typed(line))) == refused


@pytest.mark.parametrize("fix", [Fix.DETECTED, Fix.SOLUTION])
def test_no_system_of_a_cloaked_ship_can_be_picked(fix: Fix) -> None:
    needle = WeaponView(id="needle", kind=WeaponKind.NEEDLE, arc=Arc.FULL_FRONT)
    ship, order = own_ship(weapons=(needle,)), typed("fire S1.needle aaaaaa drive")
    cloaked, shown = (
        view(Phase.ENGAGE, ship, contacts=(contact(fix=rung),)) for rung in (fix, Fix.TRACKED)
    )
    assert refusal(fire_problem(cloaked, ship, order)) == "order/system $.system"
    assert refusal(fire_problem(shown, ship, order)) is None


def test_a_weapon_that_does_not_fire_bears_on_nothing() -> None:
    ship = own_ship()
    seen = view(Phase.ENGAGE, ship, contacts=(contact(),))
    assert refusal(aim(seen, ship, typed("fire S1.wreck aaaaaa"))) == "order/weapon $.weapon"


def test_the_chances_to_track_rise_with_the_signal_until_certain() -> None:
    # Skill 1: ways out of 36 to roll 9, 8 … 3 or more, and then all of them.
    ways = (10, 15, 21, 26, 30, 33, 35)
    hundredths = (*(round(100 * way / 36) for way in ways), 100)
    assert sense_odds(view(Phase.SCAN), S1) == SenseOdds(ship=S1, hundredths=hundredths)


def test_without_skill_a_signal_of_8_is_certain() -> None:
    odds = sense_odds(view(Phase.SCAN, own_ship(crew=Crew())), S1)
    assert isinstance(odds, SenseOdds)
    assert len(odds.hundredths) == 9
    assert odds.hundredths[-2:] == (97, 100)


def test_a_foreign_ship_has_no_chances() -> None:
    assert refusal(sense_odds(view(Phase.SCAN), OwnId("S9"))) == "order/ship $.ship"


def test_a_landed_track_on_a_planet_is_placed_where_it_stands() -> None:
    # From due south of Ceres its south-west is one step away, so that nothing hides it.
    ship = own_ship(square=Square(14, 18))
    assert fire(ship=ship, target=tracked(Square(14, 13), landed=ON_CERES)) is None
    north = own_ship(square=Square(14, 7), facing=S)
    problem = fire(ship=north, target=tracked(Square(14, 13), landed=ON_CERES))
    assert refusal(problem) == "order/line_of_sight [0].at"
