"""The question `review`: answered with the review of its orders, or refused as they are."""

import pytest

from builders.advice import refusal
from builders.orders import read, typed
from builders.views import S2, own_ship, view
from sunglare_protocol.messages.commands import Question
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.answer import answer
from sunglare_rules.advice.review.review import review

TWO = view(Phase.PLOT, own_ship(), own_ship(id=S2))


def test_the_question_is_answered_with_the_review_of_its_orders() -> None:
    for orders in ((), read("turn S2 +1")):
        assert answer(TWO, Question.REVIEW, None, orders) == review(TWO, orders)


def test_a_review_is_refused_where_its_orders_are() -> None:
    twice = read("turn S2 +1; turn S2 +1")
    assert refusal(answer(TWO, Question.REVIEW, None, twice)) == "order/twice [1]"
    scan = typed("scan S2 visual 1box B4")
    assert refusal(answer(TWO, Question.REVIEW, None, (scan,))) == "order/window [0]"


@pytest.mark.parametrize("kind", [kind for kind in Question if kind is not Question.SHEET])
def test_orders_belong_to_a_review_and_all_else_to_the_others_but_a_sheet(kind: Question) -> None:
    if kind is Question.REVIEW:
        assert answer(TWO, kind, "S1") == Rejected(code=Code.ASK_ABOUT, at="$.about")
    else:
        found = answer(TWO, kind, "S1", read("turn S2 +1"))
        assert found == Rejected(code=Code.ASK_ABOUT, at="$.orders")
