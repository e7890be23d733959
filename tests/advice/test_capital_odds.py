"""The odds of capital fire: from ships and batteries, at pieces in space and at points."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from builders.ground import FAR_SITE, SITE, ground_truth, landed, planet, unit
from builders.sieges import GUNBOAT, MONITOR, handle, view
from builders.terminals import KITE, TRACK
from builders.truths import B1, CRUISER, A, B, holding, ship
from sunglare_protocol.geometry import Planet
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.messages.answers import BombardOdds, GroundOdds
from sunglare_protocol.orders import Bombard, Fire
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.surface import Arm, Cell, Mode, Pressure, Site
from sunglare_protocol.views import Crew, OwnView, View, WeaponView
from sunglare_protocol.views.ground import ArmView
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.scans import Echo
from sunglare_rules.advice.odds.capital import (
    battery_odds,
    bombard_odds,
    capital_mean,
    unit_bombard_odds,
)
from sunglare_rules.advice.odds.fire import odds_of_bombardment

S1, G1 = OwnId("S1"), OwnId("G1")
ABOVE = (15, 11)
CELL = Cell(5, 2)


def air(pressure: Pressure) -> Planet:
    """Return the planet with this air in the first environs."""
    plain = planet(*(["............"] * 6))
    first, far = plain.environs
    return replace(plain, environs=(replace(first, pressure=pressure), far))


THICK, THIN = air(Pressure.STANDARD), air(Pressure.THIN)

# From ships at pieces in space.

CANNON = WeaponView(id="C1", kind=WeaponKind.CAP, damage=(6, 4, 2, 0))
GUNNER = replace(KITE, crew=Crew(gunnery=3))


@pytest.mark.parametrize(
    ("shooter", "size", "squared", "mean"),
    [
        # 4 or more: 33 ways of 36.
        (KITE, Echo.MEDIUM, 6, Fraction(33, 36) * 6),
        # 3 or more; a 2 never hits.
        (GUNNER, Echo.MEDIUM, 6, Fraction(35, 36) * 6),
        # Medium range adds 2, long range 4.
        (KITE, Echo.LARGE, 7, Fraction(26, 36) * 4),
        (GUNNER, Echo.LARGE, 100, Fraction(30, 36) * 4),
        (KITE, Echo.MEDIUM, 306, Fraction(15, 36) * 2),
        # A small target adds 5, and one of no known size is taken for small.
        (KITE, Echo.SMALL, 6, Fraction(10, 36) * 6),
        (KITE, None, 6, Fraction(10, 36) * 6),
        # Extreme range does no damage, and beyond it lies none.
        (KITE, Echo.MEDIUM, 625, Fraction(0)),
        (KITE, Echo.MEDIUM, 626, Fraction(0)),
    ],
)
def test_the_mean_of_a_capital_shot_is_its_damage_by_the_chance_of_its_bracket(
    shooter: OwnView, size: Echo | None, squared: int, mean: Fraction
) -> None:
    assert capital_mean(shooter, CANNON, replace(TRACK, size=size), squared) == mean


def test_a_weapon_of_no_damage_does_none() -> None:
    assert capital_mean(KITE, replace(CANNON, damage=None), TRACK, 6) == 0


# From batteries at pieces in space.

CALL = Fire(ship=G1, weapon="D1", at=handle(B1))


def battery(at: tuple[int, int] = (15, 6), gunnery: int = 4) -> View:
    """Return a view of a battery of two cannon that holds a cruiser."""
    truth = ground_truth(
        unit(A, at=(3, 3), kind="defence-cannon"), ships=(ship(B, 1, at, CRUISER),), body=THICK
    )
    seen = view(holding(truth, A, B1, Fix.TRACKED), A)
    spare = ArmView(id="D0", kind=Arm.SDS_SC, damage=(1, 1, 1, 1))
    (of,) = seen.ground
    return replace(seen, ground=(replace(of, gunnery=gunnery, weapons=(spare, *of.weapons)),))


@pytest.mark.parametrize(
    ("seen", "needed", "hundredths", "damage"),
    [(battery(), 6, 72, 4), (battery(gunnery=3), 5, 83, 4), (battery((15, 10)), 4, 92, 6)],
    ids=["medium range", "a better gunner", "short range"],
)
def test_the_odds_of_a_battery_are_those_of_its_bracket_and_gunner(
    seen: View, needed: int, hundredths: int, damage: int
) -> None:
    assert battery_odds(seen, seen.ground[0], CALL) == GroundOdds(
        ship=G1, weapon="D1", at=handle(B1), needed=needed, hundredths=hundredths, damage=damage
    )


def test_the_spare_gun_of_a_battery_has_odds_of_its_own() -> None:
    seen = battery()
    found = battery_odds(seen, seen.ground[0], replace(CALL, weapon="D0"))
    assert isinstance(found, GroundOdds)
    assert (found.weapon, found.needed, found.damage) == ("D0", 6, 1)


def test_a_battery_that_holds_no_such_target_has_no_odds_but_the_refusal() -> None:
    seen = battery()
    found = battery_odds(seen, seen.ground[0], replace(CALL, at=Handle("zzzzzz")))
    assert isinstance(found, Rejected)
    assert (found.code, found.at, found.choices) == (Code.ORDER_HANDLE, "$.at", (handle(B1),))


# From ships at points.


def call(weapon: str, site: Site = SITE, piece: OwnId = S1) -> Bombard:
    return Bombard(ship=piece, weapon=weapon, at=site, cell=CELL)


def aloft(gunnery: int, at: tuple[int, int] = ABOVE) -> View:
    """Return a view of a ship above the first site, with such a gunner."""
    seen = view(ground_truth(ships=(ship(A, 1, at, MONITOR),), body=THICK), A)
    return replace(seen, own=(replace(seen.own[0], crew=Crew(gunnery=gunnery)),))


def standing(gunnery: int, body: Planet = THICK, thrust: int = 4) -> View:
    """Return a view of a ship on the first site, with such a gunner and drive."""
    boat = landed(ship(A, 1, ABOVE, GUNBOAT), (2, 2))
    seen = view(ground_truth(ships=(boat,), body=body), A)
    changed = replace(seen.own[0], crew=Crew(gunnery=gunnery), thrust=thrust)
    return replace(seen, own=(changed,))


@pytest.mark.parametrize(
    ("seen", "weapon", "needed", "hundredths", "guided", "damage", "lands"),
    [
        # From above: the gunner alone, 3 more from afar; a beam takes 2 off.
        (aloft(4), "C1", 4, 92, 97, 6, None),
        (aloft(5), "C1", 5, 83, 97, 6, None),
        (aloft(5, (15, 10)), "C1", 8, 42, 72, 6, None),
        (aloft(5), "M1", 5, 83, 97, 4, None),
        # Over the ground: 7, the air's 2 and 2 for who can move.
        (standing(3), "M1", 14, 0, 3, 4, 2),
        (standing(1), "M1", 12, 3, 17, 4, 2),
        (standing(3, THIN), "M1", 12, 3, 17, 4, 2),
    ],
)
def test_the_odds_of_a_ship_at_a_point(
    seen: View,
    weapon: str,
    needed: int,
    hundredths: int,
    guided: int,
    damage: int,
    lands: int | None,
) -> None:
    assert bombard_odds(seen, seen.own[0], call(weapon)) == BombardOdds(
        ship=S1,
        weapon=weapon,
        at=SITE,
        cell=CELL,
        needed=needed,
        hundredths=hundredths,
        guided_hundredths=guided,
        damage=damage,
        lands=lands,
    )


@pytest.mark.parametrize("thrust", [0, 1, 4])
def test_a_landed_ship_is_of_a_kind_that_moves_even_if_its_drive_is_lost(thrust: int) -> None:
    seen = standing(3, thrust=thrust)
    found = bombard_odds(seen, seen.own[0], call("M1"))
    assert isinstance(found, BombardOdds)
    assert found.needed == 14


def test_a_ship_that_may_not_fire_at_a_point_has_no_odds_but_the_reason() -> None:
    seen = aloft(4)
    for order, code in (
        (call("B1"), Code.ORDER_WEAPON),
        (call("C1", Site("Vesta", 1)), Code.ORDER_BODY),
        (call("C1", piece=OwnId("S7")), Code.ORDER_SHIP),
    ):
        found = odds_of_bombardment(seen, order)
        assert isinstance(found, Rejected)
        assert found.code is code


# From ground units at points.


def missiles(gunnery: int, mode: Mode = Mode.NONE, body: Planet = THICK) -> View:
    """Return a view of a unit with missiles and a gun, with such a gunner and way to move."""
    seen = view(ground_truth(unit(A, at=(1, 1), kind="defence-missiles"), body=body), A)
    (of,) = seen.ground
    gun = ArmView(id="D0", kind=Arm.DIRECT, damage=(1, 0, 0, 0))
    changed = replace(of, gunnery=gunnery, mode=mode, weapons=(gun, *of.weapons))
    return replace(seen, ground=(changed,))


@pytest.mark.parametrize(
    ("seen", "needed", "hundredths", "guided"),
    [
        (missiles(3), 12, 3, 17),
        (missiles(2), 11, 8, 28),
        (missiles(3, Mode.WHEELED), 14, 0, 3),
        (missiles(3, body=THIN), 10, 17, 42),
    ],
    ids=["a fixed battery", "a better gunner", "one on wheels", "thin air"],
)
def test_the_odds_of_a_missile_of_a_ground_unit(
    seen: View, needed: int, hundredths: int, guided: int
) -> None:
    assert unit_bombard_odds(seen, seen.ground[0], call("D1", piece=G1)) == BombardOdds(
        ship=G1,
        weapon="D1",
        at=SITE,
        cell=CELL,
        needed=needed,
        hundredths=hundredths,
        guided_hundredths=guided,
        damage=4,
        lands=2,
    )


def test_the_odds_of_a_point_are_those_of_the_unit_or_of_the_ship_that_fires_at_it() -> None:
    seen, order = missiles(3), call("D1", piece=G1)
    assert odds_of_bombardment(seen, order) == unit_bombard_odds(seen, seen.ground[0], order)


def test_a_missile_to_another_environs_lands_a_turn_later_in_the_air_of_that() -> None:
    seen = missiles(3, body=THIN)
    found = unit_bombard_odds(seen, seen.ground[0], call("D1", FAR_SITE, G1))
    assert isinstance(found, BombardOdds)
    assert (found.needed, found.lands) == (12, 3)


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (call("D0", piece=G1), Code.ORDER_WEAPON),
        (call("D1", Site("Vesta", 1), G1), Code.ORDER_BODY),
    ],
)
def test_a_unit_that_may_not_send_a_missile_has_no_odds_but_the_reason(
    order: Bombard, code: Code
) -> None:
    seen = missiles(4)
    found = unit_bombard_odds(seen, seen.ground[0], order)
    assert isinstance(found, Rejected)
    assert found.code is code
