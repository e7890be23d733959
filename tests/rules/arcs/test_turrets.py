"""Turret indicators: positions, rotation, and the firing arcs they give."""

import pytest

from sunglare_protocol.words.pieces import Arc, TurretKind
from sunglare_rules.arcs.arcs import STANDARD_ARCS
from sunglare_rules.arcs.turrets import (
    RotationError,
    firing_arcs,
    rotated,
    turret_positions,
    turret_start,
)

F, B, L, R = Arc.FRONT, Arc.REAR, Arc.LEFT, Arc.RIGHT
SINGLE, DOUBLE = TurretKind.SINGLE, TurretKind.DOUBLE


def test_the_standard_arcs_are_front_rear_and_both_sides() -> None:
    assert STANDARD_ARCS == (F, B, L, R)


@pytest.mark.parametrize(
    ("kind", "positions"),
    [
        pytest.param(SINGLE, ((F,), (B,), (L,), (R,)), id="one of the four standard arcs"),
        pytest.param(DOUBLE, ((F, B), (L, R)), id="one of the two opposite pairs"),
    ],
)
def test_a_turret_has_these_positions(
    kind: TurretKind, positions: tuple[tuple[Arc, ...], ...]
) -> None:
    assert turret_positions(kind) == positions


@pytest.mark.parametrize(
    ("kind", "start"),
    [pytest.param(SINGLE, (F,), id="single"), pytest.param(DOUBLE, (F, B), id="double")],
)
def test_a_turret_starts_to_the_front(kind: TurretKind, start: tuple[Arc, ...]) -> None:
    assert turret_start(kind) == start


@pytest.mark.parametrize("now", STANDARD_ARCS, ids=lambda arc: f"from {arc.value}")
@pytest.mark.parametrize("to", STANDARD_ARCS, ids=lambda arc: f"to {arc.value}")
def test_a_single_turret_rotates_to_any_other_standard_arc(now: Arc, to: Arc) -> None:
    if to is now:
        with pytest.raises(RotationError):
            rotated(SINGLE, (now,), to)
    else:
        assert rotated(SINGLE, (now,), to) == (to,)


@pytest.mark.parametrize(
    ("now", "to", "after"),
    [
        pytest.param((F, B), L, (L, R), id="front and rear, left named"),
        pytest.param((F, B), R, (L, R), id="front and rear, right named"),
        pytest.param((L, R), F, (F, B), id="sides, front named"),
        pytest.param((L, R), B, (F, B), id="sides, rear named"),
    ],
)
def test_a_double_turret_takes_the_other_pair(
    now: tuple[Arc, ...], to: Arc, after: tuple[Arc, ...]
) -> None:
    assert rotated(DOUBLE, now, to) == after


@pytest.mark.parametrize(
    ("now", "to"),
    [
        pytest.param((F, B), F, id="front and rear, front named"),
        pytest.param((F, B), B, id="front and rear, rear named"),
        pytest.param((L, R), L, id="sides, left named"),
        pytest.param((L, R), R, id="sides, right named"),
    ],
)
def test_a_double_turret_cannot_stay_where_it_is(now: tuple[Arc, ...], to: Arc) -> None:
    with pytest.raises(RotationError):
        rotated(DOUBLE, now, to)


@pytest.mark.parametrize("kind", TurretKind, ids=lambda kind: kind.value)
@pytest.mark.parametrize(
    "to", [Arc.FULL_FRONT, Arc.FULL_REAR, Arc.BULLSEYE], ids=lambda arc: arc.value
)
def test_a_turret_points_to_no_full_arc_and_to_no_bullseye(kind: TurretKind, to: Arc) -> None:
    with pytest.raises(RotationError):
        rotated(kind, turret_start(kind), to)


def test_a_refused_rotation_says_what_would_be_right() -> None:
    with pytest.raises(ValueError, match="cannot rotate to front; it may point to left or right"):
        rotated(DOUBLE, (F, B), F)


@pytest.mark.parametrize(
    ("fixed", "turrets", "firing"),
    [
        pytest.param((F,), (), (F,), id="a fixed weapon alone"),
        pytest.param((), ((L,),), (L,), id="turret alone"),
        pytest.param((F,), ((F,),), (F,), id="an arc named twice counts once"),
        pytest.param((F,), ((L, R),), (F, L, R), id="double turret beside the front"),
        pytest.param((F,), ((R,), (B,)), (F, B, R), id="two turrets and a fixed weapon"),
        pytest.param((L, F, B), (), (F, B, L), id="three fixed weapons"),
        pytest.param(
            (Arc.FULL_FRONT, Arc.BULLSEYE),
            ((B,),),
            (B, Arc.FULL_FRONT, Arc.BULLSEYE),
            id="full arcs and bullseye may be firing arcs",
        ),
        pytest.param((), (), (), id="a ship without weapons has none"),
    ],
)
def test_firing_arcs_are_those_of_fixed_weapons_and_of_turrets_that_hold_one(
    fixed: tuple[Arc, ...], turrets: tuple[tuple[Arc, ...], ...], firing: tuple[Arc, ...]
) -> None:
    assert firing_arcs(fixed, turrets) == firing
