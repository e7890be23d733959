"""Where foreign pieces may still be, as far as a view can tell."""

from random import Random

import pytest
from msgspec.structs import replace

from builders.views import BOARD, ON_CERES, contact, view
from sunglare_protocol.geometry import Compass, Place, Square, Vector
from sunglare_protocol.ids import Side
from sunglare_protocol.notices import ScanAnswered
from sunglare_protocol.replay.analysis import Basis
from sunglare_protocol.views import ContactView, View
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.scans import Echo, ScanSize, ScanType
from sunglare_rules.advice.odds.candidates import scanner_squares
from sunglare_rules.advice.odds.whereabouts import Whereabouts, whereabouts
from sunglare_rules.fire.missiles import may_aim
from sunglare_rules.sensors.areas import scan_area
from sunglare_rules.sensors.masks import mask_of
from sunglare_rules.sensors.questions import answers
from sunglare_rules.turn.movement import Flight, MoveEnding, ending, flown, thrust_headings

B = Side("B")

LOST = contact(
    fix=Fix.COASTING,
    turn=2,
    square=Square(20, 22),
    vector=Vector(1, -2),
    facing=Compass.E,
    size=Echo.MEDIUM,
)
"""A piece that was tracked in turn 2, and has moved once since, in turn 3."""


def told(*contacts: ContactView, phase: Phase = Phase.SCAN) -> tuple[Whereabouts, ...]:
    """Return what is told of these contacts."""
    return whereabouts(view(phase, contacts=contacts))


def squares(*contacts: ContactView, phase: Phase = Phase.SCAN) -> set[Square]:
    """Return all the squares that are told of these contacts."""
    return {square for spot in told(*contacts, phase=phase) for square in spot.squares}


@pytest.mark.parametrize("fix", [Fix.CONTACT, Fix.TRACKED, Fix.DETECTED, Fix.SOLUTION])
def test_what_is_held_is_where_the_hold_says_since_whenever(fix: Fix) -> None:
    held = contact(fix=fix, turn=1)
    mask = mask_of(BOARD, (held.square,))
    assert told(held) == (Whereabouts("C1", Basis.HELD, B, (held.square,), mask),)


def test_what_was_seen_in_the_turn_before_has_not_moved_until_the_plots_are_made() -> None:
    memory = contact(fix=Fix.MEMORY, turn=2)
    assert squares(memory, phase=Phase.PLOT) == {memory.square}
    assert squares(memory, phase=Phase.SCAN) == set()


def test_what_was_tracked_is_wherever_one_move_may_have_brought_it() -> None:
    found, rng = squares(LOST), Random(1)
    for _ in range(300):
        turn = rng.randint(-1, 1)
        ahead = thrust_headings(Compass.E.turned(turn))
        thrust = tuple(rng.choice(ahead) for _ in range(rng.randint(0, 12)))
        end = flown(BOARD, Flight(LOST.square, Vector(1, -2), Compass.E), turn, thrust).square
        assert end in found or end not in BOARD


def test_what_was_lost_is_told_by_its_label_with_its_side_row_by_row() -> None:
    for lost in (LOST, replace(LOST, size=Echo.MISSILE)):
        (spot,) = told(lost)
        assert spot[:3] == ("C1", Basis.LOST, B)
        assert spot.squares == tuple(sorted(spot.squares, key=lambda at: (at.y, at.x)))


def test_it_may_have_ended_its_move_in_space_of_the_board_alone() -> None:
    near = replace(LOST, square=Square(1, 1), vector=Vector(-1, -1), facing=None)
    assert squares(near)
    assert all(square in BOARD for square in squares(near))
    bodies = [at for at in BOARD.area.squares() if ending(BOARD, at) is not MoveEnding.FLIES]
    assert bodies
    for body in bodies:
        over = replace(LOST, square=body, vector=Vector(0, 0), facing=None)
        assert body not in squares(over)


def test_what_can_only_have_left_the_board_is_nowhere() -> None:
    assert told(replace(LOST, square=Square(0, 0), vector=Vector(-20, -20))) == ()


def test_no_drive_brings_it_farther() -> None:
    adrift = flown(BOARD, Flight(LOST.square, Vector(1, -2), Compass.E), 0, ()).square
    found = squares(LOST)
    assert adrift in found
    assert max(square.x for square in found) == adrift.x + 12
    assert min(square.x for square in found) == adrift.x
    assert {abs(square.y - adrift.y) for square in found} == set(range(13))


def test_a_piece_whose_facing_is_unknown_may_have_gone_any_way() -> None:
    found = squares(replace(LOST, facing=None))
    assert found > squares(LOST)
    assert Square(21 - 12, 20) in found


@pytest.mark.parametrize(
    "changes",
    [
        {"turn": 1},
        {"vector": None},
        {"landed": ON_CERES},
        {"fate": Fate.DESTROYED},
        {"fate": Fate.ESCAPED},
    ],
    ids=["moved twice", "motion unknown", "landed", "destroyed", "gone"],
)
def test_where_too_little_is_known_or_nothing_is_in_space_no_square_is_told(
    changes: dict[str, object],
) -> None:
    assert told(replace(LOST, fix=Fix.MEMORY, **changes)) == ()


@pytest.mark.parametrize("size", [Echo.MISSILE, None])
def test_what_may_be_a_volley_by_its_echo_may_have_gone_to_any_square_in_reach(
    size: Echo | None,
) -> None:
    found = squares(replace(LOST, size=size))
    reach = {square for square in BOARD.area.squares() if may_aim(LOST.square, square)}
    assert found == reach | squares(LOST)


def scanned(kind: ScanType = ScanType.IR, side: str = "B") -> ScanAnswered:
    """Return the public record's entry of a scan from (30, 8)."""
    given = answers(BOARD, Place(Square(30, 8)), scan_area(BOARD, ScanSize.BOXES, Square(17, 22)))
    return ScanAnswered(
        side=Side(side),
        type=kind,
        size=ScanSize.BOXES,
        at="D5",
        strength=1,
        answers=given,
        effective=1,
    )


def heard(*scans: ScanAnswered) -> View:
    """Return a view in whose turn these scans were made."""
    return replace(view(Phase.SCAN), record=scans)


def test_who_has_scanned_is_where_such_answers_are_given() -> None:
    seen = heard(scanned())
    (spot,) = whereabouts(seen)
    assert spot[:3] == ("ir 3box D5", Basis.SCAN, B)
    assert spot.squares == scanner_squares(seen, scanned())
    assert Square(30, 8) in spot.squares


def test_a_scan_of_single_squares_is_named_by_the_square() -> None:
    at = Square(17, 22)
    given = answers(BOARD, Place(Square(30, 8)), scan_area(BOARD, ScanSize.SQUARE, at))
    seen = heard(replace(scanned(), size=ScanSize.SQUARE, at=at, answers=given))
    assert [spot.of for spot in whereabouts(seen)] == ["ir 1sq 17,22"]


def test_an_own_scan_and_radar_which_shows_its_square_tell_nothing_more() -> None:
    assert whereabouts(heard(scanned(side="A"), scanned(ScanType.RADAR))) == ()


def test_whose_it_is_follows_from_a_match_of_two_or_from_its_identity_alone() -> None:
    seen = view(Phase.SCAN, contacts=(contact(), contact(label="C2", side=Side("C"))))
    four = replace(seen.stage, sides=tuple(map(Side, "ABCD")))
    assert [spot.side for spot in whereabouts(seen)] == [B, Side("C")]
    assert [spot.side for spot in whereabouts(replace(seen, stage=four))] == [None, Side("C")]
