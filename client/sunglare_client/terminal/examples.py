"""Examples for errors: a line that would be taken on this very view, or none at all."""

from collections.abc import Callable, Iterator
from itertools import chain, takewhile

from sunglare_client.command import Act, Clear, Command, Give, Plan, Preview, Weigh
from sunglare_client.terminal.staging import added, cleared
from sunglare_client.text.cards import is_known
from sunglare_client.text.labels import own_ids
from sunglare_client.verbs.table import VERBS, verb_called
from sunglare_client.verbs.verb import Verb
from sunglare_client.verbs.words import Misread
from sunglare_client.verbs.written import legal_text
from sunglare_protocol.ids import OwnId
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.legal import legal
from sunglare_rules.advice.odds.preview import preview

TRIED = 60
"""So many lines are tried before there is no example."""

ODDS = "odds"
"""The verb behind which an order stands with its own verb."""

Read = Callable[[str], Command]
"""What reads a line, or raises `Misread`."""


def example_of(verb: Verb, view: View, plan: Plan, typed: str, read: Read) -> str:
    """Return a line with that verb that would be taken with the plan; empty if none is found.

    Where `typed`, the line that was wrong, names an own piece, the example names no other. Of
    several lines it is the one that begins most like what was typed.
    """
    made, usual = _made_lines(verb, view, plan), (verb.example,)
    more = chain(usual, made) if verb.always else chain(made, usual)
    own = piece_of(view, typed)
    about = {line: piece_of(view, line) for line in chain(_legal_lines(verb, view), more)}
    fitting = [line for line in about if own is None or about[line] in (own, None)]
    fitting.sort(key=lambda line: (own is not None and about[line] != own, -_shared(line, typed)))
    return next((line for line in fitting[:TRIED] if _is_taken(line, view, plan, read)), "")


def piece_of(view: View, line: str) -> OwnId | None:
    """Return the own piece that a line is about, in play or lost; None if it names none.

    It stands right behind the verb, after `odds` behind the next one, perhaps with a weapon.
    """
    words = line.lower().split()
    if len(words) > 1 and verb_called(words[0]) is verb_called(ODDS):
        del words[0]
    named = words[1].partition(".")[0] if len(words) > 1 else ""
    names = [piece.id for group in (view.own, view.ground, view.agents) for piece in group]
    return next((name for name in names if name.lower() == named), None)


def verbs_with_orders(view: View) -> tuple[str, ...]:
    """Return the verbs with which something can be ordered in the open window."""
    orders, phase = legal(view), view.stage.phase
    now = (verb for verb in VERBS if phase in verb.windows)
    return tuple(verb.name for verb in now if any(verb.can_write(view, order) for order in orders))


def _shared(line: str, typed: str) -> int:
    """Return with how many of the same words two lines go on behind their verbs."""
    pairs = zip(line.lower().split()[1:], typed.lower().split()[1:], strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))


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
        case Act(deed="odds", text=order):
            return _is_taken(order, view, plan, read)
        case Act(deed="look" | "why" | "note", text=about):
            return is_known(view, about.partition(" ")[0])
        case _:
            return True


def _legal_lines(verb: Verb, view: View) -> Iterator[str]:
    """Yield legal orders as lines: those of the verb, for `odds` all of them behind it."""
    for order in legal(view):
        line = legal_text(order, view)
        if verb.name == ODDS:
            yield f"{ODDS} {line}"
        elif line.partition(" ")[0] == verb.name:
            yield line


def _made_lines(verb: Verb, view: View, plan: Plan) -> Iterator[str]:
    """Yield lines for the aids to typing, which write other orders, and for questions."""
    if verb.tries is not None:
        yield from verb.tries(view, plan)
    yield from (f"{verb.name} {own}" for own in own_ids(view))
    yield from (f"{verb.name} {contact.label}" for contact in view.contacts)
