"""Examples for errors: a line that would be taken on this very view, or none at all."""

from collections.abc import Callable, Iterator
from itertools import chain, islice

from sunglare_client.aids import facing_planned
from sunglare_client.command import Act, Clear, Command, Deed, Give, Preview, Weigh
from sunglare_client.reading import Misread
from sunglare_client.staging import Plan, added, cleared
from sunglare_client.telling import is_known, legal_text, own_ids
from sunglare_client.verbs import Verb
from sunglare_protocol.geometry import box_of
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.scanwords import ScanSize, ScanType
from sunglare_protocol.views import OwnView, View
from sunglare_rules.advice.check import check
from sunglare_rules.advice.legal import legal
from sunglare_rules.advice.lookup import place_of, ships_in_play
from sunglare_rules.advice.preview import preview
from sunglare_rules.sectors import standing_square

TRIED = 60
"""So many lines are tried before there is no example."""

Read = Callable[[str], Command]
"""What reads a line, or raises `Misread`."""


def example_of(verb: Verb, view: View, plan: Plan, read: Read) -> str:
    """Return a line with that verb that would be taken beside the plan; empty if none is found."""
    lines = chain(_legal_lines(verb, view), _made_lines(verb, view, plan), (verb.example,))
    return next((line for line in islice(lines, TRIED) if _is_taken(line, view, plan, read)), "")


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
        case Act(deed=Deed.LOOK | Deed.WHY, text=about):
            return is_known(view, about)
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
        case "ecm":
            yield f"ecm {ship.id} {'off' if ship.ecm else 'on'}"
        case "shadow":
            yield from (f"shadow {ship.id} {each.label}" for each in view.contacts)
        case "preview":
            at = box_of(standing_square(view.board, place_of(ship))).name
            yield f"preview {ship.id} {ScanType.IR.value} {ScanSize.BOX.value} {at}"
        case _:
            return
