"""No text has more patterns of translated English than the bars of `prose.py` allow."""

import pytest

from documents.prose import (
    BARS,
    PATTERNS,
    Text,
    above,
    allowed,
    ceilings,
    counted,
    most,
    prose_of,
    raised,
    texts,
)

SAMPLES = {
    "Whoever reads it sees every ship.": {"whoever": 1},
    "The copy is made anew.": {"anew": 1},
    "What became of a command; an owner lets go of it.": {"became": 2},
    "Nobody waits, and everybody is served.": {"somebody": 2},
    "A seat is told so, and hears of the rest.": {"told": 2},
    "Besides, it lies beside the file.": {"besides": 2},
    "A player keeps his seat; the server sees him.": {"he": 2},
    "The theory of a fort, bodies, and tolled bells: the besieged anemone heals.": {},
}


@pytest.mark.parametrize("text", SAMPLES)
def test_a_pattern_is_counted_where_it_stands_as_a_word(text: str) -> None:
    assert counted(Text(text)) == SAMPLES[text]


def test_only_a_docstring_that_begins_with_a_question_word_has_an_opening() -> None:
    heads = ("What a seat sees.", "How it ends.", "Whatever it is.", "It says what is there.")
    assert counted(Text("", heads)) == {"opening": 2}


def test_a_short_text_may_have_a_pattern_once_and_a_longer_one_its_share() -> None:
    assert most("told", 20) == most("told", 1_999) == 1
    assert most("told", 10_000) == 6
    assert most("somebody", 2_000) == 0
    assert most("whoever", 20) == most("whoever", 100_000) == 0


def test_a_count_above_a_bar_is_found_by_its_text() -> None:
    found = {
        "short": Text("A seat is told so."),
        "above": Text("A seat is told so, and the other is told as well."),
        "never": Text("Whoever reads it sees it."),
    }
    assert above(found) == {"above": {"told": 2}, "never": {"whoever": 1}}


def test_a_count_above_its_ceiling_is_named() -> None:
    now = {"a page": {"told": 3, "anew": 1}}
    assert raised(now, {"a page": {"told": 3, "anew": 1}}) == []
    assert raised(now, {"a page": {"told": 2}}) == [
        "a page: told 3 times, at most 2",
        "a page: anew 1 times, at most 0",
    ]


def test_no_text_is_above_the_bars_but_for_ceilings_that_have_fallen_to_its_counts() -> None:
    now = above(texts())
    assert raised(now, ceilings()) == [], "run tests/documents/prose.py: it shows where"
    assert ceilings() == now, "run tests/documents/prose.py to lower the ceilings"


def test_every_pattern_has_a_bar() -> None:
    assert [*BARS] == [*PATTERNS]


def test_every_ceiling_is_of_a_pattern_that_is_counted() -> None:
    assert {name for row in ceilings().values() for name in row} <= set(PATTERNS)


def test_a_phrase_that_is_allowed_stands_on_its_page_and_has_a_reason() -> None:
    for page, phrases in allowed().items():
        assert [phrase for phrase in phrases if phrase not in prose_of(page)] == []
        assert all(phrases.values())
