"""The answer to any question a player may ask, dispatched to the advice that knows it.

Source: none of its own; a question costs nothing and no other seat learns of it.
"""

from typing import Literal, assert_never

from sunglare_protocol.ids import OwnId
from sunglare_protocol.messages import Question
from sunglare_protocol.messages.answers import AnswerBody, LegalOrders
from sunglare_protocol.orders import Bombard, Fire, Listen, Order, Scan, Sweep
from sunglare_protocol.orders.agents import Mission, Search, StepOrder
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import View
from sunglare_rules.advice.cards.ground import ground_odds
from sunglare_rules.advice.cards.why import look, why
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.check.ground import unit_named
from sunglare_rules.advice.legal.legal import legal
from sunglare_rules.advice.odds.agents import mission_odds, search_odds, step_preview
from sunglare_rules.advice.odds.fire import (
    listen_odds,
    odds_of_bombardment,
    sense_odds,
    shot_odds,
    sweep_odds,
)
from sunglare_rules.advice.odds.preview import preview
from sunglare_rules.advice.refusing import refused, under
from sunglare_rules.advice.review.review import review
from sunglare_rules.advice.seen.lookup import own_ids
from sunglare_rules.advice.sheets.fitting import fitting_orders
from sunglare_rules.advice.sheets.sheet import sheet

_AboutOne = Literal[Question.LEGAL, Question.PREVIEW, Question.ODDS, Question.WHY, Question.LOOK]
"""The kinds of question that are about one thing at most."""

ABOUT = "$.about"
"""The path in the question's message to which refusals point."""


def answer(
    view: View, kind: Question, about: Order | str | None, orders: tuple[Order, ...] = ()
) -> AnswerBody | Rejected:
    """Return the answer that the asker's own view gives, or why there is none.

    `legal`: nothing or an own piece. `preview`: a scan, or a step of an agent. `odds`: a shot,
    fire at a point, a search or a mission, to listen or sweep, or a scan or ship for its Sense
    roll. `why` and `look`: see there. `review`: nothing but the `orders`. `sheet`: an own piece,
    next to `orders`, which no other takes.
    """
    if kind is Question.REVIEW:
        if about is not None:
            return under(refused(Code.ASK_ABOUT), ABOUT)
        return check(view, orders) or review(view, orders)
    if kind is Question.SHEET:
        return sheet(view, about if isinstance(about, str) else None, orders)
    if orders:
        return refused(Code.ASK_ABOUT, ".orders")
    found = _answer(view, kind, about)
    return under(found, ABOUT) if isinstance(found, Rejected) else found


def _answer(view: View, kind: _AboutOne, about: Order | str | None) -> AnswerBody | Rejected:
    match kind:
        case Question.LEGAL:
            return _legal(view, about)
        case Question.PREVIEW:
            return _preview(view, about)
        case Question.ODDS:
            return _odds(view, about)
        case Question.WHY | Question.LOOK:
            if about is not None and not isinstance(about, str):
                return refused(Code.ASK_ABOUT)
            return why(view, about) if kind is Question.WHY else look(view, about)
        case _:
            assert_never(kind)


def _preview(view: View, about: Order | str | None) -> AnswerBody | Rejected:
    if isinstance(about, StepOrder):
        return step_preview(view, about)
    return preview(view, about) if isinstance(about, Scan) else refused(Code.ASK_ABOUT)


def _legal(view: View, about: Order | str | None) -> LegalOrders | Rejected:
    if about is None:
        return fitting_orders(legal(view))
    if not isinstance(about, str):
        return refused(Code.ASK_ABOUT)
    pieces = own_ids(view)
    if about not in pieces:
        return refused(Code.ASK_ABOUT, choices=pieces)
    return fitting_orders(legal(view, OwnId(about)))


def _odds(view: View, about: Order | str | None) -> AnswerBody | Rejected:
    if isinstance(about, Fire):
        unit = unit_named(view, about.ship)
        return shot_odds(view, about) if unit is None else ground_odds(view, unit, about)
    if isinstance(about, Scan):
        return sense_odds(view, about.ship)
    if isinstance(about, Bombard):
        return odds_of_bombardment(view, about)
    if isinstance(about, Listen | Sweep | Search | Mission):
        return _finding_odds(view, about)
    if not isinstance(about, str):
        return refused(Code.ASK_ABOUT)
    odds = sense_odds(view, OwnId(about))
    if isinstance(odds, Rejected):
        return refused(Code.ASK_ABOUT, choices=odds.choices)
    return odds


def _finding_odds(view: View, about: Listen | Sweep | Search | Mission) -> AnswerBody | Rejected:
    match about:
        case Listen():
            return listen_odds(view, about)
        case Sweep():
            return sweep_odds(view, about)
        case Search():
            return search_odds(view, about)
        case Mission():
            return mission_odds(view, about)
