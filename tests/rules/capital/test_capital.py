"""Capital weapons: who may fire what at what, the table of modifiers, and the hit rule."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sunglare_protocol.surface import Pressure
from sunglare_protocol.words.capital import CapitalClass, Carrier, FireMode, RadarZone
from sunglare_protocol.words.pieces import BaseSize
from sunglare_protocol.words.specials import Special, Specials
from sunglare_rules.capital.capital import (
    ILLEGAL,
    CapitalAttack,
    ToHit,
    capital_chance,
    capital_hits,
    capital_to_hit,
    carries,
    drag,
    is_small,
    may_fire,
    specials_of_size,
)
from sunglare_rules.ground.attacks import Bracket

CAP, SCAP, MSL = CapitalClass.CAP, CapitalClass.SCAP, CapitalClass.MSL
SDS_C, SDS_SC, SDS_CM = CapitalClass.SDS_C, CapitalClass.SDS_SC, CapitalClass.SDS_CM
AIR, A2G, S2S = FireMode.AIR, FireMode.AIR_TO_GROUND, FireMode.SURFACE_TO_SURFACE

LEGAL = {
    (Carrier.AIRBORNE, AIR): (CAP, SCAP, MSL),
    (Carrier.AIRBORNE, A2G): (CAP, SCAP, MSL),
    (Carrier.AIRBORNE, S2S): (),
    (Carrier.LANDED, AIR): (),
    (Carrier.LANDED, A2G): (),
    (Carrier.LANDED, S2S): (MSL,),
    (Carrier.GROUND, AIR): (SDS_C, SDS_SC, SDS_CM),
    (Carrier.GROUND, A2G): (),
    (Carrier.GROUND, S2S): (SDS_CM,),
}

FIRING = [
    (weapon, carrier, mode) for (carrier, mode), weapons in LEGAL.items() for weapon in weapons
]

TWO_DICE = [first + second for first in range(1, 7) for second in range(1, 7)]


def attack(
    weapon: CapitalClass, mode: FireMode = AIR, carrier: Carrier | None = None
) -> CapitalAttack:
    """Return an attack at short range or from the Central Zone, without any other modifier."""
    ship = Carrier.LANDED if mode is S2S else Carrier.AIRBORNE
    usual = ship if weapon in (CAP, SCAP, MSL) else Carrier.GROUND
    return CapitalAttack(
        weapon=weapon,
        mode=mode,
        carrier=carrier or usual,
        bracket=Bracket.SHORT,
        target_specials=(Special.LG,),
        zone=RadarZone.CENTRAL,
        pressure=Pressure.VACUUM,
    )


def test_k1_ships_carry_three_classes_and_the_ground_the_other_three() -> None:
    for carrier in (Carrier.AIRBORNE, Carrier.LANDED):
        assert [kind for kind in CapitalClass if carries(carrier, kind)] == [CAP, SCAP, MSL]
    ground = [kind for kind in CapitalClass if carries(Carrier.GROUND, kind)]
    assert ground == [SDS_C, SDS_SC, SDS_CM]


@pytest.mark.parametrize("weapon", CapitalClass)
@pytest.mark.parametrize("mode", FireMode)
@pytest.mark.parametrize("carrier", Carrier)
def test_k8_from_the_ground_only_missiles_reach_the_ground(
    weapon: CapitalClass, carrier: Carrier, mode: FireMode
) -> None:
    expected = weapon in LEGAL[carrier, mode]
    assert may_fire(weapon, carrier, mode) == expected
    needed = capital_to_hit(attack(weapon, mode, carrier))
    assert needed.legal == expected
    assert (needed == ILLEGAL) != expected


@pytest.mark.parametrize(
    ("weapon", "specials", "mod"),
    [
        pytest.param(CAP, (), 5, id="K2 CAP at a small target"),
        pytest.param(SDS_C, (), 5, id="K2 SDS-C at a small target"),
        pytest.param(SCAP, (), 3, id="K2 SCAP at a small target"),
        pytest.param(SDS_SC, (), 3, id="K2 SDS-SC at a small target"),
        pytest.param(MSL, (), 0, id="K2 MSL at a small target"),
        pytest.param(SDS_CM, (), 0, id="K2 SDS-CM at a small target"),
        pytest.param(CAP, (Special.ECM, Special.STL), 5, id="K2 other specials do not count"),
        pytest.param(CAP, (Special.LG,), 0, id="K2 CAP at a large target"),
        pytest.param(CAP, (Special.PRB, Special.VLG), 0, id="K2 CAP at a very large target"),
        pytest.param(SDS_SC, (Special.SLG,), 0, id="K2 SDS-SC at a super large target"),
    ],
)
def test_k2_beams_hit_a_small_target_less_easily(
    weapon: CapitalClass, specials: Specials, mod: int
) -> None:
    needed = capital_to_hit(replace(attack(weapon), target_specials=specials))
    assert needed == ToHit(True, mod, 4 + mod, 4 + mod > 12)


@pytest.mark.parametrize(
    ("size", "small"),
    [
        pytest.param(BaseSize.SMALL, True, id="small has no footprint"),
        pytest.param(BaseSize.MEDIUM, False, id="medium is LG"),
        pytest.param(BaseSize.LARGE, False, id="large is VLG"),
        pytest.param(None, True, id="a mere contact is taken for small"),
    ],
)
def test_k2_the_size_class_of_a_piece_tells_whether_it_is_small(
    size: BaseSize | None, small: bool
) -> None:
    assert is_small(specials_of_size(size)) == small


@pytest.mark.parametrize("mode", [AIR, S2S])
@pytest.mark.parametrize(
    ("rules", "pressure", "mod"),
    [
        pytest.param(True, Pressure.VACUUM, 0, id="K3 vacuum"),
        pytest.param(True, Pressure.TRACE, 0, id="K3 trace"),
        pytest.param(True, Pressure.THIN, 0, id="K3 thin"),
        pytest.param(True, Pressure.STANDARD, 2, id="K3 standard"),
        pytest.param(True, Pressure.HIGH, 2, id="K3 high"),
        pytest.param(False, Pressure.VACUUM, 2, id="K3 vacuum without pressure rules"),
        pytest.param(False, Pressure.THIN, 2, id="K3 thin without pressure rules"),
        pytest.param(False, Pressure.STANDARD, 2, id="K3 standard without pressure rules"),
    ],
)
def test_k3_an_atmosphere_adds_two_unless_it_is_thin(
    mode: FireMode, rules: bool, pressure: Pressure, mod: int
) -> None:
    airy = replace(attack(MSL, mode), in_atmosphere=True, pressure_rules=rules, pressure=pressure)
    assert capital_to_hit(airy).mod == mod + (7 if mode is S2S else 0)
    assert drag(pressure, pressure_rules=rules) == mod


def test_k3_out_of_an_atmosphere_pressure_does_not_count() -> None:
    assert capital_to_hit(replace(attack(CAP), pressure=Pressure.HIGH)).mod == 0


def test_k3_missiles_from_ground_to_ground_always_fly_through_the_air() -> None:
    low = replace(attack(SDS_CM, S2S), in_atmosphere=False, pressure=Pressure.STANDARD)
    assert capital_to_hit(low).mod == 9


@pytest.mark.parametrize(
    ("weapon", "points", "mod", "auto_miss"),
    [
        pytest.param(MSL, 0, 0, False, id="K4 an undefended missile"),
        pytest.param(MSL, 1, 1, False, id="K4 one point"),
        pytest.param(MSL, 2, 0, True, id="K4 two points"),
        pytest.param(MSL, 5, 0, True, id="K4 more points"),
        pytest.param(SDS_CM, 1, 1, False, id="K4 one point at a ground missile"),
        pytest.param(SDS_CM, 2, 0, True, id="K4 two points at a ground missile"),
        pytest.param(CAP, 2, 0, False, id="K4 CAP is no missile"),
        pytest.param(SCAP, 1, 0, False, id="K4 SCAP is no missile"),
        pytest.param(SDS_C, 2, 0, False, id="K4 SDS-C is no missile"),
        pytest.param(SDS_SC, 1, 0, False, id="K4 SDS-SC is no missile"),
    ],
)
def test_k4_only_missiles_meet_point_defence(
    weapon: CapitalClass, points: int, mod: int, auto_miss: bool
) -> None:
    needed = capital_to_hit(replace(attack(weapon), point_defence=points))
    assert needed == ToHit(True, mod, 4 + mod, auto_miss)
    assert (capital_chance(needed) == 0) == auto_miss


@pytest.mark.parametrize(
    ("bracket", "mod"),
    [(Bracket.SHORT, 0), (Bracket.MEDIUM, 2), (Bracket.LONG, 4), (Bracket.EXTREME, 6)],
)
def test_range_counts_in_the_air(bracket: Bracket, mod: int) -> None:
    assert capital_to_hit(replace(attack(CAP), bracket=bracket)).mod == mod


@pytest.mark.parametrize("weapon", CapitalClass)
def test_nothing_in_the_air_is_hit_beyond_extreme_range(weapon: CapitalClass) -> None:
    assert capital_to_hit(replace(attack(weapon), bracket=None)) == ILLEGAL


@pytest.mark.parametrize("weapon", [CAP, SCAP, MSL])
@pytest.mark.parametrize(
    ("zone", "has_tag", "mod"),
    [
        pytest.param(RadarZone.CENTRAL, False, 0, id="K9 Central Zone"),
        pytest.param(RadarZone.INNER, False, 3, id="K9 inner zone"),
        pytest.param(RadarZone.MIDDLE, False, 3, id="K9 middle zone"),
        pytest.param(RadarZone.OUTER, False, 3, id="K9 outer zone"),
        pytest.param(RadarZone.CENTRAL, True, -2, id="K9 Central Zone with TAG"),
        pytest.param(RadarZone.INNER, True, 1, id="K9 inner zone with TAG"),
        pytest.param(RadarZone.MIDDLE, True, 1, id="K9 middle zone with TAG"),
        pytest.param(RadarZone.OUTER, True, 1, id="K9 outer zone with TAG"),
    ],
)
def test_k9_fire_from_above_needs_more_from_outside_the_central_zone(
    weapon: CapitalClass, zone: RadarZone, has_tag: bool, mod: int
) -> None:
    needed = capital_to_hit(replace(attack(weapon, A2G), zone=zone, has_tag=has_tag))
    assert needed == ToHit(True, mod, 4 + mod, False)


def test_k9_fire_from_above_meets_neither_atmosphere_nor_range_nor_point_defence() -> None:
    plain = attack(MSL, A2G)
    burdened = replace(
        plain,
        bracket=Bracket.EXTREME,
        in_atmosphere=True,
        pressure=Pressure.HIGH,
        point_defence=2,
        is_mobile=True,
    )
    assert capital_to_hit(burdened) == capital_to_hit(plain)


@pytest.mark.parametrize("weapon", [CAP, SCAP, MSL])
def test_k9_there_is_no_fire_at_the_ground_from_beyond_the_well(weapon: CapitalClass) -> None:
    assert capital_to_hit(replace(attack(weapon, A2G), zone=None)) == ILLEGAL


@pytest.mark.parametrize("weapon", [MSL, SDS_CM])
@pytest.mark.parametrize(
    ("pressure", "is_mobile", "has_tag", "mod"),
    [
        pytest.param(Pressure.VACUUM, False, False, 7, id="K10 no air, no drive"),
        pytest.param(Pressure.STANDARD, False, False, 9, id="K10 air"),
        pytest.param(Pressure.VACUUM, True, False, 9, id="K10 a carrier that can move"),
        pytest.param(Pressure.STANDARD, True, False, 11, id="K10 air and a movable carrier"),
        pytest.param(Pressure.VACUUM, False, True, 5, id="K10 TAG"),
        pytest.param(Pressure.STANDARD, True, True, 9, id="K10 everything"),
    ],
)
def test_k10_missiles_from_the_ground_need_more_if_their_carrier_can_move(
    weapon: CapitalClass, pressure: Pressure, is_mobile: bool, has_tag: bool, mod: int
) -> None:
    needed = capital_to_hit(
        replace(attack(weapon, S2S), pressure=pressure, is_mobile=is_mobile, has_tag=has_tag)
    )
    assert needed == ToHit(True, mod, 4 + mod, 4 + mod > 12)


def _rows(fired: CapitalAttack) -> list[tuple[bool, int]]:
    """Return the printed table of modifiers, row by row: whether it applies, and its figure."""
    air, a2g, s2s = fired.mode is AIR, fired.mode is A2G, fired.mode is S2S
    footprints = (Special.LG, Special.VLG, Special.SLG)
    small = not any(special in footprints for special in fired.target_specials)
    thick = not fired.pressure_rules or fired.pressure in (Pressure.STANDARD, Pressure.HIGH)
    aloft = fired.zone is RadarZone.CENTRAL
    missile = fired.weapon in (MSL, SDS_CM)
    return [
        (air and fired.bracket is Bracket.MEDIUM, 2),
        (air and fired.bracket is Bracket.LONG, 4),
        (air and fired.bracket is Bracket.EXTREME, 6),
        (((air and fired.in_atmosphere) or s2s) and thick, 2),
        (air and small and fired.weapon in (CAP, SDS_C), 5),
        (air and small and fired.weapon in (SCAP, SDS_SC), 3),
        (air and missile and fired.point_defence == 1, 1),
        (a2g and not aloft, 3),
        (s2s, 7),
        (s2s and fired.is_mobile, 2),
        ((a2g or s2s) and fired.has_tag, -2),
    ]


def _slow(fired: CapitalAttack) -> ToHit:
    """Return what the printed table says, for an attack that the carrier may make."""
    if fired.mode is AIR and fired.bracket is None:
        return ILLEGAL
    if fired.mode is A2G and fired.zone is None:
        return ILLEGAL
    mod = sum(figure for applies, figure in _rows(fired) if applies)
    shot_down = fired.mode is AIR and fired.weapon in (MSL, SDS_CM) and fired.point_defence > 1
    tn = fired.skill + mod
    return ToHit(True, mod, tn, shot_down or not any(tn <= roll for roll in TWO_DICE))


@pytest.mark.parametrize(("weapon", "carrier", "mode"), FIRING)
def test_every_combination_of_modifiers_is_the_sum_of_its_rows(
    weapon: CapitalClass, carrier: Carrier, mode: FireMode
) -> None:
    yes_no = (False, True)
    circumstances = product(
        (*Bracket, None),
        ((), (Special.LG,), (Special.PRB, Special.SLG)),
        yes_no,
        yes_no,
        Pressure,
        (*RadarZone, None),
        yes_no,
        yes_no,
        (0, 1, 2),
    )
    for bracket, specials, airy, rules, pressure, zone, tag, mobile, points in circumstances:
        fired = CapitalAttack(
            weapon=weapon,
            mode=mode,
            carrier=carrier,
            bracket=bracket,
            target_specials=specials,
            in_atmosphere=airy,
            pressure_rules=rules,
            pressure=pressure,
            zone=zone,
            has_tag=tag,
            is_mobile=mobile,
            point_defence=points,
        )
        assert capital_to_hit(fired) == _slow(fired), fired


@given(st.integers(0, 9), st.sampled_from(FIRING))
def test_a_worse_gunner_needs_as_much_more(
    skill: int, firing: tuple[CapitalClass, Carrier, FireMode]
) -> None:
    weapon, carrier, mode = firing
    needed = capital_to_hit(replace(attack(weapon, mode, carrier), skill=skill))
    assert needed.tn == skill + needed.mod
    assert needed.auto_miss == (needed.tn > 12)


@pytest.mark.parametrize(
    ("tn", "ways"),
    [
        pytest.param(-1, 35, id="less than any roll"),
        pytest.param(2, 35, id="2: a 2 misses even so"),
        (3, 35),
        (4, 33),
        (5, 30),
        (6, 26),
        (7, 21),
        (8, 15),
        (9, 10),
        (10, 6),
        (11, 3),
        (12, 1),
        pytest.param(13, 0, id="13 is more than two dice show"),
    ],
)
def test_two_dice_hit_at_the_number_or_more_and_a_two_never(tn: int, ways: int) -> None:
    needed = ToHit(True, tn - 4, tn, tn > 12)
    assert capital_chance(needed) == Fraction(ways, 36)
    assert [roll for roll in range(2, 13) if capital_hits(needed, roll)] == list(
        range(max(3, tn), 13)
    )


@given(st.integers(-2, 20))
def test_the_chance_is_that_of_all_ways_two_dice_fall(tn: int) -> None:
    needed = ToHit(True, 0, tn, tn > 12)
    hits = [roll for roll in TWO_DICE if roll > 2 and roll >= tn]
    assert capital_chance(needed) == Fraction(len(hits), 36)


def test_what_point_defence_stops_never_hits_whatever_is_rolled() -> None:
    stopped = capital_to_hit(replace(attack(MSL), point_defence=2))
    assert not any(capital_hits(stopped, roll) for roll in TWO_DICE)
