"""ECM fields: radii, cover, hostile lines, stealth that mutes, and drones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.spotting import METRICS, specials, units_of
from sunglare_protocol.ids import Side
from sunglare_rules.blips.ecm import (
    ANGEL_TIER,
    ECM_TIER,
    NO_TIER,
    Bubble,
    Emitting,
    Field,
    bubble,
    cover,
    drone_is_mute,
    has_jammer,
    line_jammed,
)
from sunglare_rules.turn.metric import SPACE, SURFACE, Metric, Spot

A, B, C = Side("A"), Side("B"), Side("C")
spots = st.tuples(st.integers(0, 39), st.integers(0, 39))
bubbles = st.sampled_from([Bubble(ECM_TIER, 12), Bubble(ANGEL_TIER, 12), Bubble(ECM_TIER, 2)])
fields = st.lists(st.builds(Field, st.sampled_from([A, B, C]), spots, bubbles), max_size=4)


@pytest.mark.parametrize(
    ("words", "made"),
    [
        ("", None),
        ("PRB", None),
        ("ECM", Bubble(ECM_TIER, 12)),
        ("AECM", Bubble(ANGEL_TIER, 12)),
        ("LECM", Bubble(ECM_TIER, 2)),
        ("WAT", Bubble(ECM_TIER, 12)),
        ("NOVA", Bubble(ECM_TIER, 12)),
        ("LECM ECM", Bubble(ECM_TIER, 12)),
        ("ECM AECM", Bubble(ANGEL_TIER, 12)),
        ("ECM MAS", Bubble(ECM_TIER, 12)),
        ("ECM STL", None),
    ],
)
def test_the_field_follows_from_the_abilities(words: str, made: Bubble | None) -> None:
    assert bubble(Emitting(specials(words))) == made


@pytest.mark.parametrize(
    "unit",
    [
        Emitting(specials("AECM"), operational=False),
        Emitting(specials("AECM"), switched_on=False),
        Emitting(specials("AECM"), cloaked=True),
        Emitting(specials("AECM STL")),
    ],
    ids=["not operational", "switched off", "cloaked", "E4 stealth"],
)
def test_a_jammer_that_does_not_work_makes_no_field(unit: Emitting) -> None:
    assert has_jammer(unit.specials)
    assert bubble(unit) is None


def test_stealthy_infantry_makes_its_field_all_the_same() -> None:
    assert bubble(Emitting(specials("ECM STL"), infantry=True)) == Bubble(ECM_TIER, 12)


@pytest.mark.parametrize(("metric", "name"), METRICS, ids=[name for _, name in METRICS])
def test_a_field_covers_its_own_side_up_to_its_rim(metric: Metric, name: str) -> None:
    field = Field(A, (0, 0), Bubble(ECM_TIER, 12))
    rim = units_of(metric, 12)
    assert cover(metric, [field], A, (rim, 0)) == ECM_TIER, name
    assert cover(metric, [field], A, (rim, 1)) == NO_TIER
    assert cover(metric, [field], B, (0, 0)) == NO_TIER


def test_of_several_fields_the_strongest_counts() -> None:
    weak, strong = (Field(A, (0, 0), Bubble(tier, 12)) for tier in (ECM_TIER, ANGEL_TIER))
    assert cover(SPACE, [weak, strong], A, (1, 1)) == ANGEL_TIER
    assert line_jammed(SPACE, [weak, strong], B, (-20, 0), (20, 0)) == ANGEL_TIER


@pytest.mark.parametrize(
    ("a", "b"),
    [((-20, 3), (20, 3)), ((3, 3), (30, 3)), ((30, 3), (3, 3)), ((0, 0), (0, 0))],
    ids=["crossed", "scanner inside", "target inside", "both at the jammer"],
)
def test_a_line_into_out_of_or_through_a_hostile_field_is_jammed(a: Spot, b: Spot) -> None:
    field = Field(A, (0, 0), Bubble(ECM_TIER, 12))
    assert line_jammed(SPACE, [field], B, a, b) == ECM_TIER
    assert line_jammed(SPACE, [field], C, a, b) == ECM_TIER
    assert line_jammed(SPACE, [field], A, a, b) == NO_TIER


@given(fields=fields, a=spots, b=spots)
def test_a_line_is_jammed_alike_from_both_ends(fields: list[Field], a: Spot, b: Spot) -> None:
    assert line_jammed(SPACE, fields, A, a, b) == line_jammed(SPACE, fields, A, b, a)


@given(fields=fields, more=fields, a=spots, b=spots)
def test_more_fields_never_weaken_cover_or_jamming(
    fields: list[Field], more: list[Field], a: Spot, b: Spot
) -> None:
    assert cover(SPACE, fields, A, a) <= cover(SPACE, [*fields, *more], A, a)
    jammed = line_jammed(SPACE, fields, A, a, b)
    assert jammed <= line_jammed(SPACE, [*fields, *more], A, a, b)


@given(fields=fields, a=spots, b=spots)
def test_fields_of_ones_own_never_jam_ones_lines(fields: list[Field], a: Spot, b: Spot) -> None:
    own = [field for field in fields if field.side == A]
    assert line_jammed(SPACE, own, A, a, b) == NO_TIER


@pytest.mark.parametrize(
    ("drone", "control", "mute"),
    [
        ((12_000, 0), None, True),
        ((12_001, 0), None, False),
        ((20_000, 0), (-20_000, 0), True),
        ((20_000, 0), (40_000, 0), False),
    ],
    ids=["inside", "outside", "control line crosses", "control line clear"],
)
def test_a_drone_is_mute_in_a_hostile_field_or_behind_one(
    drone: Spot, control: Spot | None, mute: bool
) -> None:
    field = Field(B, (0, 0), Bubble(ECM_TIER, 12))
    assert drone_is_mute(SURFACE, [field], A, drone, control) is mute
    assert not drone_is_mute(SURFACE, [field], B, drone, control)
