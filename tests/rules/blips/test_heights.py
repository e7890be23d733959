"""Heights, and lines of sight over ground: ties, soft cover, symmetry."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.cases import cases
from sunglare_protocol.surface import Build
from sunglare_rules.blips.heights import HEIGHTS, Obstacle, line_blocked, reversed_line

TABLE = {
    Build.INFANTRY: 1,
    Build.BATTLE_ARMOUR: 1,
    Build.PROTOMECH: 1,
    Build.VEHICLE: 1,
    Build.LARGE_VEHICLE: 2,
    Build.MECH: 2,
    Build.SUPERHEAVY: 3,
    Build.VERY_LARGE: 4,
    Build.AERODYNE: 5,
    Build.SPHEROID: 10,
    Build.REMOTE: 0,
}
obstacles = st.lists(
    st.builds(Obstacle, st.integers(0, 1000), st.integers(0, 8), st.booleans()), max_size=4
)
ends = st.integers(0, 12)


@pytest.mark.parametrize("build", Build, ids=lambda build: build.value)
def test_every_build_has_its_height(build: Build) -> None:
    assert HEIGHTS[build] == TABLE[build]


@cases(
    ("near", "far", "obstacle", "blocked"),
    {
        "a tie blocks": (2, 2, Obstacle(500, 2, True), True),
        "lower": (2, 2, Obstacle(500, 1, True), False),
        "grazed midway": (1, 5, Obstacle(500, 3, True), True),
        "cleared past it": (1, 5, Obstacle(501, 3, True), False),
        "caught before it": (1, 5, Obstacle(499, 3, True), True),
        "near end": (2, 2, Obstacle(0, 9, True), False),
        "far end": (2, 2, Obstacle(1000, 9, True), False),
        "just past the near end": (2, 2, Obstacle(1, 9, True), True),
        "just before the far end": (2, 2, Obstacle(999, 9, True), True),
    },
)
def test_a_line_is_blocked_by_what_reaches_up_to_it(
    near: int, far: int, obstacle: Obstacle, blocked: bool
) -> None:
    assert line_blocked(near, far, [obstacle]) is blocked


def test_a_probe_looks_through_what_is_soft() -> None:
    woods = [Obstacle(500, 4, False)]
    assert line_blocked(2, 2, woods)
    assert not line_blocked(2, 2, woods, solid_only=True)


@given(near=ends, far=ends, obstacles=obstacles, solid=st.booleans())
def test_a_line_is_the_same_from_both_ends(
    near: int, far: int, obstacles: list[Obstacle], solid: bool
) -> None:
    there = line_blocked(near, far, obstacles, solid_only=solid)
    back = line_blocked(far, near, reversed_line(obstacles), solid_only=solid)
    assert there is back


@given(near=ends, far=ends, obstacles=obstacles, solid=st.booleans())
def test_a_line_is_blocked_exactly_where_fractions_say(
    near: int, far: int, obstacles: list[Obstacle], solid: bool
) -> None:
    def height_at(along: int) -> Fraction:
        return near + Fraction(far - near) * Fraction(along, 1000)

    caught = [
        obstacle
        for obstacle in obstacles
        if obstacle.along not in (0, 1000) and obstacle.top >= height_at(obstacle.along)
    ]
    expected = any(obstacle.solid for obstacle in caught) if solid else bool(caught)
    assert line_blocked(near, far, obstacles, solid_only=solid) is expected


@given(near=ends, far=ends, obstacles=obstacles)
def test_standing_higher_never_hides(near: int, far: int, obstacles: list[Obstacle]) -> None:
    if not line_blocked(near, far, obstacles):
        assert not line_blocked(near + 1, far, obstacles)
        assert not line_blocked(near, far + 1, obstacles)
