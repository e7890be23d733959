"""Ground attacks: brackets of range, what the dice must show, and what always misses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.surface import Build, GroundKind
from sunglare_protocol.words.specials import Special
from sunglare_rules.blips.visual_ranges import Eyes
from sunglare_rules.ground.attacks import Aimed, Bracket, bracket_of, damage_at, hits, needs
from sunglare_rules.ground.builds import build_of, eyes_of, height_of_kind
from sunglare_rules.turn.metric import SURFACE, Span


def inches(number: float) -> Span:
    return Span(SURFACE, int(number * 1000) ** 2)


@pytest.mark.parametrize(
    ("distance", "bracket"),
    [
        (0, Bracket.SHORT),
        (6, Bracket.SHORT),
        (6.001, Bracket.MEDIUM),
        (24, Bracket.MEDIUM),
        (24.001, Bracket.LONG),
        (42, Bracket.LONG),
        (42.001, Bracket.EXTREME),
        (60, Bracket.EXTREME),
        (60.001, None),
    ],
)
def test_a_bracket_reaches_up_to_and_with_its_limit(
    distance: float, bracket: Bracket | None
) -> None:
    assert bracket_of(inches(distance)) is bracket


@pytest.mark.parametrize(
    ("bracket", "aimed", "needed"),
    [
        (Bracket.SHORT, Aimed(), 4),
        (Bracket.MEDIUM, Aimed(), 6),
        (Bracket.LONG, Aimed(), 8),
        (Bracket.EXTREME, Aimed(), 10),
        (None, Aimed(), 4),
        (Bracket.SHORT, Aimed(cover=True), 5),
        (Bracket.MEDIUM, Aimed(indirect=True), 7),
        (Bracket.LONG, Aimed(cover=True, indirect=True), 10),
        (Bracket.SHORT, Aimed(remote=True), 2),
        (Bracket.SHORT, Aimed(indirect=True, by_remote=True), 8),
    ],
)
def test_the_dice_must_show_gunnery_bracket_and_cover(
    bracket: Bracket | None, aimed: Aimed, needed: int
) -> None:
    assert needs(4, bracket, aimed) == needed


def test_a_two_always_misses_and_equal_hits() -> None:
    assert not hits(2, 2)
    assert hits(3, 2)
    assert hits(7, 7)
    assert not hits(6, 7)


@given(st.floats(0, 59), st.floats(0, 1))
def test_farther_is_never_easier(distance: float, more: float) -> None:
    near, far = bracket_of(inches(distance)), bracket_of(inches(distance + more))
    assert near is not None
    assert far is not None
    assert needs(4, far, Aimed()) >= needs(4, near, Aimed())


def test_a_weapon_without_damage_at_a_bracket_does_not_reach_it() -> None:
    damages = (3, 2, 0, 0)
    assert [damage_at(damages, bracket) for bracket in Bracket] == [3, 2, 0, 0]


@pytest.mark.parametrize(
    ("kind", "specials", "build", "height"),
    [
        (GroundKind.INFANTRY, (), Build.INFANTRY, 1),
        (GroundKind.MECH, (), Build.MECH, 2),
        (GroundKind.SUPERHEAVY, (), Build.SUPERHEAVY, 3),
        (GroundKind.VEHICLE, (), Build.VEHICLE, 1),
        (GroundKind.VEHICLE, (Special.LG,), Build.LARGE_VEHICLE, 2),
        (GroundKind.VEHICLE, (Special.SLG,), Build.VERY_LARGE, 4),
        (GroundKind.STRUCTURE, (), Build.VERY_LARGE, 4),
        (GroundKind.REMOTE, (), Build.REMOTE, 0),
    ],
)
def test_a_kind_of_unit_has_its_height(
    kind: GroundKind, specials: tuple[Special, ...], build: Build, height: int
) -> None:
    assert build_of(kind, specials) is build
    assert height_of_kind(kind, specials) == height


def test_infantry_and_battle_armour_see_with_the_eyes_of_infantry() -> None:
    on_foot = [kind for kind in GroundKind if eyes_of(kind) is Eyes.INFANTRY]
    assert on_foot == [GroundKind.INFANTRY, GroundKind.BATTLE_ARMOUR]
