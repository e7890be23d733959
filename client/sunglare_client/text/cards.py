"""The cards of things as lines for people: what is known, by which rule, and why not."""

from sunglare_client.command import Problem, choices_text
from sunglare_client.text.classes import class_lines, worth_lines
from sunglare_client.text.labels import spelled
from sunglare_client.text.printable import printable
from sunglare_client.text.rules import command_rules, word_rules
from sunglare_protocol.messages import Question
from sunglare_protocol.messages.answers import (
    Card,
)
from sunglare_protocol.orders import (
    Order,
    Scan,
)
from sunglare_protocol.orders.agents import StepOrder
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View
from sunglare_rules.advice.answer import answer
from sunglare_rules.advice.cards.answers import why_answer
from sunglare_rules.advice.cards.why import look, why


def refused(rejected: Rejected) -> str:
    """Return why an order or a question is refused."""
    wrong = f"{rejected.text} ({rejected.code.value})"
    return printable(Problem("E-ORDER", wrong, choices_text(rejected.choices)).text)


def card_lines(view: View, about: str, *, reasons: bool) -> list[str]:
    """Return the card of a thing: what is known of it, or with `reasons` by which rule."""
    name = spelled(view, about)
    card = why(view, name) if reasons else look(view, name)
    if isinstance(card, Rejected):
        return [refused(card)]
    return _card_rows(card)


def why_lines(view: View, about: str) -> list[str]:
    """Return by which rules a thing is known, or else the rules on a command or another word."""
    card = why(view, spelled(view, about))
    if not isinstance(card, Rejected):
        return _card_rows(card)
    word = about.lower()
    # The number makes it the name of a piece, though some class may have a weapon called so.
    is_word = not any(map(str.isdigit, word))
    rules = (command_rules(word) or word_rules(word)) if is_word else []
    return rules or [refused(card)]


def thing_lines(view: View, about: str, *, classes: bool = False) -> list[str]:
    """Return the card of a thing; of a ship whose type is known also what it may be worth.

    With `classes` all classes that it may be are on the card, with their figures.
    """
    name = spelled(view, about)
    rows = []
    for one in view.contacts:
        if name in (one.label, one.handle):
            rows += class_lines(one) if classes else worth_lines(one)
    return [*card_lines(view, name, reasons=False), *(printable(f"  {row}") for row in rows)]


def is_known(view: View, about: str) -> bool:
    """Return whether there is a card on a thing."""
    return not isinstance(look(view, spelled(view, about)), Rejected)


def answer_lines(view: View, order: Order | None) -> list[str]:
    """Return the rules behind the preview and the odds of an order; None: nothing was asked."""
    if order is None:
        return ["you asked for no odds and no preview in this window yet"]
    kinds = [Question.PREVIEW] if isinstance(order, Scan | StepOrder) else [Question.ODDS]
    if isinstance(order, Scan) and order.sense:
        kinds.append(Question.ODDS)
    lines = []
    for kind in kinds:
        found = answer(view, kind, order)
        if isinstance(found, Rejected):
            return [refused(found)]
        lines.extend(_card_rows(why_answer(view, found)))
    return lines


def _card_rows(card: Card) -> list[str]:
    return [printable(card.title), *(printable(f"  {line}") for line in card.lines)]
