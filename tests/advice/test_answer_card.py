"""For every notice, every answer and every answer to a data scan there is a card with its rule."""

from typing import get_args

import pytest
from msgspec.structs import replace

from builders.answers import (
    AGENTS,
    ATTACK,
    BOMBARD,
    G1,
    G2,
    LISTEN,
    P1,
    P2,
    SAMPLES,
    SEEN,
    SHOT,
    SWEEP,
)
from builders.sections import HEADINGS, cited
from builders.spotting import specials
from builders.terminals import GUARD
from builders.views import C1, S1, S2, S3, contact, own_ship, view
from client.test_story import CASES
from sunglare_client.advice import Advice
from sunglare_client.text.cards import answer_lines
from sunglare_protocol.ids import OwnId
from sunglare_protocol.messages import Question
from sunglare_protocol.messages.answers import AgentPreview, AnswerBody, Card, SenseOdds
from sunglare_protocol.notices import Notice
from sunglare_protocol.notices.blips import DataScanned
from sunglare_protocol.orders import Fire, Order, Scan
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import CloakRules, View
from sunglare_protocol.words.cloak import SweepSix
from sunglare_protocol.words.dossiers import Outcome
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.answer import answer
from sunglare_rules.advice.cards.answers import why_answer
from sunglare_rules.advice.cards.told import why_told


def line_of(body: AnswerBody, seen: View = SEEN) -> str:
    """Return the last line of the card on an answer."""
    return why_answer(seen, body).lines[-1]


# Everything has a card.


def test_for_every_kind_of_notice_and_answer_there_is_a_card_with_a_section() -> None:
    notices = {type(notice) for notice, _ in CASES}
    assert notices == {kind for part in get_args(Notice) for kind in get_args(part) or (part,)}
    assert {type(body) for body, _, _ in SAMPLES} == set(get_args(AnswerBody))
    cards = [
        *(why_told(SEEN, notice) for notice, _ in CASES),
        *(why_answer(SEEN, body) for body, _, _ in SAMPLES),
    ]
    for card in cards:
        assert card.title
        assert card.lines
        for line in card.lines:
            assert "§" in line
            assert cited(line) <= HEADINGS
            assert cited(line), line


@pytest.mark.parametrize(
    ("body", "title", "text"), SAMPLES, ids=lambda value: getattr(value, "title", None)
)
def test_an_answer_is_explained_with_its_numbers(body: AnswerBody, title: str, text: str) -> None:
    assert why_answer(SEEN, body) == Card(title=title, lines=tuple(text.splitlines()))


def test_a_missile_over_the_ground_is_told_with_the_turn_in_which_it_lands() -> None:
    assert "comes down elsewhere. It lands in turn 6. Alpha" in line_of(replace(BOMBARD, lands=6))


def test_a_strict_sweep_is_told_with_its_first_die() -> None:
    strict = replace(SEEN, cloak_rules=CloakRules(six=SweepSix.STRICT))
    assert "found by 5, 5, 4, 3, 2, 1 or less in turn" in line_of(SWEEP, strict)


@pytest.mark.parametrize(
    ("jammed", "nova", "until"), [(3, 0, 3), (0, 3, 3), (4, 5, 5), (2, 2, None), (0, 0, None)]
)
def test_where_nobody_can_listen_that_is_told_with_the_last_turn(
    jammed: int, nova: int, until: int | None
) -> None:
    seen = replace(SEEN, cloak_rules=CloakRules(jammed=jammed), nova_until=nova)
    assert seen.stage.turn == 3
    line = line_of(LISTEN, seen)
    if until is None:
        assert line.startswith("A die below")
    else:
        assert line == (
            f"No ship hears a cloaked ship up to turn {until}: jammed space, or a nova. Cloak "
            "detection, listening (cloak §2)."
        )


def test_a_step_that_gets_nobody_detected_is_told_so() -> None:
    alone = line_of(AgentPreview(ship=P1))
    assert alone.startswith("0 detected after it, nobody anew: ")
    both = line_of(replace(AGENTS, anew=(P1, P2)))
    assert both.startswith("2 detected after it, P1, P2 anew: ")


def test_of_pieces_that_are_gone_the_skill_is_left_out() -> None:
    sense = SenseOdds(ship=S3, hundredths=(17, 100))
    assert line_of(sense).startswith("Two dice + operator + signal must come to 10: 17 %")
    attack = replace(ATTACK, ship=OwnId("G9"))
    assert "for 2 of damage: gunnery, +0 at short" in line_of(attack)
    assert line_of(replace(SHOT, ship=S3)).startswith("1.33 of damage on average, against no")


def test_the_weapon_is_that_of_the_ship_or_unit_that_fires_it() -> None:
    # S1 and G1 have weapons of the same names as others, and not these.
    assert "no screens" in line_of(replace(SHOT, ship=S1, weapon="W"))
    assert "gunnery 5" in line_of(replace(ATTACK, weapon="C1"))
    assert "gunnery 3" in line_of(replace(ATTACK, ship=G2))


# Data scans.


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Outcome.NOT_REQUESTED, "Nothing was asked. "),
        (Outcome.ILLEGAL, "It takes an asker that works, and an identified piece held live. "),
        (
            Outcome.OUT_OF_REACH,
            "It was too far off, or out of sight and beyond what the probe reaches. ",
        ),
        (
            Outcome.INCONCLUSIVE,
            "Stealth or a jammer kept the data back; no side learns which. ",
        ),
        (Outcome.FULL, "Nothing kept the data back. "),
    ],
)
def test_every_answer_to_a_data_scan_is_explained(outcome: Outcome, words: str) -> None:
    notice = DataScanned(ship=S3, at=C1, outcome=outcome)
    first, rule = why_told(SEEN, notice).lines
    assert first == (
        f"{words}Short range is 6 inches in sight. Alpha Strike, concealing unit data (blips §3)."
    )
    assert rule.startswith("Reach, stealth and jamming decide the answer, never a die.")


def test_a_data_scan_is_explained_with_what_its_asker_reaches() -> None:
    ships = (own_ship(), own_ship(id=S2, specials=specials("LPRB PRB")))
    units = (GUARD, replace(GUARD, id=G2, specials=specials("BH")))
    seen = replace(view(Phase.DETECT, *ships), ground=units)
    for ship, words in (
        (S1, "6 inches in sight, and it has no probe. Alpha"),
        (S2, "6 inches in sight, its PRB probe reaches 16. Alpha"),
        (G1, "6 inches in sight, and it has no probe. Alpha"),
        (G2, "6 inches in sight, its BH probe reaches 26. Alpha"),
    ):
        notice = DataScanned(ship=ship, at=C1, outcome=Outcome.OUT_OF_REACH)
        assert words in why_told(seen, notice).lines[0]


# For bots and in the terminal.

SCAN = Scan(ship=S1, type=ScanType.VISUAL, size=ScanSize.BOX, at="B4", sense=True)
FIRE = Fire(ship=S1, weapon="beam", at=C1)


def test_a_bot_may_ask_why_it_was_answered_so() -> None:
    assert Advice(SEEN).why_answer(SHOT) == why_answer(SEEN, SHOT)


@pytest.mark.parametrize(
    ("order", "phase", "kinds"),
    [
        (SCAN, Phase.SCAN, (Question.PREVIEW, Question.ODDS)),
        (replace(SCAN, sense=False), Phase.SCAN, (Question.PREVIEW,)),
        (FIRE, Phase.ENGAGE, (Question.ODDS,)),
    ],
    ids=["a scan with a Sense roll", "a scan", "a shot"],
)
def test_the_terminal_explains_the_answers_that_an_order_got(
    order: Order, phase: Phase, kinds: tuple[Question, ...]
) -> None:
    seen = view(phase, own_ship(), contacts=(contact(),))
    expected: list[str] = []
    for kind in kinds:
        found = answer(seen, kind, order)
        assert not isinstance(found, Rejected)
        card = why_answer(seen, found)
        expected += [card.title, *(f"  {line}" for line in card.lines)]
    assert answer_lines(seen, order) == expected


def test_without_a_question_or_for_a_refused_one_the_terminal_says_so() -> None:
    seen = view(Phase.ENGAGE, own_ship())
    assert answer_lines(seen, None) == ["you asked for no odds and no preview in this window yet"]
    (line,) = answer_lines(seen, FIRE)
    assert "order/handle" in line
