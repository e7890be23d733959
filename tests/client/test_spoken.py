"""No sentence for players has a word of the wire with an underscore in it."""

import os
import re
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.desks import SCENES, frames_of, view_in
from builders.drawn import Values
from builders.views import C1, ORDERS, S1, contact, own_ship, view, views
from client.test_sentences import one_of_each
from sunglare_client.terminal.owned import draw_ground, draw_own, draw_standing
from sunglare_client.text.cards import answer_lines, card_lines
from sunglare_client.text.labels import held, own_ids
from sunglare_client.text.lists.agents import draw_alerts, draw_items
from sunglare_client.text.lists.ground import draw_tokens
from sunglare_client.text.lists.space import draw_contacts
from sunglare_client.text.sentences import sentence
from sunglare_client.text.story import notice_lines
from sunglare_client.verbs.written import given_lines, odds_lines
from sunglare_protocol.geometry import Compass
from sunglare_protocol.messages import Frame
from sunglare_protocol.notices import Notice
from sunglare_protocol.orders import Fire, Order
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import View
from sunglare_protocol.word import Word, spoken
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.cards.tallies import goals
from sunglare_rules.advice.cards.told import why_told
from sunglare_rules.advice.cards.why import WORDS
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.legal import legal

VIEWS = 400 if os.environ.get("SUNGLARE_LONG") else 4
"""Views of a match of which everything is shown."""

ORDERS_MOST = 30
"""Legal orders on each of them that are asked about."""

_CODE = re.compile(rf" \((?:{'|'.join(code.value for code in Code)})\)")

PLAIN = Values(0, 25, st.characters(codec="ascii", exclude_characters="_"))
"""What may stand in a notice where no name that a player typed has an underscore."""


def lists_of(seen: View) -> Iterator[str]:
    """Yield the lists of a view, and the cards on everything that it names."""
    yield from draw_own(seen, ())
    yield from draw_ground(seen, ())
    yield from draw_standing(seen, ())
    yield from draw_items(seen)
    yield from draw_contacts(seen)
    yield from draw_tokens(seen)
    yield from draw_alerts(seen)
    yield from goals(seen)
    for about in (*own_ids(seen), *(piece.label for piece in held(seen)), *WORDS):
        yield from card_lines(seen, about, reasons=True)
        if about not in WORDS:
            yield from card_lines(seen, about, reasons=False)


def said_of(seen: View, order: Order) -> Iterator[str]:
    """Yield what is said of an order: why it is refused, its chances and the rules behind them."""
    rejected = check(seen, (order,))
    if rejected is not None:
        yield rejected.text
    yield from odds_lines(seen, order)
    yield from given_lines(seen, order)
    yield from answer_lines(seen, order)


def told_in(frame: Frame) -> Iterator[str]:
    """Yield the sentences of a frame's notices, and why each was told."""
    seen = view_in(frame)
    for notice in frame.notices:
        yield from notice_lines(notice, seen.board)
        card = why_told(seen, notice)
        yield from (card.title, *card.lines)


def with_underscores(lines: Iterator[str]) -> list[str]:
    """Return the lines that have an underscore, but for the code of a refusal at their end.

    A code is shown as it stands on the wire and in PROTOCOL, so that it can be looked up.
    """
    return [line for line in lines if "_" in _CODE.sub("", line)]


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene[0])
def test_nothing_shown_in_a_match_has_an_underscore(scene: tuple[str, int, int]) -> None:
    rng = Random(scene[1])
    frames = [frame for seat in frames_of(*scene).values() for frame in seat]
    for frame in frames:
        assert with_underscores(told_in(frame)) == []
    for frame in rng.sample(frames, min(VIEWS, len(frames))):
        seen = view_in(frame)
        orders = legal(seen)
        assert with_underscores(lists_of(seen)) == []
        for order in rng.sample(orders, min(len(orders), ORDERS_MOST)):
            assert with_underscores(said_of(seen, order)) == []


@given(seen=views(), order=ORDERS)
def test_nothing_shown_of_a_view_and_an_order_has_an_underscore(seen: View, order: Order) -> None:
    assert with_underscores(lists_of(seen)) == []
    assert with_underscores(said_of(seen, order)) == []


@given(notices=one_of_each(PLAIN))
def test_no_sentence_of_a_notice_has_an_underscore(notices: tuple[Notice, ...]) -> None:
    assert with_underscores(map(sentence, notices)) == []


@given(word=st.sampled_from(Word.__subclasses__()).flatmap(st.sampled_from))
def test_a_word_is_spoken_as_it_is_written_but_for_underscores(word: Word) -> None:
    assert spoken(word) == spoken(str(word.value)) == " ".join(str(word.value).split("_"))


@pytest.mark.parametrize(
    ("facing", "weapon", "relation"),
    [
        (Compass.N, "beam", "in front"),
        (Compass.S, "torpedo", "behind"),
        (Compass.W, "turret beam", "flanking"),
    ],
    ids=["ahead", "astern", "to starboard"],
)
def test_the_odds_of_a_shot_say_in_words_how_its_target_lies(
    facing: Compass, weapon: str, relation: str
) -> None:
    seen = view(Phase.ENGAGE, own_ship(facing=facing), contacts=(contact(),))
    (line,) = odds_lines(seen, Fire(ship=S1, weapon=weapon, at=C1))
    assert f", target {relation}, " in line
