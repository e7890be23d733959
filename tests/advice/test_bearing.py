"""How weapons bear: what lies beneath a base, long ranges, arcs held alike, and the words."""

import pytest
from msgspec.structs import replace

from builders.advice import detail, refusal
from builders.views import BOARD, CERES, ON_ROCK, ROCK, contact, own_ship, view
from sunglare_protocol.geometry import Board, Compass, Place, PlanetSize, Square, Vector
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import ContactView, OwnView, TurretView, WeaponView
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.pieces import Arc, BaseSize, Relation, TurretKind
from sunglare_protocol.words.scans import Echo
from sunglare_rules.advice.seen.bearing import (
    Bearing,
    bear,
    contact_base,
    lies_beneath,
    weapon_arcs,
)
from sunglare_rules.arcs.arcs import GridBase
from sunglare_rules.arcs.eligibility import RangeRule
from sunglare_rules.sensors.sectors import line_of_sight

N = Compass.N
HERE = Square(7, 27)
BEAM = WeaponView(id="gun", kind=WeaponKind.BEAM, rank=3, arc=Arc.FRONT)
CAPITAL = WeaponView(id="gun", kind=WeaponKind.CAP, arc=Arc.FRONT, damage=(6, 4, 2, 0))
MISSILE = WeaponView(id="gun", kind=WeaponKind.MSL, damage=(4, 4, 4, 4))
LARGE = own_ship(size=BaseSize.LARGE)


def off(dx: int, dy: int) -> Square:
    """Return the square that lies so far from the ship's."""
    return HERE.moved(Vector(dx, dy))


def tracked(square: Square, **fields: object) -> ContactView:
    """Return a small live track on the square that faces north."""
    track = contact(fix=Fix.TRACKED, facing=N, size=Echo.SMALL, square=square)
    return replace(track, **fields)


def bearing(
    weapon: WeaponView,
    target: ContactView,
    rule: RangeRule = RangeRule.TRUE,
    ship: OwnView | None = None,
) -> Bearing | Rejected:
    """Return how a weapon bears on a target."""
    firing = ship or own_ship()
    return bear(view(Phase.ENGAGE, firing, contacts=(target,)), firing, weapon, target, rule)


def refused(found: Bearing | Rejected) -> tuple[str | None, str]:
    """Return code and words of a refusal, which is always of the target."""
    code, _, at = (refusal(found) or "").partition(" ")
    assert at == "$.at"
    return code, detail(found)


# Bases and arcs.


@pytest.mark.parametrize(
    ("fields", "size", "facing"),
    [
        ({"size": Echo.LARGE, "facing": Compass.E}, BaseSize.LARGE, Compass.E),
        ({"size": Echo.LARGE, "facing": None}, BaseSize.SMALL, N),
        ({"size": None, "facing": Compass.E}, BaseSize.SMALL, N),
        ({"size": None, "facing": None}, BaseSize.SMALL, N),
    ],
)
def test_what_is_not_known_as_a_whole_is_taken_for_small_and_facing_north(
    fields: dict[str, object], size: BaseSize, facing: Compass
) -> None:
    assert contact_base(contact(**fields)) == GridBase(size, off(0, -5), facing)


def test_a_weapon_fires_through_its_own_arc_or_those_of_its_own_turret() -> None:
    turrets = (
        TurretView(id="T1", kind=TurretKind.SINGLE, arcs=(Arc.REAR,)),
        TurretView(id="T2", kind=TurretKind.DOUBLE, arcs=(Arc.LEFT, Arc.RIGHT)),
    )
    ship = own_ship(turrets=turrets)
    for name, arcs in (("T1", (Arc.REAR,)), ("T2", (Arc.LEFT, Arc.RIGHT)), ("T3", ())):
        assert weapon_arcs(ship, replace(BEAM, arc=None, turret=name)) == arcs
    assert weapon_arcs(ship, BEAM) == (Arc.FRONT,)


def test_of_two_arcs_that_hold_a_target_alike_the_first_is_used() -> None:
    both = tracked(off(4, -4), size=Echo.LARGE)
    for arcs in ((Arc.FRONT, Arc.RIGHT), (Arc.RIGHT, Arc.FRONT)):
        turret = TurretView(id="T1", kind=TurretKind.DOUBLE, arcs=arcs)
        ship = own_ship(turrets=(turret,))
        found = bearing(replace(BEAM, arc=None, turret="T1"), both, ship=ship)
        assert isinstance(found, Bearing)
        assert (found.arc, found.band) == (arcs[0], 1)


def test_a_weapon_without_any_arc_says_so() -> None:
    code, words = refused(bearing(replace(BEAM, arc=None), tracked(off(0, -5))))
    assert code == "order/arc"
    assert words.endswith("The weapon points to no arc.")


# Beneath the base.


@pytest.mark.parametrize(
    ("ship", "target", "beneath"),
    [
        (own_ship(), tracked(HERE), True),
        (own_ship(), tracked(HERE, size=Echo.LARGE), True),
        (LARGE, tracked(HERE, size=Echo.LARGE), True),
        (LARGE, tracked(off(0, -1)), True),
        (LARGE, tracked(off(0, -2)), False),
        (LARGE, tracked(off(0, -1), size=Echo.LARGE), False),
        (own_ship(), tracked(off(0, -1), size=Echo.LARGE), False),
    ],
)
def test_a_contact_lies_beneath_a_base_that_covers_it_or_in_the_same_square(
    ship: OwnView, target: ContactView, *, beneath: bool
) -> None:
    assert lies_beneath(ship, target) is beneath


def test_at_true_range_any_weapon_bears_on_what_lies_beneath() -> None:
    for weapon in (BEAM, CAPITAL, MISSILE, replace(CAPITAL, damage=(0, 4, 2, 0))):
        found = bearing(weapon, tracked(off(0, -1)), ship=LARGE)
        assert found == Bearing(None, 0, 0, Relation.NONE, 1)


@pytest.mark.parametrize("square", [HERE, off(0, -1)], ids=["same square", "next square"])
def test_the_long_range_of_what_lies_beneath_is_12_mu(square: Square) -> None:
    # 12 mu are 5 squares.
    found = bearing(replace(BEAM, rank=1), tracked(square), RangeRule.LONG, LARGE)
    assert found == Bearing(None, 0, 0, Relation.NONE, 25)


def test_at_long_range_a_weapon_of_less_reach_does_not_bear_on_what_lies_beneath() -> None:
    lance = WeaponView(id="gun", kind=WeaponKind.SCATTERGUN)
    assert refusal(bearing(lance, tracked(HERE), RangeRule.LONG)) == "order/range $.at"
    short = replace(CAPITAL, damage=(6, 0, 0, 0))
    found = bearing(short, tracked(HERE), RangeRule.LONG)
    assert refused(found) == (
        "order/range",
        "The target is at medium range; the weapon reaches short range.",
    )


# Range.

LONGER = ", and the range counts double or 5 squares more"


@pytest.mark.parametrize(
    ("rule", "distance"),
    # 12 mu count as 24, which are 10 squares.
    [(RangeRule.TRUE, 25), (RangeRule.LONG, 100)],
)
def test_a_bearing_holds_the_distance_as_it_counts(rule: RangeRule, distance: int) -> None:
    found = bearing(BEAM, tracked(off(0, -5)), rule)
    assert found == Bearing(Arc.FRONT, 1, 1, Relation.IN_FRONT, distance)


@pytest.mark.parametrize(
    ("dy", "between", "lies", "rule", "distance"),
    [
        (-5, 1, Relation.IN_FRONT, RangeRule.TRUE, 25),
        (5, 1, Relation.BEHIND, RangeRule.TRUE, 25),
        (-5, 1, Relation.IN_FRONT, RangeRule.LONG, 100),
        # Beyond 300 mm the bases have neither range nor relation.
        (-20, 0, Relation.NONE, RangeRule.TRUE, 400),
    ],
)
def test_a_weapon_without_an_arc_bears_all_around(
    dy: int, between: int, lies: Relation, rule: RangeRule, distance: int
) -> None:
    found = bearing(MISSILE, tracked(off(0, dy)), rule)
    assert found == Bearing(None, 0, between, lies, distance)


@pytest.mark.parametrize(
    ("weapon", "dy", "rule", "words"),
    [
        (
            replace(BEAM, rank=1),
            -6,
            RangeRule.TRUE,
            "It is 6.0 squares away; the beam reaches 5.",
        ),
        (
            BEAM,
            -8,
            RangeRule.LONG,
            f"It is 8.0 squares away; the beam reaches 15{LONGER}.",
        ),
        (
            WeaponView(id="gun", kind=WeaponKind.SALVO, rank=4),
            -5,
            RangeRule.TRUE,
            "It is 5.0 squares away; the salvo missile reaches 2.5.",
        ),
    ],
    ids=["true", "long", "without an arc"],
)
def test_a_refused_range_says_how_it_counts_and_what_the_weapon_reaches(
    weapon: WeaponView, dy: int, rule: RangeRule, words: str
) -> None:
    found = refused(bearing(weapon, tracked(off(0, dy)), rule))
    assert found == ("order/range", words)


@pytest.mark.parametrize(
    ("weapon", "dy", "words"),
    [
        # Brackets end at 2.5, 10, 17.5 and 25 squares.
        (CAPITAL, -17, None),
        (
            CAPITAL,
            -18,
            "The target is at extreme range; the weapon reaches short, medium, long range.",
        ),
        (MISSILE, -25, None),
        (
            MISSILE,
            -26,
            (
                "The target is beyond extreme range; "
                "the weapon reaches short, medium, long, extreme range."
            ),
        ),
    ],
)
def test_a_capital_weapon_reaches_the_brackets_at_which_it_does_damage(
    weapon: WeaponView, dy: int, words: str | None
) -> None:
    around = replace(weapon, kind=WeaponKind.MSL, arc=None)
    found = bearing(around, tracked(off(0, dy)))
    if words is None:
        assert isinstance(found, Bearing)
    else:
        assert refused(found) == ("order/range", words)


def test_a_refused_relation_says_what_it_must_be_and_what_it_is() -> None:
    needs = replace(BEAM, arc=Arc.REAR, needs=Relation.IN_FRONT)
    found = refused(bearing(needs, tracked(off(0, 5))))
    assert found == ("order/relation", "The target must be in front; it is behind.")
    other = replace(BEAM, needs=Relation.BEHIND)
    found = refused(bearing(other, tracked(off(0, -5))))
    assert found == ("order/relation", "The target must be behind; it is in front.")


# Line of sight.


def test_a_refused_line_names_the_planets_between_and_no_others() -> None:
    far = replace(CERES, name="Vesta", at=Square(30, 12), size=PlanetSize.SMALL)
    board = Board(planets=(far, CERES))
    ship, target = own_ship(square=Square(15, 9)), tracked(Square(15, 15))
    seen = replace(view(Phase.ENGAGE, ship, contacts=(target,)), board=board)
    found = bear(seen, ship, BEAM, target)
    assert refused(found) == ("order/line_of_sight", "Ceres lies between.")


def test_a_line_that_an_asteroid_hides_names_no_planet() -> None:
    ship, target = own_ship(square=Square(26, 30)), tracked(ROCK.at, landed=ON_ROCK)
    assert not line_of_sight(BOARD, Place(ship.square), Place(ROCK.at, ON_ROCK))
    found = refused(bearing(BEAM, target, ship=ship))
    assert found == ("order/line_of_sight", "The asteroid's ground hides the target.")
