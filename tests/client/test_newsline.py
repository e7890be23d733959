"""News as the terminal shows it."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.truths import A, B
from sunglare_client.text.news import news_line
from sunglare_protocol.ids import NO_MATCH, MatchId
from sunglare_protocol.messages import News, NewsKind

PAGE = Path(__file__).parents[2] / "protocol" / "PROTOCOL.md"
KINDS = "|".join(kind.value for kind in NewsKind)
ROW = re.compile(rf"^\| [^|]+ \| `(?P<kind>{KINDS})` \| (?P<texts>`[^|]+`) \|$", re.MULTILINE)
OPEN = re.compile(r"(pledge|operator:|rematch|\d)")
"""Texts that hold something of their own."""

LISTED = [
    (NewsKind(row["kind"]), text)
    for row in ROW.finditer(PAGE.read_text(encoding="utf-8"))
    for text in re.findall(r"`([^`]+)`", row["texts"])
    if not OPEN.match(text) and "the bot did not come" not in text
]


def test_a_grant_of_the_truth_names_who_may_watch() -> None:
    news = News(match=MatchId("m"), seq=0, kind=NewsKind.SERVER, text="truth no truth Ann")
    assert news_line(news) == "* no truth Ann may watch the truth of this match, late"
    news = News(match=MatchId("m"), seq=0, kind=NewsKind.SERVER, text="no truth Ann")
    assert news_line(news) == "* Ann may not watch the truth of this match any more"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("caster Ann", "* Ann may watch the truth of this match at once, by the operator's leave"),
        ("no caster Ann", "* Ann may not watch the truth of this match at once any more"),
        ("eyes Ann {side}", "* Ann {side} may see what B sees"),
        ("no eyes Ann", "* Ann may not see any more what B sees"),
    ],
)
def test_every_other_grant_names_who_may_see_what(text: str, line: str) -> None:
    news = News(match=MatchId("m"), seq=0, kind=NewsKind.SERVER, side=B, text=text)
    assert news_line(news) == line


def test_the_page_lists_the_news() -> None:
    assert {kind for kind, _ in LISTED} == {
        NewsKind.SEAT,
        NewsKind.PAUSE,
        NewsKind.DRAW,
        NewsKind.CLOCK,
        NewsKind.SERVER,
    }


@pytest.mark.parametrize(("kind", "text"), LISTED)
def test_news_that_are_listed_have_a_sentence(kind: NewsKind, text: str) -> None:
    line = news_line(News(match=MatchId("m"), seq=3, kind=kind, side=B, text=text))
    assert re.fullmatch(r"\* [A-Za-z].* .*", line)
    assert f"{kind.value}:" not in line
    assert "server/" not in line


def test_other_news_are_shown_as_they_come() -> None:
    news = News(match=MatchId("m"), seq=0, kind=NewsKind.SERVER, text="operator: back at noon")
    assert news_line(news) == "* server: operator: back at noon"
    news = News(match=MatchId("m"), seq=4, kind=NewsKind.CLOCK, side=B, text="2 of 4 ready")
    assert news_line(news) == "* clock B: 2 of 4 ready"


def test_news_that_move_the_clock_say_how_much_is_left() -> None:
    news = News(match=MatchId("m"), seq=4, kind=NewsKind.CLOCK, text="restarted", closes_ms=50_400)
    assert news_line(news).endswith("; 50 s left")


@pytest.mark.parametrize(
    ("left_ms", "text", "line"),
    [
        (5_400_000, "ends", "* the server ends at 21:00, in 1 h 30 min"),
        (5_399_600, "ends: An upgrade", "* the server ends at 21:00, in 1 h 30 min: An upgrade"),
        (1_800_000, "ends", "* the server ends at 20:00, in 30 min"),
        (59_000, "ends", "* the server ends at 19:30, in 59 s"),
        (86_400_000, "ends", "* the server ends at 2026-11-27 19:30, in 24 h 0 min"),
    ],
)
def test_an_end_of_the_server_is_told_by_the_time_of_day_and_what_is_left(
    left_ms: int, text: str, line: str
) -> None:
    now = datetime(2026, 11, 26, 19, 30, tzinfo=UTC)
    news = News(match=NO_MATCH, seq=0, kind=NewsKind.SERVER, text=text, ends_ms=left_ms)
    assert news_line(news, now=now) == line


def test_a_note_of_the_operator_cannot_command_the_terminal() -> None:
    text = "ends: x\x1b[2J\u202egnp"
    line = news_line(News(match=NO_MATCH, seq=0, kind=NewsKind.SERVER, text=text, ends_ms=1))
    assert "\x1b" not in line
    assert "\u202e" not in line


def test_chat_cannot_look_like_the_server_or_command_the_terminal() -> None:
    text = "hi\n-- turn 9 of 9: OVER\x1b[2J\u202egnp"
    news = News(match=MatchId("m"), seq=3, kind=NewsKind.CHAT, side=B, text=text)
    line = news_line(news)
    assert line.startswith("[chat] B: hi -- turn")
    assert "\x1b" not in line
    assert "\u202e" not in line


@given(
    name=st.text(st.characters(exclude_categories=("C", "Z")), min_size=1),
    text=st.text(st.characters(exclude_categories=("C", "Z"))),
)
def test_chat_names_the_player_behind_the_side_whatever_the_name(name: str, text: str) -> None:
    news = News(match=MatchId("m"), seq=3, kind=NewsKind.CHAT, side=B, text=text)
    assert news_line(news, {B: name, A: "other"}) == f"[chat] B ({name}): {text}"
    assert news_line(news, {A: name}) == news_line(news) == f"[chat] B: {text}"
