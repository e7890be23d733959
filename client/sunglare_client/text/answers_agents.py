"""The advice on agents as lines: chances of searches and missions, and what a step brings."""

from sunglare_client.text.lists.agents import agents_order_text
from sunglare_client.text.printable import printable
from sunglare_protocol.orders.agents import Mission, Search, StepOrder
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View
from sunglare_rules.advice.odds.agents import mission_odds, search_odds, step_preview


def agents_lines(view: View, order: Search | Mission | StepOrder) -> list[str]:
    """Return what such an order may come to, or why it cannot be given."""
    line = _line(view, order)
    if isinstance(line, Rejected):
        right = f" Choices: {', '.join(line.choices)}." if line.choices else ""
        return [printable(f"{line.text} ({line.code.value}){right}")]
    return [printable(line)]


def _line(view: View, order: Search | Mission | StepOrder) -> str | Rejected:
    if isinstance(order, Search):
        return _search_line(view, order)
    if isinstance(order, Mission):
        return _mission_line(view, order)
    return _step_line(view, order)


def _search_line(view: View, order: Search) -> str | Rejected:
    odds = search_odds(view, order)
    if isinstance(odds, Rejected):
        return odds
    place = odds.site.name
    return (
        f"your search value at {place} is {odds.value}: {odds.least} % to {odds.most} % to find "
        "who is there, by how well they hide"
    )


def _mission_line(view: View, order: Mission) -> str | Rejected:
    odds = mission_odds(view, order)
    if isinstance(odds, Rejected):
        return odds
    return f"{agents_order_text(order)}: {odds.hundredths} %"


def _step_line(view: View, order: StepOrder) -> str | Rejected:
    seen = step_preview(view, order)
    if isinstance(seen, Rejected):
        return seen
    anew = f"newly detected: {', '.join(seen.anew)}" if seen.anew else "nobody new is detected"
    return f"{agents_order_text(order)}: {anew}"
