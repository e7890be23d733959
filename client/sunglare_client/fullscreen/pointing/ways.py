"""Ways to act with a piece: each a name, and the command that it writes at a place.

A way is offered only if some command of it would be taken in the window, and at a place only what
would be taken with the orders given. What would be refused can be asked for, and says why.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar, final

from sunglare_client.command import Clear, Give, Plan
from sunglare_client.terminal.input.parser import parse
from sunglare_client.terminal.staging import added, cleared
from sunglare_protocol.orders import Order
from sunglare_protocol.views import View
from sunglare_rules.advice.check.check import check

Place = TypeVar("Place")


@final
class WayToAct(NamedTuple, Generic[Place]):
    """A way to act: what it is called, and the command that it means at a place, if any.

    `reach` are the places where a move of this kind can end.
    """

    name: str
    line: Callable[[Place], str]
    reach: tuple[Place, ...] = ()


@final
class Meaning(NamedTuple, Generic[Place]):
    """What pointing means: the way to act in words, the command, if any, and the reach.

    `number` says which way it is of how many; `vain` is a command that would be refused there.
    """

    words: str = ""
    number: str = ""
    line: str = ""
    reach: tuple[Place, ...] = ()
    vain: str = ""

    @property
    def command(self) -> str:
        """Return the command, taken or refused."""
        return self.line or self.vain


def is_taken(view: View, plan: Plan, line: str) -> bool:
    """Return whether a command would be taken with the plan."""
    command = parse(line, view, plan)
    if isinstance(command, Give):
        return check(view, added(plan, command)) is None
    return isinstance(command, Clear) and check(view, cleared(plan, command)) is None


def may_stand(view: View, order: Order) -> bool:
    """Return whether an order may stand on its own."""
    return check(view, (order,)) is None


def anywhere(
    view: View, lines: Iterable[tuple[str, str]], given: Plan = ()
) -> Iterator[WayToAct[Any]]:
    """Yield the ways, by name and command, that mean the same everywhere and would be taken."""
    for name, line in lines:
        if is_taken(view, given, line):
            yield WayToAct(name, partial(_the_same, line))


def _the_same(line: str, _: object) -> str:
    return line


def chosen(ways: tuple[WayToAct[Place], ...], name: str) -> WayToAct[Place] | None:
    """Return the way of that name, else the first; None if there is none."""
    named = (way for way in ways if way.name == name)
    return next(named, ways[0] if ways else None)


def after(ways: tuple[WayToAct[Place], ...], name: str, step: int) -> str:
    """Return the name of the way so many steps after the one chosen; empty if there is none."""
    now = chosen(ways, name)
    return "" if now is None else ways[(ways.index(now) + step) % len(ways)].name


def meant(
    view: View, plan: Plan, ways: tuple[WayToAct[Place], ...], name: str, place: Place
) -> Meaning[Place]:
    """Return what the way of that name means at a place; no command that would be refused."""
    way = chosen(ways, name)
    if way is None:
        return Meaning()
    line = way.line(place)
    number = f"{ways.index(way) + 1} of {len(ways)}"
    if line and is_taken(view, plan, line):
        return Meaning(way.name, number, line, way.reach)
    return Meaning(way.name, number, reach=way.reach, vain=line)
