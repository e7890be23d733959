"""What solves a lesson by what the orders come to, beside the lines that it names."""

from typing import NamedTuple

import pytest

from builders.lessons import read_on
from sunglare_protocol.lessons.lesson import Position, positions
from sunglare_protocol.refusals import Rejected
from sunglare_rules.advice.lessons import Verdict, judged


class Case(NamedTuple):
    """The lines that one gives as the answer to a lesson."""

    lesson: str
    lines: tuple[str, ...]


RIGHT = (
    Case("01-contact", ("launch S1.M2 18,21",)),
    Case("01-contact", ("burn S1 +1,+0", "launch S1.M1 18,21")),
    Case("01-contact", ("launch S1.M1 18,21", "launch S1.M2 18,21")),
    Case("02-sun", ("scan S1 visual 1box D4 nosense",)),
    Case("02-sun", ("scan S1 visual 1box D4", "scan S2 ir 1box D3")),
    Case("03-shadow", ("turn S1 -1", "thrust S1 N NE")),
    Case("03-shadow", ("burn S1 +1,+0", "sensors S1 in")),
    Case("03-shadow", ("face S1 SE", "burn S1 +1,+2")),
    Case("04-planet", ("scan S1 ir 3box E5 nosense",)),
    Case("05-cloak", ("fire S3.B1 C1", "fire S2.B1 C1")),
    Case("06-search", ("search P2 strike agents",)),
    Case("07-marre-red", ("power S1 off", "sensors S1 in")),
)
"""Right answers that the file of a lesson does not have as a line of their own."""

WRONG = (
    Case("01-contact", ("launch S1.M2 20,20",)),
    Case("01-contact", ("launch S1.M1 18,21", "launch S1.M2 20,20")),
    Case("02-sun", ("scan S2 visual 1box D4 nosense",)),
    Case("02-sun", ("scan S1 visual 1box D4", "scan S2 visual 1box D4")),
    Case("04-planet", ("scan S1 ir 3box D3 nosense",)),
    Case("06-search", ("search P1",)),
    Case("06-search", ("search P2 strike none",)),
)
"""Those of which the lesson has something to say, though in another line."""

OTHER = (
    Case("01-contact", ()),
    Case("01-contact", ("launch S1.M1 18,21 cold",)),
    Case("01-contact", ("launch S1.M1 18,22",)),
    Case("02-sun", ("scan S1 visual 3box D4",)),
    Case("02-sun", ("scan S1 ir 1box D4",)),
    Case("03-shadow", ("burn S1 +2,+0",)),
    Case("03-shadow", ("turn S1 1",)),
    Case("04-planet", ("scan S1 visual 3box E5",)),
    Case("05-cloak", ("fire S2.B1 C1",)),
    Case("07-marre-red", ("sensors S1 in",)),
)
"""What is possible and not sought."""


def position(name: str) -> Position:
    return next(one for one in positions() if one.name == name)


def verdict(case: Case) -> Verdict | Rejected:
    found = position(case.lesson)
    return judged(found, read_on(found.view, case.lines))


@pytest.mark.parametrize("case", RIGHT, ids=str)
def test_a_right_answer_solves_a_lesson_in_whatever_words(case: Case) -> None:
    assert verdict(case) == Verdict(is_solved=True)


@pytest.mark.parametrize("case", WRONG, ids=str)
def test_a_wrong_answer_gets_its_reason_whatever_stands_beside_it(case: Case) -> None:
    found = verdict(case)
    assert isinstance(found, Verdict)
    assert not found.is_solved
    assert found.said in position(case.lesson).lesson.wrong.values()


@pytest.mark.parametrize("case", OTHER, ids=str)
def test_what_is_possible_and_not_sought_does_not_solve_a_lesson(case: Case) -> None:
    found = position(case.lesson)
    assert verdict(case) == Verdict(is_solved=False, said=found.lesson.otherwise)


def test_orders_that_cannot_stand_are_refused_as_in_a_match() -> None:
    found = judged(position("02-sun"), read_on(position("03-shadow").view, ("burn S1 +1,+0",)))
    assert isinstance(found, Rejected)
    assert found.at.startswith("$.orders[0]")
