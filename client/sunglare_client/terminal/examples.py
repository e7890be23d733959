"""Examples for errors: a line that would be taken on this very view, or none at all."""

from collections.abc import Callable, Iterator
from itertools import chain, islice

from sunglare_client.command import Act, Clear, Command, Give, Plan, Preview, Weigh
from sunglare_client.terminal.staging import added, cleared
from sunglare_client.text.cards import is_known
from sunglare_client.text.labels import own_ids
from sunglare_client.verbs.table import VERBS
from sunglare_client.verbs.verb import Verb
from sunglare_client.verbs.words import Misread
from sunglare_client.verbs.written import legal_text
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.legal import legal
from sunglare_rules.advice.odds.preview import preview

TRIED = 60
"""So many lines are tried before there is no example."""

Read = Callable[[str], Command]
"""What reads a line, or raises `Misread`."""


def example_of(verb: Verb, view: View, plan: Plan, read: Read) -> str:
    """Return a line with that verb that would be taken beside the plan; empty if none is found."""
    made = _made_lines(verb, view, plan)
    usual = (verb.example,)
    more = chain(usual, made) if verb.always else chain(made, usual)
    lines = chain(_legal_lines(verb, view), more)
    return next((line for line in islice(lines, TRIED) if _is_taken(line, view, plan, read)), "")


def verbs_with_orders(view: View) -> tuple[str, ...]:
    """Return the verbs with which something can be ordered in the open window."""
    orders, phase = legal(view), view.stage.phase
    now = (verb for verb in VERBS if phase in verb.windows)
    return tuple(verb.name for verb in now if any(verb.can_write(view, order) for order in orders))


def _is_taken(line: str, view: View, plan: Plan, read: Read) -> bool:
    try:
        command = read(line)
    except Misread:
        return False
    match command:
        case Give():
            return check(view, added(plan, command)) is None
        case Clear():
            return check(view, cleared(plan, command)) is None
        case Preview(scan=scan):
            return not isinstance(preview(view, scan), Rejected)
        case Weigh(order=order):
            return check(view, added(plan, Give((order,)))) is None
        case Act(deed="look" | "why" | "note", text=about):
            return is_known(view, about.partition(" ")[0])
        case _:
            return True


def _legal_lines(verb: Verb, view: View) -> Iterator[str]:
    """Yield legal orders as lines: those of the verb, for `odds` all of them behind it."""
    for order in legal(view):
        line = legal_text(order, view)
        if verb.name == "odds":
            yield f"odds {line}"
        elif line.partition(" ")[0] == verb.name:
            yield line


def _made_lines(verb: Verb, view: View, plan: Plan) -> Iterator[str]:
    """Yield lines for the aids to typing, which write other orders, and for questions."""
    if verb.tries is not None:
        yield from verb.tries(view, plan)
    yield from (f"{verb.name} {own}" for own in own_ids(view))
    yield from (f"{verb.name} {contact.label}" for contact in view.contacts)
