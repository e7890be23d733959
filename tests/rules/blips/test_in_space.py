"""Spotting as it is in space: light, glare, abilities that work, and bearings by 30 degrees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.spotting import specials
from sunglare_protocol.geometry import Asteroid, Board, Place, Planet, PlanetSize, Square
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.blips.bearings import space_bearing
from sunglare_rules.blips.in_space import (
    Condition,
    aim,
    bearing_bucket,
    glared,
    has_probe,
    notices_probe,
    sight,
    sight_inches,
    working,
)

CERES = Planet(name="Ceres", at=Square(15, 12), size=PlanetSize.SMALL)
BOARD = Board(planets=(CERES,), asteroids=(Asteroid(name="Rock", at=Square(30, 5)),))
LIT, DARK = Square(3, 20), Square(15, 20)
squares = st.builds(Square, st.integers(0, 39), st.integers(0, 39))


@pytest.mark.parametrize(
    ("words", "condition", "left"),
    [
        ("ECM PRB STL", Condition(), "ECM PRB STL"),
        ("ECM PRB STL", Condition(powered=False), "ECM PRB STL MAS"),
        ("MAS", Condition(powered=False), "MAS"),
        ("AECM LECM BH", Condition(ecm_lost=True), "BH"),
        ("ECM LPRB PRB BH", Condition(probe_lost=True), "ECM"),
        ("WAT", Condition(), "WAT"),
        ("WAT", Condition(ecm_lost=True), "LPRB"),
        ("WAT", Condition(probe_lost=True), "ECM"),
        ("NOVA", Condition(ecm_lost=True), "PRB"),
        ("NOVA", Condition(ecm_lost=True, probe_lost=True), ""),
        ("RSD LG", Condition(ecm_lost=True, probe_lost=True), "RSD LG"),
    ],
)
def test_what_is_lost_or_cold_changes_the_abilities(
    words: str, condition: Condition, left: str
) -> None:
    assert working(specials(words), condition) == specials(left)


@pytest.mark.parametrize("word", ["LPRB", "PRB", "BH", "WAT", "NOVA"])
def test_a_probe_is_known_as_one(word: str) -> None:
    assert has_probe(specials(word))
    assert not has_probe(specials("ECM STL"))


@pytest.mark.parametrize(
    ("kind", "lit", "dark"),
    [(PieceKind.STARSHIP, 16, 8), (PieceKind.DECOY, 16, 8), (PieceKind.REMOTE, 20, 10)],
    ids=["ship", "decoy", "aerospace"],
)
def test_a_target_in_shadow_is_seen_half_as_far(kind: PieceKind, lit: int, dark: int) -> None:
    assert sight_inches(BOARD, kind, LIT) == lit
    assert sight_inches(BOARD, kind, DARK) == dark


@pytest.mark.parametrize(
    ("spotter", "target", "blind"),
    [
        (Square(3, 20), Square(3, 19), True),
        (Square(3, 20), Square(3, 0), True),
        (Square(3, 20), Square(3, 20), False),
        (Square(3, 20), Square(3, 21), False),
        (Square(3, 20), Square(4, 19), False),
        (Square(30, 8), Square(30, 1), False),
    ],
    ids=["ahead in the sun", "far ahead", "same square", "behind", "beside", "from shadow"],
)
def test_the_sun_blinds_a_spotter_to_its_own_column_northward(
    spotter: Square, target: Square, blind: bool
) -> None:
    assert glared(BOARD, spotter, target) is blind
    assert sight(BOARD, Place(spotter), Place(target)).los is not blind


def test_glare_is_no_hindrance_to_a_data_scan() -> None:
    assert aim(BOARD, Place(Square(3, 20)), Place(Square(3, 18))).los


def test_a_planet_hides_from_eyes_and_is_solid_to_probes() -> None:
    west, east = Place(Square(13, 12)), Place(Square(17, 12))
    assert not sight(BOARD, west, east).los
    assert aim(BOARD, west, east).solid
    assert not aim(BOARD, west, east).los


def test_pieces_in_one_square_touch() -> None:
    assert sight(BOARD, Place(LIT), Place(LIT)).contact
    assert not sight(BOARD, Place(LIT), Place(Square(4, 20))).contact


@given(a=squares, b=squares)
def test_lines_without_glare_are_the_same_from_both_ends(a: Square, b: Square) -> None:
    one, other = aim(BOARD, Place(a), Place(b)), aim(BOARD, Place(b), Place(a))
    assert one == other


def test_a_probe_is_noticed_up_to_twenty_six_inches() -> None:
    # 26 inches are squared distances up to 117: 9, 6 is 117, and 10, 5 is 125.
    assert notices_probe(Square(10, 10), Square(19, 16))
    assert not notices_probe(Square(10, 10), Square(20, 15))


def test_every_other_square_has_the_bearing_of_its_direction_and_the_own_one_none() -> None:
    here = Square(20, 20)
    for there in Board().area.squares():
        expected = None if there == here else space_bearing(here, there)
        assert bearing_bucket(here, there) == expected
