"""Examples for errors: a line that would be taken on this very view, or none at all."""

from collections.abc import Callable, Iterator
from itertools import chain, islice

from sunglare_client.command import Act, Clear, Command, Deed, Give, Preview, Weigh
from sunglare_client.terminal.staging import Plan, added, cleared
from sunglare_client.text.answers import is_known, legal_text, own_ids
from sunglare_client.verbs.aids import facing_planned
from sunglare_client.verbs.reading import Misread
from sunglare_client.verbs.table import Verb, verbs_now
from sunglare_protocol.geometry import box_of
from sunglare_protocol.orders import Power
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.legal import legal
from sunglare_rules.advice.odds.preview import preview
from sunglare_rules.advice.seen.lookup import place_of, ships_in_play
from sunglare_rules.sensors.sectors import standing_square

TRIED = 60
"""So many lines are tried before there is no example."""

FREE = ("say", "help", "ready", "draw", "resign", "quit", "pause")
"""Verbs whose usual example holds on every view."""

_AIDS = {"turn": ("face",), "thrust": ("burn", "drift", "shadow")}
"""Which aids to typing write orders of a verb."""

Read = Callable[[str], Command]
"""What reads a line, or raises `Misread`."""


def example_of(verb: Verb, view: View, plan: Plan, read: Read) -> str:
    """Return a line with that verb that would be taken beside the plan; empty if none is found."""
    made = _made_lines(verb, view, plan)
    usual = (verb.example,)
    more = chain(usual, made) if verb.name in FREE else chain(made, usual)
    lines = chain(_legal_lines(verb, view), more)
    return next((line for line in islice(lines, TRIED) if _is_taken(line, view, plan, read)), "")


def verbs_with_orders(view: View) -> tuple[str, ...]:
    """Return the verbs with which something can be ordered in the open window."""
    orders = legal(view)
    possible = {legal_text(order, view).partition(" ")[0] for order in orders}
    possible |= {aid for verb in possible for aid in _AIDS.get(verb, ())}
    if any(isinstance(order, Power) and order.ecm is not None for order in orders):
        possible.add("ecm")
    if all(each.vector is None for each in view.contacts):
        possible.discard("shadow")
    return tuple(verb for verb in verbs_now(view.stage.phase) if verb in possible)


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
        case Act(deed=Deed.LOOK | Deed.WHY | Deed.NOTE, text=about):
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
        elif verb.name == "ecm" and isinstance(order, Power) and order.ecm is not None:
            yield f"ecm {order.ship} {'on' if order.ecm else 'off'}"


def _made_lines(verb: Verb, view: View, plan: Plan) -> Iterator[str]:
    """Yield lines for the aids to typing, which write other orders, and for questions."""
    for ship in ships_in_play(view):
        yield from _aids(verb.name, view, ship, plan)
    yield from (f"{verb.name} {own}" for own in own_ids(view))
    yield from (f"{verb.name} {each.label}" for each in view.contacts)


def _aids(verb: str, view: View, ship: OwnView, plan: Plan) -> Iterator[str]:
    facing = facing_planned(ship, plan)
    match verb:
        case "burn":
            yield f"burn {ship.id} {facing.step.dx:+d},{facing.step.dy:+d}"
        case "face":
            yield f"face {ship.id} {ship.facing.turned(1).value}"
        case "shadow":
            yield from (f"shadow {ship.id} {each.label}" for each in view.contacts)
        case "preview":
            at = box_of(standing_square(view.board, place_of(ship))).name
            yield f"preview {ship.id} {ScanType.IR.value} {ScanSize.BOX.value} {at}"
        case _:
            return
