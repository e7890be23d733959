"""A row of the command language, and the readers that several rows share."""

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar, final

import msgspec

from sunglare_client.command import Act, Command, Give, Plan
from sunglare_client.verbs.reading import Reader
from sunglare_client.verbs.words import MISSING
from sunglare_protocol.orders import Order
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase

PLOT = (Phase.PLOT,)
SCAN = (Phase.SCAN,)
DETECT = (Phase.DETECT,)
ENGAGE = (Phase.ENGAGE,)
ANY: tuple[Phase, ...] = ()

Kind = TypeVar("Kind", bound=Order)


@final
class Written(msgspec.Struct, Generic[Kind], frozen=True):
    """An order type as the verb that writes it has it: what is shown of one such order.

    `words` stand after the verb in the command that writes the order; `odds` say its chances or
    what it brings, and `given` is said as soon as it is given.
    """

    kind: type[Kind]
    words: Callable[[Kind], str]
    odds: Callable[[View, Kind], list[str]] | None = None
    given: Callable[[View, Kind], list[str]] | None = None


@final
class Verb(msgspec.Struct, frozen=True):
    """A command: its name and alias, the windows that take it (none: all), and how it is used.

    `read` makes a command of the words after it. `order` is the order type that is shown as this
    verb; `aids` one of another verb that this one helps to write, for the orders that `fit`.
    `tries` yields lines with the verb that may be taken on a view; of some verbs the `example`
    `always` is. `more` is further help.
    """

    name: str
    alias: str
    windows: tuple[Phase, ...]
    usage: str
    example: str
    meaning: str
    read: Callable[[Reader], Command]
    order: Written[Any] | None = None
    aids: type[Order] | None = None
    fit: Callable[[View, Any], bool] | None = None
    tries: Callable[[View, Plan], Iterable[str]] | None = None
    always: bool = False
    more: tuple[str, ...] = ()

    def can_write(self, view: View, order: Order) -> bool:
        """Return whether this verb can write an order that is legal on a view."""
        kind = self.aids if self.order is None else self.order.kind
        if kind is None or not isinstance(order, kind):
            return False
        return self.fit is None or self.fit(view, order)


def giving(read: Callable[[Reader], Order]) -> Callable[[Reader], Command]:
    """Return a reader that gives the one order which `read` reads."""
    return lambda reader: Give((read(reader),))


def plain(reader: Reader) -> Command:
    """Read an act that takes no words."""
    return Act(reader.verb)


def named(what: str, default: str | None = None) -> Callable[[Reader], Command]:
    """Return a reader of an act that takes the rest of the line as its text."""

    def read(reader: Reader) -> Command:
        text = reader.rest()
        if not text and default is None:
            reader.fail(MISSING, f"needs <{what}> next")
        return Act(reader.verb, text or default or "")

    return read


def grave(reader: Reader) -> Command:
    """Read an act that must be typed in full and confirmed with `yes`."""
    sure = reader.more and reader.pick("word to confirm", {"yes": True})
    return Act(reader.verb, sure=sure)
