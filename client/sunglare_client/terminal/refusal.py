"""A refused plan as an error that teaches: the order, the rule, what would be right."""

from sunglare_client.command import Plan, Problem, choices_text
from sunglare_client.terminal.input.parser import example
from sunglare_client.verbs.table import verb_called
from sunglare_client.verbs.written import legal_text
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View


def refusal(rejected: Rejected, plan: Plan, view: View, before: Plan = ()) -> Problem:
    """Return why the plan is refused; the example fits the plan as it was `before`."""
    order = _order_at(rejected.at, plan)
    text = "" if order is None else legal_text(order, view)
    verb = verb_called(text.partition(" ")[0])
    wrong = f"{text}: {rejected.text}" if text else rejected.text
    shown = "" if isinstance(verb, tuple) else example(verb, view, before, text)
    return Problem(
        "E-ORDER", f"{wrong} ({rejected.code.value})", choices_text(rejected.choices), shown
    )


def _order_at(path: str, plan: Plan) -> Order | None:
    """Return the order that a path such as `$.orders[2].to` leads to."""
    _, _, after = path.partition("orders[")
    index, closed, _ = after.partition("]")
    if not closed or not index.isdigit() or int(index) >= len(plan):
        return None
    return plan[int(index)]
