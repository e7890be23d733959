"""Scan sizes and places, strength, signatures, signals, the Sense roll and integration."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.geometry import Area, Board, Square, box_named
from sunglare_protocol.words.scans import Drive, Echo, ScanSize, ScanType, Signature
from sunglare_rules.sensors.areas import SIZE_MODIFIER, scan_area, scan_centre, scan_place_allowed
from sunglare_rules.sensors.scans import (
    NEEDS_POPPED_OUT,
    ScanHabit,
    declared_strength,
    effective_strength,
    habit_after,
    integration,
    sense_chance,
    sense_succeeds,
)
from sunglare_rules.sensors.signatures import (
    SENSES,
    Emitter,
    contact_signatures,
    signals,
    signatures,
    strongest,
)

BOARD = Board()
SUN = 6
HULLS = {Signature.VISUAL_HULL, Signature.RADAR_HULL, Signature.MASS_HULL}


@pytest.mark.parametrize(
    ("size", "modifier"),
    [
        pytest.param(ScanSize.SQUARE, 2, id="1 square"),
        pytest.param(ScanSize.SQUARES, 0, id="3x3 squares"),
        pytest.param(ScanSize.BOX, -1, id="1 box"),
        pytest.param(ScanSize.BOXES, -3, id="3x3 boxes"),
    ],
)
def test_a_larger_scan_is_weaker(size: ScanSize, modifier: int) -> None:
    assert SIZE_MODIFIER[size] == modifier
    assert declared_strength(2, size, 0) == 2 + modifier
    assert declared_strength(2, size, 3) == 5 + modifier


@pytest.mark.parametrize(
    ("size", "at", "area", "count"),
    [
        pytest.param(ScanSize.SQUARE, (7, 8), (7, 8, 7, 8), 1, id="one square"),
        pytest.param(ScanSize.SQUARES, (7, 8), (6, 7, 8, 9), 9, id="3x3 squares"),
        pytest.param(ScanSize.SQUARES, (0, 0), (0, 0, 1, 1), 4, id="3x3 squares in a corner"),
        pytest.param(ScanSize.BOX, (5, 19), (5, 15, 9, 19), 25, id="box B4"),
        pytest.param(ScanSize.BOXES, (22, 2), (15, 0, 29, 9), 150, id="boxes on E1"),
        pytest.param(ScanSize.BOXES, (22, 17), (15, 10, 29, 24), 225, id="boxes on E4"),
        pytest.param(ScanSize.BOXES, (39, 39), (30, 30, 39, 39), 100, id="boxes on H8"),
    ],
)
def test_a_scan_covers_its_squares_without_those_off_the_map(
    size: ScanSize, at: tuple[int, int], area: tuple[int, int, int, int], count: int
) -> None:
    covered = scan_area(BOARD, size, Square(*at))
    assert covered == Area(*area)
    assert len(list(covered.squares())) == count


def test_a_box_scan_has_one_name_wherever_in_the_box_it_is_centred() -> None:
    assert scan_centre(ScanSize.BOX, Square(5, 19)) == box_named("B4").centre == (7, 17)
    assert scan_centre(ScanSize.BOXES, Square(20, 0)) == box_named("E1").centre
    assert scan_centre(ScanSize.SQUARES, Square(5, 19)) == (5, 19)


@pytest.mark.parametrize(
    ("size", "at", "allowed"),
    [
        pytest.param(ScanSize.SQUARE, (14, 14), True, id="1 square in the own box"),
        pytest.param(ScanSize.SQUARE, (15, 14), False, id="1 square next door"),
        pytest.param(ScanSize.SQUARES, (15, 14), True, id="3x3 squares next door"),
        pytest.param(ScanSize.SQUARES, (5, 19), True, id="3x3 squares across the corner"),
        pytest.param(ScanSize.SQUARES, (20, 12), False, id="3x3 squares two boxes off"),
        pytest.param(ScanSize.BOX, (39, 39), True, id="a box anywhere"),
        pytest.param(ScanSize.BOXES, (0, 39), True, id="3x3 boxes anywhere"),
    ],
)
def test_square_scans_stay_close_to_the_ship(
    size: ScanSize, at: tuple[int, int], allowed: bool
) -> None:
    assert scan_place_allowed(size, Square(*at), Square(10, 10)) is allowed


@pytest.mark.parametrize(
    ("scan_type", "expected"),
    [
        pytest.param(ScanType.VISUAL, -5, id="visual"),
        pytest.param(ScanType.IR, -5, id="ir"),
        pytest.param(ScanType.RADAR, 1, id="radar"),
        pytest.param(ScanType.NEUTRINO, 1, id="neutrino"),
        pytest.param(ScanType.MASS, 1, id="mass"),
    ],
)
def test_glare_weakens_visual_and_ir_scans_by_the_sunfactor(
    scan_type: ScanType, expected: int
) -> None:
    assert effective_strength(1, scan_type, True, SUN) == expected
    assert effective_strength(1, scan_type, False, SUN) == 1


def test_hull_sensors_must_be_popped_out_and_the_two_others_not() -> None:
    assert set(ScanType) - set(NEEDS_POPPED_OUT) == {ScanType.NEUTRINO, ScanType.MASS}


def test_each_signature_is_sensed_by_exactly_one_type() -> None:
    sensed = [signature for scan_type in ScanType for signature in SENSES[scan_type]]
    assert sensed == list(Signature)


S, E = Signature, Echo


@pytest.mark.parametrize(
    ("signature", "values"),
    [
        pytest.param(S.VISUAL_HULL, (-9, -6, -4, -2), id="visual hull"),
        pytest.param(S.RADAR_HULL, (-6, -4, -2, 0), id="radar hull"),
        pytest.param(S.MASS_HULL, (None, -7, -4, -1), id="mass hull"),
    ],
)
def test_a_cold_hull_in_shadow_gives_off_what_its_echo_says(
    signature: Signature, values: tuple[int | None, ...]
) -> None:
    cold = [Emitter(echo=echo, powered=False) for echo in Echo]
    assert tuple(signatures(emitter, 0).get(signature) for emitter in cold) == values
    assert all(set(signatures(emitter, 0)) <= HULLS for emitter in cold)


@pytest.mark.parametrize(
    ("signature", "values"),
    [
        pytest.param(S.IR_POWER, (None, -2, 0, 2), id="ir power"),
        pytest.param(S.NEUTRINO_POWER, (None, -3, -1, 1), id="neutrino power"),
    ],
)
def test_a_running_plant_gives_off_what_the_echo_says(
    signature: Signature, values: tuple[int | None, ...]
) -> None:
    running = [signatures(Emitter(echo=echo, powered=True), SUN) for echo in Echo]
    stopped = [signatures(Emitter(echo=echo, powered=False), SUN) for echo in Echo]
    assert tuple(emitted.get(signature) for emitted in running) == values
    assert all(signature not in emitted for emitted in stopped)


@pytest.mark.parametrize("echo", [E.SMALL, E.MEDIUM, E.LARGE], ids=lambda echo: str(echo.value))
@pytest.mark.parametrize(
    ("drive", "points", "visual", "heat"),
    [
        pytest.param(Drive.IMPULSE, 0, None, None, id="no thrust"),
        pytest.param(Drive.IMPULSE, 1, 0, 1, id="impulse 1"),
        pytest.param(Drive.IMPULSE, 4, 0, 4, id="impulse 4"),
        pytest.param(Drive.FUSION, 0, None, None, id="fusion at rest"),
        pytest.param(Drive.FUSION, 2, 4, 2, id="fusion 2"),
        pytest.param(Drive.FUSION, 6, 4, 4, id="heat has a limit"),
    ],
)
def test_thrust_shows_as_plume_and_heat(
    echo: Echo, drive: Drive, points: int, visual: int | None, heat: int | None
) -> None:
    given_off = signatures(Emitter(echo=echo, drive=drive, thrust_spent=points), SUN)
    assert given_off.get(S.VISUAL_THRUST) == visual
    assert given_off.get(S.IR_THRUST) == heat


def test_a_missile_is_warm_and_bright_only_while_it_burns() -> None:
    hull = {S.VISUAL_HULL: -9 + SUN, S.RADAR_HULL: -6}
    assert signatures(Emitter(echo=E.MISSILE, burns=False, thrust_spent=3), SUN) == hull
    assert signatures(Emitter(echo=E.MISSILE, burns=True), SUN) == {
        **hull,
        S.VISUAL_THRUST: 1,
        S.IR_POWER: -2,
        S.IR_THRUST: 2,
    }


@pytest.mark.parametrize("echo", Echo, ids=lambda echo: str(echo.value))
def test_popped_out_sensors_show_in_visual_and_radar_hull_alone(echo: Echo) -> None:
    folded = signatures(Emitter(echo=echo, thrust_spent=1), SUN)
    out = signatures(Emitter(echo=echo, thrust_spent=1, popped_out=True), SUN)
    changed = {
        signature: out[signature] - folded[signature]
        for signature in folded
        if out[signature] != folded[signature]
    }
    assert changed == {S.VISUAL_HULL: 1, S.RADAR_HULL: 1}


@given(
    emitter=st.builds(
        Emitter,
        echo=st.sampled_from(Echo),
        drive=st.sampled_from(Drive),
        powered=st.booleans(),
        popped_out=st.booleans(),
        thrust_spent=st.integers(0, 6),
        burns=st.booleans(),
    )
)
def test_sunlight_changes_the_visual_hull_and_nothing_else(emitter: Emitter) -> None:
    dark, lit = signatures(emitter, 0), signatures(emitter, SUN)
    assert lit == {**dark, S.VISUAL_HULL: dark[S.VISUAL_HULL] + SUN}
    assert list(lit) == [signature for signature in Signature if signature in lit]


@pytest.mark.parametrize("echo", Echo, ids=lambda echo: str(echo.value))
def test_what_is_cloaked_or_on_a_planet_has_no_signature(echo: Echo) -> None:
    hot = Emitter(echo=echo, thrust_spent=3, burns=True, popped_out=True, hidden=True)
    assert signatures(hot, SUN) == {}
    for scan_type in ScanType:
        found = signals(scan_type, 9, hot, SUN)
        assert (found, contact_signatures(found), strongest(found)) == ({}, (), None)


@pytest.mark.parametrize(
    ("popped_out", "signal", "contact"),
    [
        pytest.param(True, 0, (S.VISUAL_HULL,), id="visual hull -1 with sensors out"),
        pytest.param(False, -1, (), id="visual hull -2 is silence"),
    ],
)
def test_the_first_scan_in_glare_finds_a_large_hull_only_with_its_sensors_out(
    popped_out: bool, signal: int, contact: tuple[Signature, ...]
) -> None:
    declared = declared_strength(2, ScanSize.BOX, 0)
    strength = effective_strength(declared, ScanType.VISUAL, True, SUN)
    found = signals(ScanType.VISUAL, strength, Emitter(echo=E.LARGE, popped_out=popped_out), SUN)
    assert (declared, strength) == (1, -5)
    assert found == {S.VISUAL_HULL: signal}
    assert contact_signatures(found) == contact


def test_a_contact_names_every_signature_that_reached_zero() -> None:
    hot = Emitter(echo=E.MEDIUM, drive=Drive.FUSION, thrust_spent=2)
    visual = signals(ScanType.VISUAL, -3, hot, 0)
    assert visual == {S.VISUAL_HULL: -7, S.VISUAL_THRUST: 1}
    assert contact_signatures(visual) == (S.VISUAL_THRUST,)
    assert strongest(visual) == 1
    assert contact_signatures(signals(ScanType.IR, 0, hot, 0)) == (S.IR_POWER, S.IR_THRUST)
    assert contact_signatures(signals(ScanType.RADAR, 2, hot, 0)) == (S.RADAR_HULL,)
    assert contact_signatures(signals(ScanType.NEUTRINO, 0, hot, 0)) == ()


@pytest.mark.parametrize(
    ("signal", "chance"),
    [
        pytest.param(0, Fraction(10, 36), id="signal 0"),
        pytest.param(2, Fraction(21, 36), id="signal 2"),
        pytest.param(4, Fraction(30, 36), id="signal 4"),
        pytest.param(6, Fraction(35, 36), id="signal 6"),
        pytest.param(7, Fraction(1), id="signal 7"),
        pytest.param(9, Fraction(1), id="signal 9"),
    ],
)
def test_an_operator_of_skill_one_has_the_published_sense_chances(
    signal: int, chance: Fraction
) -> None:
    assert sense_chance(1, signal) == chance


@given(skill=st.integers(0, 3), signal=st.integers(0, 12))
def test_the_sense_chance_counts_the_rolls_that_succeed(skill: int, signal: int) -> None:
    dice = product(range(1, 7), repeat=2)
    ways = sum(sense_succeeds(first + second, skill, signal) for first, second in dice)
    assert sense_chance(skill, signal) == Fraction(ways, 36)


def test_sense_needs_ten() -> None:
    assert sense_succeeds(7, 1, 2)
    assert not sense_succeeds(6, 1, 2)


HERE, THERE = Square(3, 4), Square(7, 17)
HABIT = ScanHabit(turn=4, square=HERE, type=ScanType.IR, size=ScanSize.BOX, at=THERE, streak=1)


def test_each_repetition_adds_one_up_to_three() -> None:
    habit: ScanHabit | None = None
    streaks = []
    for turn in range(1, 7):
        habit = habit_after(habit, turn, HERE, ScanType.IR, ScanSize.BOX, THERE)
        streaks.append(habit.streak)
    assert streaks == [0, 1, 2, 3, 3, 3]


def test_the_same_box_is_the_same_place_whichever_square_names_it() -> None:
    assert integration(HABIT, 5, HERE, ScanType.IR, ScanSize.BOX, Square(5, 19)) == 2


@pytest.mark.parametrize(
    ("turn", "square", "scan_type", "size", "at"),
    [
        pytest.param(6, HERE, ScanType.IR, ScanSize.BOX, THERE, id="a turn left out"),
        pytest.param(4, HERE, ScanType.IR, ScanSize.BOX, THERE, id="the same turn"),
        pytest.param(5, THERE, ScanType.IR, ScanSize.BOX, THERE, id="another square"),
        pytest.param(5, HERE, ScanType.MASS, ScanSize.BOX, THERE, id="another type"),
        pytest.param(5, HERE, ScanType.IR, ScanSize.BOXES, THERE, id="another size"),
        pytest.param(5, HERE, ScanType.IR, ScanSize.BOX, HERE, id="another place"),
    ],
)
def test_anything_else_sets_integration_back_to_zero(
    turn: int, square: Square, scan_type: ScanType, size: ScanSize, at: Square
) -> None:
    assert integration(HABIT, turn, square, scan_type, size, at) == 0
    assert habit_after(HABIT, turn, square, scan_type, size, at).streak == 0


def test_a_first_scan_has_no_integration() -> None:
    assert integration(None, 1, HERE, ScanType.IR, ScanSize.BOX, THERE) == 0
