"""The questions of WHERE.md: answers that lead somewhere, and nouns that find their files."""

import subprocess
import sys
from collections import Counter
from functools import cache

import pytest

from documents.addresses import fault_of
from documents.namesearch import found, modules, nouns, stems
from documents.rulesindex import INDEX, read_index
from documents.where import PAGE, Asked, asked, names_its_file, wrong_rule

QUESTIONS = tuple(asked(PAGE.read_text(encoding="utf-8")))

RULE, LEARNS, ADD = (
    "Where is the rule that says",
    "Where is it decided who learns",
    "Where would I add",
)


@cache
def places() -> dict[str, tuple[str, ...]]:
    """Return the addresses of every rule, as the index of rules has them."""
    return read_index(INDEX.read_text(encoding="utf-8")).places


def test_there_are_twenty_questions_of_three_kinds_and_each_is_asked_once() -> None:
    assert [question.number for question in QUESTIONS] == list(range(1, 21))
    assert Counter(question.kind for question in QUESTIONS) == {RULE: 10, LEARNS: 5, ADD: 5}
    assert len({question.rest for question in QUESTIONS}) == 20
    assert len({question.file for question in QUESTIONS}) == 20


def test_every_row_of_the_page_is_read() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if "`sunglare_" in line]
    assert len(rows) == len(QUESTIONS) + len(nouns())


def test_the_answer_is_a_file_that_defines_the_name() -> None:
    answers = [question.place for question in QUESTIONS]
    assert not [place for place in answers if "::" not in place or fault_of(place) is not None]


def test_a_question_for_a_rule_is_answered_as_the_index_of_rules_has_it() -> None:
    for question in QUESTIONS:
        assert (question.rule is not None) is (question.kind == RULE), question
    assert not [fault for question in QUESTIONS if (fault := wrong_rule(question, places()))]


def test_every_chapter_of_the_rule_book_is_asked_for() -> None:
    chapters = {rule.split("/")[0] for rule in places()}
    assert {question.rule.split("/")[0] for question in QUESTIONS if question.rule} == chapters


def test_no_question_names_the_file_of_its_answer() -> None:
    assert not [question for question in QUESTIONS if names_its_file(question)]


def test_the_program_prints_the_questions_and_no_answer() -> None:
    program = str(PAGE.with_name("where.py"))
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        f"{question.number:>2}. {question.question}" for question in QUESTIONS
    ]
    assert "sunglare_" not in done.stdout


TORN = Asked(
    1, RULE, "how hard a beam hits?", "sunglare_rules/fire/packs.py::X", "turn/6/beam-table"
)


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        pytest.param("turn/6/beam-table", "1: turn/6/beam-table stands in", id="another place"),
        pytest.param("turn/6/no", "1: there is no rule turn/6/no", id="no such rule"),
    ],
)
def test_a_wrong_rule_is_found(rule: str, fault: str) -> None:
    found = wrong_rule(TORN._replace(rule=rule), places())
    assert found is not None
    assert fault in found


def test_a_question_that_names_its_file_is_found() -> None:
    assert names_its_file(TORN._replace(rest="how many dice have packs?"))
    assert not names_its_file(TORN)


# Plumbing

SHOWN = 3
LEAST = 28


def test_of_thirty_nouns_of_plumbing_28_lead_to_their_file_within_three_hits() -> None:
    assert len(nouns()) == 30
    assert {file for _, file in nouns()} <= {module.file for module in modules()}
    missed = [noun for noun, file in nouns() if file not in found(noun)[:SHOWN]]
    assert len(nouns()) - len(missed) >= LEAST, missed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RpcServer", ("rpc", "serv")),
        ("HTTPHandler", ("http", "handl")),
        ("wal_marker", ("wal", "mark")),
        ("rate limits", ("rate", "limit")),
    ],
)
def test_a_name_is_cut_into_the_stems_of_its_words(text: str, expected: tuple[str, ...]) -> None:
    assert stems(text) == expected


def test_a_noun_that_no_name_has_leads_nowhere() -> None:
    assert found("ombudsman") == []
