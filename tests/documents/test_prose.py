"""Patterns of translated English grow rarer: no text has more of them than `prose.toml` allows."""

import pytest

from documents.prose import PATTERNS, allowed, ceilings, counted, counts, prose_of, raised

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
    assert counted(text) == SAMPLES[text]


def test_only_a_docstring_that_begins_with_a_question_word_has_an_opening() -> None:
    heads = ["What a seat sees.", "How it ends.", "Whatever it is.", "It says what is there."]
    assert counted("", heads) == {"opening": 2}


def test_a_count_above_its_ceiling_is_named() -> None:
    now = {"a page": {"told": 3, "anew": 1}}
    assert raised(now, {"a page": {"told": 3, "anew": 1}}) == []
    assert raised(now, {"a page": {"told": 2}}) == [
        "a page: told 3 times, at most 2",
        "a page: anew 1 times, at most 0",
    ]


def test_no_text_has_more_of_a_pattern_than_its_ceiling() -> None:
    assert not raised(counts(), ceilings()), "rewrite these texts"


def test_every_ceiling_has_fallen_to_its_count() -> None:
    assert ceilings() == counts(), "run tests/documents/prose.py to lower the ceilings"


def test_every_ceiling_is_of_a_pattern_that_is_counted() -> None:
    assert {name for row in ceilings().values() for name in row} <= set(PATTERNS)


def test_a_phrase_that_is_allowed_stands_on_its_page_and_has_a_reason() -> None:
    for page, phrases in allowed().items():
        assert [phrase for phrase in phrases if phrase not in prose_of(page)] == []
        assert all(phrases.values())
