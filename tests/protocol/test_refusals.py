"""Refusals: a closed table of codes, each with its sentence."""

import re

from sunglare_protocol.refusals import SENTENCES, Code, Rejected

HIDDEN = ("enemy", "hidden", "exist", "cloak", "truth", "opponent")


def test_every_code_is_an_area_and_a_reason_and_has_a_sentence() -> None:
    assert not [code for code in Code if not re.fullmatch(r"[a-z]+/[a-z_]+", code.value)]
    assert not [code for code in Code if not re.fullmatch(r"[A-Z][^\n]*\.", SENTENCES[code])]


def test_the_table_has_no_sentence_without_a_code() -> None:
    assert set(SENTENCES) == set(Code)


def test_every_code_stands_once() -> None:
    assert len({code.value for code in Code}) == len(list(Code))
    assert len(set(SENTENCES.values())) == len(SENTENCES)


def test_no_sentence_speaks_of_what_the_sender_may_not_know() -> None:
    assert not [
        (code, word) for code in Code for word in HIDDEN if word in SENTENCES[code].lower()
    ]


def test_the_text_of_a_refusal_is_its_sentence_and_the_detail() -> None:
    detail = "It gives 3."
    for code in Code:
        assert Rejected(code=code).text == SENTENCES[code]
        assert Rejected(code=code, detail=detail).text == f"{SENTENCES[code]} It gives 3."


def test_a_refusal_points_at_the_whole_message_unless_it_says_where() -> None:
    assert Rejected(code=Code.ORDER_SHIP).at == "$"
    assert Rejected(code=Code.ORDER_SHIP).choices == ()
