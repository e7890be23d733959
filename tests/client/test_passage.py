"""A passage draws what its audience was sent of two windows, and nothing else."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.desks import SCENES, frames_of, view_in
from builders.terminals import KITE, MOTH, S1, S2, TRACK, A, B, ship, view
from sunglare_client.map.cells import What
from sunglare_client.map.passage import (
    BEATS_MOST,
    WAY_BEATS,
    Passage,
    PassageStep,
    passage,
    placed_in,
)
from sunglare_protocol.geometry import Square, Vector, box_named
from sunglare_protocol.ids import Handle
from sunglare_protocol.messages import Frame
from sunglare_protocol.notices import (
    InitiativeDrawn,
    Notice,
    ScanAnswered,
    ScanResult,
    ShotResult,
    ShotSeen,
)
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.scans import Answers, ScanSize, ScanType
from sunglare_rules.sensors.areas import scan_area

HELD = TRACK.handle or Handle("")
SCANNED = ScanAnswered(
    side=B,
    type=ScanType.VISUAL,
    size=ScanSize.BOX,
    at="D3",
    strength=1,
    answers=Answers(glare=False, from_well=True, touches_well=True),
    effective=1,
)
SHOT = ShotResult(ship=S1, weapon="B1", at=HELD, damage=2, dice=(4, 5))

Change = tuple[Frame, Frame]
"""Two frames in a row that one side was sent."""


def changes() -> list[Change]:
    """Return all of them, of each side of each scene."""
    return [
        change
        for scene in SCENES
        for frames in frames_of(*scene).values()
        for change in pairwise(frames)
    ]


CHANGES = st.deferred(lambda: st.sampled_from(changes()))


def shown(change: Change) -> Passage:
    """Return the passage from one frame to the next."""
    before, after = change
    return passage(view_in(before), view_in(after), after.notices)


def moved(one: View, own: Vector) -> View:
    """Return the view with each own ship so far away from where it was."""
    ships = tuple(replace(ship, square=ship.square.moved(own)) for ship in one.own)
    return replace(one, own=ships)


def squares(step: PassageStep, *whats: What) -> set[Square]:
    """Return the squares on which a step draws one of these over the ground."""
    return {square for square, cell in step.over if cell.what in whats}


def named_in(notices: tuple[Notice, ...]) -> set[Square]:
    """Return the squares that notices name."""
    return {one.square for one in notices if hasattr(one, "square")}


@given(CHANGES)
def test_it_is_short_and_ends_with_the_view_that_stands_afterwards(change: Change) -> None:
    steps = shown(change)
    assert sum(step.beats for step in steps) <= BEATS_MOST
    assert all(step.beats > 0 for step in steps)
    assert not steps or steps[-1].view == view_in(change[1])


@given(CHANGES)
def test_every_piece_is_drawn_between_two_squares_that_were_told_of_it(change: Change) -> None:
    before, after = map(placed_in, map(view_in, change))
    for step in shown(change):
        now = placed_in(step.view)
        assert now.keys() == after.keys()
        for key, square in now.items():
            start = before.get(key, after[key])
            for here, one, other in zip(square, start, after[key], strict=True):
                assert min(one, other) <= here <= max(one, other)


@given(CHANGES)
def test_but_for_squares_a_step_shows_the_view_that_came(change: Change) -> None:
    after = view_in(change[1])
    for step in shown(change):
        assert isinstance(step.view, View)
        own = zip(step.view.own, after.own, strict=True)
        held = zip(step.view.contacts, after.contacts, strict=True)
        assert (
            replace(
                step.view,
                own=tuple(replace(one, square=then.square) for one, then in own),
                contacts=tuple(replace(one, square=then.square) for one, then in held),
            )
            == after
        )


@given(CHANGES)
def test_lines_lie_between_told_squares_and_spots_and_boxes_where_a_notice_says(
    change: Change,
) -> None:
    before, after = map(view_in, change)
    notices = change[1].notices
    told = {*placed_in(before).values(), *placed_in(after).values()}
    areas = [
        scan_area(
            after.board,
            one.size,
            one.at if isinstance(one.at, Square) else box_named(one.at).centre,
        )
        for one in notices
        if isinstance(one, ScanAnswered)
    ]
    for step in shown(change):
        for square, cell in step.over:
            match cell.what:
                case What.LINE:
                    assert any(_is_between(square, one, other) for one in told for other in told)
                case What.SPOT:
                    assert square in named_in(notices) or any(
                        square in [*a.squares()] for a in areas
                    )
                case _:
                    assert any(area.covers(square) for area in areas)


def _is_between(here: Square, one: Square, other: Square) -> bool:
    return all(
        min(near, far) <= at <= max(near, far)
        for at, near, far in zip(here, one, other, strict=True)
    )


@given(CHANGES, st.data())
def test_what_was_not_sent_has_no_part_in_it(change: Change, data: st.DataObject) -> None:
    """A piece that the view before did not place has no way, wherever it was."""
    before, after = map(view_in, change)
    hidden = data.draw(st.sampled_from([None, *after.contacts]), label="hidden before")
    if hidden is None:
        return
    known = tuple(one for one in before.contacts if one.handle != hidden.handle)
    without = replace(before, contacts=known)
    for step in passage(without, after, ()):
        assert isinstance(step.view, View)
        assert hidden in step.view.contacts


def test_a_ship_flies_its_way_in_equal_parts_and_leaves_a_trail() -> None:
    before = view(own=(KITE,), contacts=())
    steps = passage(before, moved(before, Vector(8, 0)), ())
    flown = [step.view.own[0].square.x - KITE.square.x for step in steps]  # type: ignore[union-attr]
    assert flown == [0, 2, 4, 6, 8]
    trails = [{square.x - KITE.square.x for square in squares(step, What.LINE)} for step in steps]
    assert trails == [set(), {0, 1}, {*range(4)}, {*range(6)}, {*range(8)}]


def test_a_track_flies_as_long_as_it_has_the_same_handle() -> None:
    before = view(own=(), contacts=(TRACK,))
    there = replace(TRACK, square=TRACK.square.moved(Vector(4, 4)))
    assert len(passage(before, replace(before, contacts=(there,)), ())) == WAY_BEATS + 1
    other = replace(there, handle=Handle("x1"))
    assert passage(before, replace(before, contacts=(other,)), ()) == ()
    memory = replace(there, handle=None)
    assert passage(before, replace(before, contacts=(memory,)), ()) == ()


def test_what_is_gone_flies_nowhere() -> None:
    before = view(own=(KITE,), contacts=())
    gone = ship(KITE, fate=Fate.DESTROYED, square=Square(0, 0))
    assert passage(before, replace(before, own=(gone,)), ()) == ()


def test_of_a_scan_the_border_of_its_area_is_drawn() -> None:
    (step,) = passage(view(Phase.SCAN), view(Phase.DETECT), (SCANNED,))
    area = scan_area(view().board, SCANNED.size, box_named("D3").centre)
    inner = {
        square
        for square in area.squares()
        if area.west < square.x < area.east and area.north < square.y < area.south
    }
    assert {square for square, _ in step.over} == {*area.squares()} - inner


def test_of_a_scan_of_one_square_that_square_is_drawn() -> None:
    spot = replace(SCANNED, size=ScanSize.SQUARE, at=Square(3, 4))
    (step,) = passage(view(Phase.SCAN), view(Phase.DETECT), (spot,))
    assert squares(step, What.SPOT) == {Square(3, 4)}


@pytest.mark.parametrize("notice", [SHOT, ScanResult(ship=S1, found=(HELD,))])
def test_of_an_own_shot_and_find_the_line_to_it_is_drawn(notice: Notice) -> None:
    (step,) = passage(view(Phase.ENGAGE), view(), (notice,))
    across = squares(step, What.LINE)
    assert across
    assert all(_is_between(square, KITE.square, TRACK.square) for square in across)


def test_of_a_shot_that_destroyed_its_target_the_line_leads_to_where_that_was() -> None:
    after = replace(view(), contacts=())
    (step,) = passage(view(Phase.ENGAGE), after, (SHOT,))
    assert squares(step, What.LINE) == squares(passage(view(), view(), (SHOT,))[0], What.LINE)


def test_many_events_are_dealt_among_the_beats_in_their_order() -> None:
    seen = tuple(ShotSeen(square=Square(x, 1)) for x in range(7))
    steps = passage(view(Phase.ENGAGE), view(), seen)
    assert [sorted(square.x for square in squares(step, What.SPOT)) for step in steps] == [
        [0, 1],
        [2, 3],
        [4, 5, 6],
    ]


def test_nothing_is_shown_where_nothing_has_a_place() -> None:
    assert passage(view(), view(Phase.SCAN), (InitiativeDrawn(order=(A, B)),)) == ()


def test_nothing_leads_from_one_audience_to_another() -> None:
    one = view(own=(KITE, MOTH))
    other = replace(moved(one, Vector(2, 2)), audience="B")
    assert passage(one, other, (SHOT,)) == ()
    assert {S1, S2} == {own.id for own in other.own}
