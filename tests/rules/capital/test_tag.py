"""TAG: how far it reaches, which fire it guides, and who notices it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.words.specials import Special, Specials
from sunglare_rules.capital.tag import is_guided, may_designate, notices_tag
from sunglare_rules.turn.metric import Spot

HERE = (5000, 5000)
POINTS = st.tuples(st.integers(0, 36_000), st.integers(0, 24_000))


def east(distance: int) -> Spot:
    """Return the point so far east of here."""
    return (HERE[0] + distance, HERE[1])


@pytest.mark.parametrize(
    ("specials", "distance", "reached"),
    [
        pytest.param((Special.TAG,), 0, True, id="K9 TAG on the spot"),
        pytest.param((Special.TAG,), 24_000, True, id="K9 TAG at 24 inches"),
        pytest.param((Special.TAG,), 24_001, False, id="K9 TAG beyond medium range"),
        pytest.param((Special.LTAG,), 6000, True, id="K9 light TAG at 6 inches"),
        pytest.param((Special.LTAG,), 6001, False, id="K9 light TAG beyond short range"),
        pytest.param((Special.LTAG, Special.ECM, Special.TAG), 9000, True, id="K9 both"),
        pytest.param((Special.ECM,), 0, False, id="K9 no designator"),
        pytest.param((), 0, False, id="K9 no specials"),
    ],
)
def test_k9_tag_reaches_medium_and_light_tag_short_range(
    specials: Specials, distance: int, reached: bool
) -> None:
    assert may_designate(specials, HERE, east(distance), has_line_of_sight=True) == reached


@given(point=POINTS)
def test_k9_without_line_of_sight_nothing_is_designated(point: Spot) -> None:
    assert not may_designate((Special.TAG, Special.LTAG), HERE, point, has_line_of_sight=False)


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
    assert is_guided(HERE, [east(inches) for inches in designated]) == guided


@pytest.mark.parametrize(("distance", "noticed"), [(0, True), (24_000, True), (24_001, False)])
def test_a_beam_is_noticed_within_24_inches_of_its_unit(distance: int, noticed: bool) -> None:
    assert notices_tag(east(distance), HERE) == noticed
