"""TAG: how far it reaches, which fire it guides, and who notices it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.capitalwords import TagKind
from sunglare_rules.surfacepoints import SurfacePoint
from sunglare_rules.tag import is_guided, may_designate, notices_tag

HERE = SurfacePoint(5000, 5000)
POINTS = st.builds(SurfacePoint, st.integers(0, 36_000), st.integers(0, 24_000))


def east(distance: int) -> SurfacePoint:
    """Return the point so far east of here."""
    return SurfacePoint(HERE.x + distance, HERE.y)


@pytest.mark.parametrize(
    ("kind", "distance", "reached"),
    [
        pytest.param(TagKind.TAG, 0, True, id="K9 TAG on the spot"),
        pytest.param(TagKind.TAG, 24_000, True, id="K9 TAG at 24 inches"),
        pytest.param(TagKind.TAG, 24_001, False, id="K9 TAG beyond medium range"),
        pytest.param(TagKind.LIGHT_TAG, 6000, True, id="K9 light TAG at 6 inches"),
        pytest.param(TagKind.LIGHT_TAG, 6001, False, id="K9 light TAG beyond short range"),
    ],
)
def test_k9_tag_reaches_medium_and_light_tag_short_range(
    kind: TagKind, distance: int, reached: bool
) -> None:
    assert may_designate(kind, HERE, east(distance), has_line_of_sight=True) == reached


@pytest.mark.parametrize("kind", TagKind)
@given(point=POINTS)
def test_k9_without_line_of_sight_nothing_is_designated(
    kind: TagKind, point: SurfacePoint
) -> None:
    assert not may_designate(kind, HERE, point, has_line_of_sight=False)


@pytest.mark.parametrize(
    ("designated", "guided"),
    [
        pytest.param((), False, id="K9 no TAG"),
        pytest.param((0,), True, id="K9 on the very point"),
        pytest.param((2000,), True, id="K9 two inches off"),
        pytest.param((2001,), False, id="K9 more than two inches off"),
        pytest.param((9000, 1500), True, id="K9 one of several is near"),
        pytest.param((9000, 2500), False, id="K9 none of several is near"),
    ],
)
def test_k9_tag_guides_fire_within_two_inches_of_its_point(
    designated: tuple[int, ...], guided: bool
) -> None:
    assert is_guided(HERE, [east(each) for each in designated]) == guided


@pytest.mark.parametrize(("distance", "noticed"), [(0, True), (24_000, True), (24_001, False)])
def test_a_beam_is_noticed_within_24_inches_of_its_unit(distance: int, noticed: bool) -> None:
    assert notices_tag(east(distance), HERE) == noticed
