"""The range brackets of capital weapons: their ends in squares, modifiers and damage."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.capitalwords import Bracket
from sunglare_rules.brackets import (
    BRACKET_INCHES,
    BRACKET_MODIFIER,
    BracketDamage,
    space_bracket,
)

SQUARES = {
    Bracket.SHORT: Fraction(5, 2),
    Bracket.MEDIUM: Fraction(10),
    Bracket.LONG: Fraction(35, 2),
    Bracket.EXTREME: Fraction(25),
}


@pytest.mark.parametrize(
    ("bracket", "inches", "modifier"),
    [
        (Bracket.SHORT, 6, 0),
        (Bracket.MEDIUM, 24, 2),
        (Bracket.LONG, 42, 4),
        (Bracket.EXTREME, 60, 6),
    ],
)
def test_each_bracket_has_its_reach_and_modifier(
    bracket: Bracket, inches: int, modifier: int
) -> None:
    assert (BRACKET_INCHES[bracket], BRACKET_MODIFIER[bracket]) == (inches, modifier)


@pytest.mark.parametrize(
    ("distance_squared", "bracket"),
    [
        pytest.param(0, Bracket.SHORT, id="the same square"),
        pytest.param(6, Bracket.SHORT, id="just within 2.5 squares"),
        pytest.param(7, Bracket.MEDIUM, id="just beyond 2.5 squares"),
        pytest.param(100, Bracket.MEDIUM, id="exactly 10 squares"),
        pytest.param(101, Bracket.LONG, id="just beyond 10 squares"),
        pytest.param(306, Bracket.LONG, id="just within 17.5 squares"),
        pytest.param(307, Bracket.EXTREME, id="just beyond 17.5 squares"),
        pytest.param(625, Bracket.EXTREME, id="exactly 25 squares"),
        pytest.param(626, None, id="just beyond 25 squares"),
    ],
)
def test_a_bracket_reaches_up_to_and_including_its_end(
    distance_squared: int, bracket: Bracket | None
) -> None:
    assert space_bracket(distance_squared) is bracket


@given(st.integers(0, 1500))
def test_the_bracket_is_the_first_whose_squares_take_the_distance_in(squared: int) -> None:
    within = [each for each, reach in SQUARES.items() if squared <= reach**2]
    assert space_bracket(squared) is (within[0] if within else None)


def test_a_weapon_has_a_damage_for_each_bracket() -> None:
    damage = BracketDamage(9, 7, 4, 1)
    assert [damage.at(each) for each in Bracket] == [9, 7, 4, 1]
