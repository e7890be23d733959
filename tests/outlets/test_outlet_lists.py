"""Every outlet against the complete list of what it may say, and what its objects may hold."""

import functools
import re
from collections import deque
from pathlib import Path

import pytest

from mutants.groups import ROOT
from outlets.filled import CHANGE_LEAST, STEP, length_of
from outlets.loglines import UnreadableError, lines_in, listed, unlisted, written
from outlets.outletlists import outlet_lists
from outlets.reach import hidden_in
from outlets.sayings import listed as rows_listed
from outlets.sayings import shown, unlisted_figures
from sunglare_protocol.codec import PAD_STEP, pad_letters
from sunglare_protocol.compact import PADDED_LEAST
from sunglare_server.match.state import Taken
from sunglare_server.runtime.feeds import Feeds

EVENT = re.compile(r"[a-z]+(_[a-z]+){0,3}")
"""A key of at most four words, not a sentence."""

RENAMED = re.compile(r"^\| ([^|`]+) \| `([a-z_]+)` \|$", re.MULTILINE)
OPERATIONS = ROOT / "server" / "OPERATIONS.md"
KEPT_NAMES = {"listening", "stopped"}

ONE_WORD = ("archiving", "metrics")
"""Old events that were words and not sentences."""

FEEDS = Feeds.__new__(Feeds)
"""One of those objects that nothing outside may hold."""


async def test_no_outlet_says_what_stands_in_no_list_and_none_holds_what_is_hidden(
    tmp_path: Path,
) -> None:
    await outlet_lists(tmp_path)


# The log


def test_the_list_has_every_line_of_the_log_and_every_key_of_it() -> None:
    assert written() == listed()


def test_the_event_of_a_line_is_a_key_in_snake_case() -> None:
    assert [event for event in listed() if not EVENT.fullmatch(event)] == []


def test_the_page_on_operation_has_each_renamed_event_and_its_new_name_once() -> None:
    table = RENAMED.findall(OPERATIONS.read_text(encoding="utf-8"))
    new = [name for _, name in table]
    assert len(new) == len(set(new))
    assert set(new) <= set(listed()) - KEPT_NAMES
    assert [old for old, _ in table if EVENT.fullmatch(old) and old not in ONE_WORD] == []


def test_the_page_on_operation_says_of_every_line_what_to_do() -> None:
    page = OPERATIONS.read_text(encoding="utf-8")
    table = page.partition("| line | what to do |\n")[2].partition("\n\n")[0]
    firsts = " ".join(row.split("|")[1] for row in table.splitlines())
    assert sorted(set(listed()) - set(re.findall(r"`([a-z_]+)`", firsts))) == []


@pytest.mark.parametrize(
    ("code", "event", "keys"),
    [
        ("log.info('a', of=1)", "a", {"of", "match"}),
        ("log.bind(side=2).debug('b')", "b", {"match", "side"}),
        ("tell = log.info if x else log.debug\n    tell('c', n=1)", "c", {"match", "n"}),
        ("more = {'d': 1} if x else {}\n    log.error('d', **more)", "d", {"match", "d"}),
        ("structlog.get_logger().warning('e', f=1)", "e", {"f"}),
    ],
)
def test_a_line_is_read_from_the_sources_however_it_is_written(
    code: str, event: str, keys: set[str]
) -> None:
    source = f"def f(x):\n    log = structlog.get_logger().bind(match=1)\n    {code}\n"
    assert list(lines_in(source, Path("a.py"))) == [(event, keys)]


@pytest.mark.parametrize("code", ["log.info(f'{x} ships')", "log.info(x)", "log.info('a', **x)"])
def test_a_line_that_is_put_together_is_refused(code: str) -> None:
    source = f"def f(x):\n    log = structlog.get_logger()\n    {code}\n"
    with pytest.raises(UnreadableError, match=r"^a\.py:3: "):
        list(lines_in(source, Path("a.py")))


def test_a_new_line_and_a_new_key_of_an_old_one_are_found() -> None:
    assert unlisted([{"event": "match_loaded", "match": "m", "log_level": "info"}]) == []
    assert unlisted([{"event": "match_loaded", "ships": 3}]) == ["'ships' of 'match_loaded'"]
    assert unlisted([{"event": "a battle"}]) == ["the line 'a battle'"]


# The operator


def test_the_list_has_every_field_that_the_operator_may_be_shown() -> None:
    assert shown() == rows_listed().fields


def test_a_new_figure_and_a_new_label_of_an_old_one_are_found() -> None:
    text = 'sunglare_matches{state="over",ships="3"} 1\nsunglare_ships 3\nsunglare_muted 0\n'
    assert unlisted_figures(text) == ["sunglare_matches: ships", "sunglare_ships"]


# Lengths


def test_both_readings_of_how_far_a_message_is_filled_up_agree() -> None:
    assert (PAD_STEP, PADDED_LEAST) == (STEP, CHANGE_LEAST)
    for least in (0, CHANGE_LEAST):
        for bare in range(1, 3 * CHANGE_LEAST):
            letters = pad_letters(bare, least)
            head = 0 if not letters else 5 if letters < 32 else 6 if letters < 256 else 7
            assert length_of(bare, least) == bare + head + letters


# What is held


def _closes_over() -> object:
    feeds = FEEDS
    return lambda: feeds


@pytest.mark.parametrize(
    "value",
    [
        FEEDS,
        {"a": [(1, FEEDS)]},
        deque([FEEDS]),
        functools.partial(print, FEEDS),
        FEEDS.queue,
        _closes_over(),
    ],
)
def test_what_is_hidden_is_found_in_whatever_holds_it(value: object) -> None:
    assert list(hidden_in(value)) == ["sunglare_server.runtime.feeds.Feeds"]


def test_what_a_command_is_answered_may_be_held() -> None:
    assert not list(hidden_in([Taken(id=1, window=None, rev=0)]))
