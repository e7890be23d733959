"""What lies behind a result is drawn on the map, where it is a matter of place."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.desks import SCENES, frames_of, view_in
from builders.fullscreens import LARGE, full_screen_of
from builders.terminals import KITE, S1, TRACK, A, B, frame, view
from sunglare_client.map.cells import What
from sunglare_client.map.chart import Wish, chart_of
from sunglare_client.map.evidence import NONE, Evidence, evidence, newest
from sunglare_client.map.glyphs import UNICODE
from sunglare_client.map.layers import line
from sunglare_protocol.geometry import Square, box_of
from sunglare_protocol.ids import Handle, Side
from sunglare_protocol.messages import Frame
from sunglare_protocol.notices import (
    InitiativeDrawn,
    PublicNotice,
    ScanAnswered,
    ScanResult,
    ShotResult,
    ShotSeen,
    TrackLost,
)
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.scans import Answers, ScanSize, ScanType
from sunglare_rules.advice.odds.candidates import scanner_squares

HELD = TRACK.handle or Handle("")
HEARD = ScanAnswered(
    side=B,
    type=ScanType.VISUAL,
    size=ScanSize.BOX,
    at="D3",
    strength=1,
    answers=Answers(glare=False, from_well=True, touches_well=True),
    effective=1,
)
CORNER = "┌───"
"""The box of a scan as the map has it."""

DRAWN = (What.LINE, What.PLACE, What.SPOT)


def frames() -> list[Frame]:
    """Return what the side A of each scene is sent."""
    return [sent for scene in SCENES for sent in frames_of(*scene)[Side("A")]]


def squares_of(shown: Evidence) -> list[Square]:
    return [square for square, _ in shown.over]


def test_of_a_scan_the_box_is_drawn_and_every_square_its_answers_leave() -> None:
    shown = evidence(view(Phase.DETECT), HEARD)
    assert shown.scan is not None
    assert (shown.scan.size, shown.scan.at) == (HEARD.size, HEARD.at)
    assert squares_of(shown) == list(scanner_squares(view(Phase.DETECT), HEARD)) != []


def test_of_an_own_scan_and_shot_the_lines_to_what_they_met_are_drawn() -> None:
    expected = [square for square, _ in line(KITE.square, TRACK.square)]
    shot = ShotResult(ship=S1, weapon="B1", at=HELD, damage=2, dice=(4, 5))
    assert squares_of(evidence(view(), shot)) == expected != []
    assert squares_of(evidence(view(), ScanResult(ship=S1, found=(HELD,)))) == expected


def test_of_a_shot_that_was_seen_its_square_is_drawn() -> None:
    assert squares_of(evidence(view(), ShotSeen(square=Square(3, 4)))) == [Square(3, 4)]


@pytest.mark.parametrize("notice", [InitiativeDrawn(order=(A, B)), TrackLost(label="C9")])
def test_what_has_no_place_draws_nothing(notice: InitiativeDrawn | TrackLost) -> None:
    assert evidence(view(), notice) == NONE


def test_of_the_public_record_the_newest_entry_that_has_a_place_is_drawn() -> None:
    record: tuple[PublicNotice, ...] = (
        HEARD,
        ShotSeen(square=Square(3, 4)),
        InitiativeDrawn(order=(A, B)),
    )
    seen = msgspec.structs.replace(view(), record=record)
    assert squares_of(newest(seen)) == [newest(seen).middle] == [Square(3, 4)]
    assert newest(view()) == NONE


FRAMES = st.deferred(lambda: st.sampled_from(frames()))


@given(FRAMES)
def test_evidence_hides_no_piece_and_no_name(sent: Frame) -> None:
    seen = view_in(sent)
    bare = chart_of(seen, Wish())
    for notice in (*sent.notices, *seen.record):
        cells = evidence(seen, notice).over
        drawn = chart_of(seen, Wish(over=cells))
        for before, after in zip(bare.rows, drawn.rows, strict=True):
            for was, now in zip(before, after, strict=True):
                assert was == now or now.what in DRAWN


async def test_why_last_draws_the_box_of_a_scan_on_the_board_until_map_is_said() -> None:
    seen = msgspec.structs.replace(view(Phase.ENGAGE), record=(HEARD,))
    async with full_screen_of((frame(1, seen),), LARGE, awaits=(seen.stage.window,)) as shown:
        assert CORNER not in shown.text
        await shown.type("why last")
        assert CORNER in shown.text
        # Where a place lies in the box itself, its border stands.
        outside = [at for at in scanner_squares(seen, HEARD) if box_of(at).name != HEARD.at]
        assert shown.text.count(UNICODE.place) == len(outside) > 0
        await shown.type("map")
        assert CORNER not in shown.text
