"""The page shows what the terminal shows: the same marks, ground, surfaces and sentences."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders.drawn import TOLD
from builders.terminals import BOARD
from client.test_aloud import SAID
from client.test_sentences import one_of_each
from client.test_story import CASES
from page.files import BOTS, match_file, match_replay
from page.nodes import Script, printed
from sunglare_client.map.chart import Wish, chart_of
from sunglare_client.map.groundchart import ground_chart
from sunglare_client.replays.moments import moments_of
from sunglare_client.replays.recording import read_recording
from sunglare_client.text.aloud import aloud
from sunglare_client.text.news import news_line
from sunglare_client.text.printable import printable
from sunglare_client.text.sentences import sentence
from sunglare_client.text.story import notice_lines, window_lines
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import Frame, News, NewsKind
from sunglare_protocol.notices import Notice
from sunglare_protocol.surface import Site
from sunglare_protocol.views import TruthView, View

WHOLE = Wish(width=1000)

Made = dict[str, Any]


def made_by_python(layer: str, frame: Frame) -> Made:
    """Return what the terminal makes of a frame, in the form in which the page's is printed."""
    chart = chart_of(frame.view, WHOLE)
    marks = [
        [
            mark.square,
            mark.cell.what,
            mark.cell.name,
            mark.cell.is_own,
            mark.cell.side,
            mark.cell.fix,
            mark.cell.facing,
            mark.cell.age,
        ]
        for mark in chart.marks
    ]
    made = {
        "layer": layer,
        "seq": frame.seq,
        "marks": marks,
        "ground": [[cell.what for cell in row] for row in chart.ground],
        "surfaces": surfaces(frame.view),
        # The second line of a scan is what its answers tell, which the page leaves out.
        "told": [notice_lines(notice, frame.view.board)[0] for notice in frame.notices],
    }
    plain: Made = msgspec.json.decode(msgspec.json.encode(made))
    return plain


def surfaces(view: View | TruthView) -> list[object]:
    """Return all surface maps of a view."""
    found: list[object] = []
    for planet in view.board.planets:
        for environs in planet.environs:
            chart = ground_chart(view, Site(planet.name, environs.number))
            assert chart is not None
            found.append(
                [
                    [
                        [
                            place.terrain,
                            [
                                [cell.name, cell.what, cell.is_own, cell.side, cell.age]
                                for cell in place.standing
                            ],
                            place.is_lit,
                        ]
                        for place in row
                    ]
                    for row in chart.rows
                ]
            )
    return found


@pytest.mark.parametrize("name", BOTS)
def test_page_and_terminal_make_the_same_of_every_frame_of_a_match(
    name: str, tmp_path: Path
) -> None:
    file = tmp_path / "match.sgr"
    file.write_bytes(match_file(name))
    by_page = {(made["layer"], made["seq"]): made for made in printed("charts.mjs", file)}
    frames = [
        (message.layer, msgspec.convert(message.sent, Frame))
        for message in match_replay(name).layers.messages
        if message.sent["t"] == "frame"
    ]
    assert len(frames) == len(by_page) > 0
    for layer, frame in frames:
        assert by_page[layer, frame.seq] == made_by_python(layer, frame)


@pytest.fixture(scope="module")
def teller() -> Iterator[Script]:
    """Run the script that answers notices with the sentences of the page."""
    script = Script("told.mjs")
    yield script
    script.close()


def test_page_and_terminal_find_the_same_key_moments(tmp_path: Path) -> None:
    file = tmp_path / "match.sgr"
    file.write_bytes(match_file("shadow-of-ceres"))
    found = moments_of(read_recording(file.read_bytes()))
    assert found
    assert list(printed("moments.mjs", file)) == [[one.at, list(one.kinds)] for one in found]


def test_page_and_terminal_say_the_same_of_every_kind_of_notice(teller: Script) -> None:
    notices = [notice for notice, _ in CASES]
    by_terminal = [notice_lines(notice, BOARD)[0] for notice in notices]
    assert teller.answer(notices) == by_terminal


@settings(max_examples=10)
@given(notices=one_of_each(TOLD))
def test_page_and_terminal_say_the_same_of_whatever_a_notice_holds(
    teller: Script, notices: tuple[Notice, ...]
) -> None:
    assert teller.answer(notices) == [printable(sentence(notice)) for notice in notices]


@pytest.fixture(scope="module")
def speaker() -> Iterator[Script]:
    """Run the script that answers with what the page says aloud."""
    script = Script("aloud.mjs")
    yield script
    script.close()


def test_page_and_terminal_say_the_same_sentence_for_every_kind_of_line(speaker: Script) -> None:
    lines = [line for line, _ in SAID.values()]
    assert speaker.answer(["lines", lines]) == [sentence for _, sentence in SAID.values()]


@settings(max_examples=30)
@given(
    lines=st.lists(
        st.text(st.sampled_from("-> |*.,:/()v+ e.g.E-VERBV0I1R2N3M4NEbox B1")), max_size=20
    )
)
def test_page_and_terminal_say_the_same_sentence_for_whatever_a_line_holds(
    speaker: Script, lines: list[str]
) -> None:
    assert speaker.answer(["lines", lines]) == [aloud(line) for line in lines]


@pytest.mark.parametrize("name", BOTS)
def test_page_and_terminal_say_the_same_when_a_window_opens(name: str, speaker: Script) -> None:
    frames = [
        msgspec.convert(message.sent, Frame)
        for message in match_replay(name).layers.messages
        if message.sent["t"] == "frame"
    ]
    assert frames
    for frame in frames:
        # What the answers to a scan mean is reckoned, which the page leaves out.
        lines = [line for line in window_lines(frame) if not line.startswith("     gloss: ")]
        assert speaker.answer(["frame", frame]) == [one for one in map(aloud, lines) if one]


@pytest.mark.parametrize(
    "text",
    [
        *["truth Zoe", "no truth Zoe", "eyes Zoe", "no eyes Zoe", "caster Zoe", "no caster Zoe"],
        *["rematch " + "a" * 26, "code abcde-fghij", "wants a rematch", "does not end"],
    ],
)
def test_page_and_terminal_say_the_same_of_news_that_name_a_player_or_a_thing(
    text: str, speaker: Script
) -> None:
    news = News(match=MatchId("m" * 26), seq=0, kind=NewsKind.SERVER, text=text, side=Side("A"))
    assert speaker.answer(["news", news]) == [aloud(news_line(news))]
