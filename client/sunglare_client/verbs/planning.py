"""Verbs of the orders themselves: what is ordered or could be, its chances, when it is sent."""

from collections.abc import Callable

from sunglare_client.command import Act, Command, Problem, Weigh
from sunglare_client.verbs.agents import board_order, leave_order, mission_order, walk_order
from sunglare_client.verbs.firing import bombard_order, fire_order
from sunglare_client.verbs.reading import Reader
from sunglare_client.verbs.searching import search_order
from sunglare_client.verbs.sensing import listen_order, preview_of, sweep_order
from sunglare_client.verbs.verb import ANY, Verb, plain
from sunglare_client.verbs.words import Misread
from sunglare_protocol.orders import Order
from sunglare_rules.advice.seen.lookup import own_ids

DELAY_MOST_S = 10.0
"""OWN: a lock may wait so long; a longer delay is a slip of the finger."""


def _legal(reader: Reader) -> Command:
    return Act(reader.verb, reader.own_id() if reader.more else "")


def _odds(reader: Reader) -> Command:
    """Read an order of another window too, if it has chances; else any that may be given now."""
    begun = reader.peek().lower()
    if "." in begun or begun in (own.lower() for own in own_ids(reader.view)):
        raise Misread(_no_verb(reader))
    has_chances = [word for word in _WEIGHED if begun and word.startswith(begun)]
    if begun and not has_chances:
        return Act(reader.verb, reader.rest())
    return reader.pick("kind of order that has odds", _WEIGHED)(reader)


def _no_verb(reader: Reader) -> Problem:
    """Return the error of a piece or a weapon where the verb of an order has to stand."""
    named, words = reader.peek(), reader.rest()
    right = f"Say: odds fire {words}." if "." in named else "Begin with a verb, as fire or scan."
    return Problem("E-ARG", f"odds: '{named}' is no order; its verb is missing.", right)


def _weigh(order: Callable[[Reader], Order]) -> Callable[[Reader], Command]:
    return lambda reader: Weigh(order(reader))


_WEIGHED: dict[str, Callable[[Reader], Command]] = {
    "fire": _weigh(fire_order),
    "bombard": _weigh(bombard_order),
    "listen": _weigh(listen_order),
    "sweep": _weigh(sweep_order),
    "scan": preview_of,
    "s": preview_of,
    "search": _weigh(search_order),
    "mission": _weigh(mission_order),
    "walk": _weigh(walk_order),
    "board": _weigh(board_order),
    "leave": _weigh(leave_order),
}
"""How what follows `odds` is read; a scan has a preview."""


def _skip(reader: Reader) -> Command:
    return Act(reader.verb, sure=reader.pick("word", {"off": False, "on": True}))


def _ready(reader: Reader) -> Command:
    return Act(reader.verb, sure=bool(reader.more and reader.pick("word", {"!": True})))


def _pass(reader: Reader) -> Command:
    is_on = reader.pick("word", {"until": True, "off": False})
    if is_on and reader.more:
        reader.pick("word", {"contact": True})
    return Act(reader.verb, sure=is_on)


def _set(reader: Reader) -> Command:
    """Read the name of a setting and its value."""
    reader.pick("setting", {"commit-delay": True})
    choices = {f"{tenths / 10:g}": tenths / 10 for tenths in range(round(DELAY_MOST_S * 10) + 1)}
    return Act(reader.verb, f"{reader.pick('number of seconds', choices):g}")


ROWS = (
    Verb(
        "ready",
        "r",
        ANY,
        "[!]",
        "ready",
        "lock your orders and end your thinking time",
        _ready,
        always=True,
        more=(
            "It asks before a ship would be lost, and if no ship has an order; ready! never asks.",
            (
                "The lock leaves after a moment (set commit-delay); until then unready takes it "
                "back unseen, on the full screen Escape. An empty line only asks; next means "
                "ready."
            ),
        ),
    ),
    Verb(
        "pass",
        "",
        ANY,
        "until contact, or off",
        "pass until contact",
        "be ready in every window until something new happens",
        _pass,
        always=True,
        more=(
            (
                "Something new is a contact or a memory of one, a piece of yours that was hit, "
                "found or lost, and a ship that would be lost by passing on; it says which."
            ),
        ),
    ),
    Verb(
        "set",
        "",
        ANY,
        "commit-delay <seconds>",
        "set commit-delay 0",
        "set how long a lock can be taken back",
        _set,
        always=True,
    ),
    Verb(
        "skip",
        "",
        ANY,
        "<off or on>",
        "skip off",
        "off: stop at windows with nothing to decide; on: pass them again",
        _skip,
        always=True,
    ),
    Verb("unready", "un", ANY, "", "unready", "think again while the window is open", plain),
    Verb("undo", "u", ANY, "", "undo", "take back the last change of your orders", plain),
    Verb("orders", "o", ANY, "", "orders", "list what you have ordered, and the clock", plain),
    Verb(
        "legal",
        "le",
        ANY,
        "[piece]",
        "legal S1",
        "orders that this window takes from a piece",
        _legal,
    ),
    Verb(
        "odds",
        "od",
        ANY,
        "<an order>",
        "odds fire S1.B1 C3",
        "chances, from what you know; no side learns that you asked",
        _odds,
        more=(
            (
                "odds scan ... shows what the scan would find and tell, odds fire ... the damage, "
                "odds listen S1 and odds sweep S1 the chances to find cloaked ships. Of what "
                "moves it shows where that ends, and the signature there."
            ),
        ),
    ),
)
