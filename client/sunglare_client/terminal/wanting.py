"""Changes of an intent that reach beyond the open window, or back to the turn before."""

from typing import NamedTuple

from sunglare_client.command import Again, Give, HoldAll, Plan, Problem, Travel, Wanted
from sunglare_client.terminal.intents import ENDS_ROUTE, Intent
from sunglare_client.terminal.routes import FROM_NOW_ON, way_lines
from sunglare_client.text.cards import refused
from sunglare_client.verbs.written import given_lines, legal_text
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.plans.again import beside
from sunglare_rules.advice.plans.policy import may_hold
from sunglare_rules.advice.plans.routes import route

NONE_BEFORE = "you gave no orders in this window last turn"
NONE_AGAIN = "no order that you gave in this window last turn can be added now"
ALL_PLANNED = "all orders that you gave in this window last turn are already planned"
NO_HOLDS = "E-ARG     hold: in this match no cloaked ship ever fires; there is nothing to answer."


class Outcome(NamedTuple):
    """The answer to something wanted, and the intent that it leads to; None: as it was.

    The `problem` is that of orders that are refused.
    """

    lines: list[str]
    intent: Intent | None = None
    problem: Problem | None = None

    @property
    def foretold(self) -> list[str]:
        """Return the answer as long as nothing is given: an example would name another thing."""
        wrong = self.problem
        lines = self.lines if wrong is None else [wrong._replace(example="").text]
        return [line.removeprefix("ok: ") for line in lines]


Before = dict[Phase, tuple[int, Plan]]
"""By phase the turn of its last window that asked for orders, and the orders given there."""


def given_words(view: View, give: Give) -> list[str]:
    """Return what is said of orders that are given."""
    texts = "; ".join(legal_text(order, view) for order in give.orders)
    remark = f"  ({give.remark})" if give.remark else ""
    meant = [row for order in give.orders for row in given_lines(view, order)]
    return [f"ok: {texts}{remark}", *meant]


def replaced_lines(view: View, before: Plan, after: Plan) -> list[str]:
    """Return which orders of a plan others have replaced."""
    return [f"  replaces {legal_text(order, view)}" for order in before if order not in after]


def wanted_of(view: View, intent: Intent, wanted: Wanted, before: Before) -> Outcome:
    """Return what comes of something wanted; `before` has the orders given last."""
    match wanted:
        case Travel():
            return travelled(view, intent, wanted)
        case HoldAll(on=True) if not may_hold(view):
            return Outcome([NO_HOLDS])
        case HoldAll(on=on):
            said = f"ok: {FROM_NOW_ON}" if on else "ok: no weapon is held any more but by an order"
            return Outcome([said], intent.holding(on))
        case Again():
            turn, orders = before.get(view.stage.phase, (0, ()))
            return _again(view, intent, orders if turn == view.stage.turn - 1 else ())


def travelled(view: View, intent: Intent, asked: Travel) -> Outcome:
    """Return how a ship goes on a route, with what each of its turns costs."""
    found = route(view, asked.ship, asked.goal, intent.given)
    if isinstance(found, Rejected):
        return Outcome([refused(found)])
    if not found.legs:
        return Outcome([f"{asked.ship} is there already"])
    going = intent.going(found)
    problem = check(view, (*going.given, *found.legs[0].orders))
    if problem is not None:
        return Outcome([refused(problem)])
    first, *others = way_lines(view, found)
    return Outcome([f"ok: {first}", *others], going)


def _again(view: View, intent: Intent, before: Plan) -> Outcome:
    routed = {route.ship for route in intent.policy.routes}
    before = tuple(
        order for order in before if not (isinstance(order, ENDS_ROUTE) and order.ship in routed)
    )
    planned = [order for order in before if order in intent.given]
    again = beside(view, intent.given, (order for order in before if order not in planned))
    left = [order for order in before if order not in (*again, *planned)]
    rows = [f"  already planned: {legal_text(order, view)}" for order in planned]
    for order in left:
        problem = check(view, (order,)) or check(view, (*intent.given, *again, order))
        reason = "" if problem is None else f" ({problem.text})"
        rows.append(f"  not again: {legal_text(order, view)}{reason}")
    if again:
        return Outcome([*given_words(view, Give(again)), *rows], intent.giving(Give(again)))
    if not before:
        return Outcome([NONE_BEFORE])
    return Outcome([NONE_AGAIN if left else ALL_PLANNED, *rows])
