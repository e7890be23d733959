"""The verb that ends a move where another ship ends its own, and what it works out for that."""

from collections.abc import Iterator
from typing import NamedTuple

from sunglare_client.command import Command, Give, Plan
from sunglare_client.verbs.aids import steps_between, thrust_for
from sunglare_client.verbs.flight import no_sum
from sunglare_client.verbs.reading import Reader
from sunglare_client.verbs.verb import PLOT, Verb
from sunglare_protocol.geometry import Vector
from sunglare_protocol.orders import Order, Thrust, Turn
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.advice.seen.plotting import after_plot, deployed, first_of, orders_of
from sunglare_rules.turn.movement import Flight, drifted, flown


class Intercept(NamedTuple):
    """How to end a move on the square of another piece, turned as it is.

    `end` is how the other piece is then expected to stand; `matched` says that the vectors
    will agree as well.
    """

    steps: int
    change: Vector
    end: Flight
    matched: bool


def _shadow(reader: Reader) -> Command:
    """Read a ship and a piece to shadow; return the turn and thrust that end where it will."""
    ship = reader.ship()
    other = _shadowed(reader)
    way = _intercept(reader.view, ship, other, reader.plan)
    if way is None:
        reader.fail("E-ARG", "its vector or facing is not known; only a track shows them")
    to = thrust_for(way.end.facing, way.change)
    if to is None:
        end = way.end.facing
        reader.fail("E-ARG", f"{no_sum(way.change, end)}, and it must end facing {end.value}")
    # A turn of no steps takes back one that is planned.
    turns = way.steps != 0 or first_of(Turn, orders_of(ship, reader.plan)) is not None
    turning: tuple[Order, ...] = (Turn(ship=ship.id, steps=way.steps),) if turns else ()
    return Give((*turning, Thrust(ship=ship.id, to=to)), _shadow_remark(way))


def _shadowed(reader: Reader) -> OwnView | ContactView:
    """Take an own ship or a contact."""
    for ship in reader.view.own:
        if reader.peek().lower() == ship.id.lower():
            return reader.ship()
    return reader.contact()


def _shadow_remark(way: Intercept) -> str:
    at = f"{way.end.square.x},{way.end.square.y}"
    if way.matched:
        return f"ends at {at}, turned and moving as it does if it drifts"
    return f"ends at {at}, but with another vector, so it will not be shadowed this turn"


def _intercept(
    view: View, ship: OwnView, other: OwnView | ContactView, plan: tuple[Order, ...]
) -> Intercept | None:
    """Return how `ship` ends its move where `other` does, or None if its flight is not known.

    An own ship is taken to fly its plan, a foreign piece to drift.
    """
    theirs = _expected(view, other, plan)
    if theirs is None:
        return None
    start = deployed(ship, orders_of(ship, plan))
    return Intercept(
        steps=steps_between(start.facing, theirs.facing),
        change=drifted(view.board, start.square, start.vector).to(theirs.square),
        end=theirs,
        matched=start.square.to(theirs.square) == theirs.vector,
    )


def _expected(view: View, other: OwnView | ContactView, plan: tuple[Order, ...]) -> Flight | None:
    if isinstance(other, OwnView):
        return after_plot(view, other, plan)
    if other.vector is None or other.facing is None or other.landed is not None:
        return None
    return flown(view.board, Flight(other.square, other.vector, other.facing), 0, ())


def _is_moving(view: View, _: Thrust) -> bool:
    """Return whether any contact shows how it moves."""
    return any(contact.vector is not None for contact in view.contacts)


def _tries(view: View, _: Plan) -> Iterator[str]:
    for ship in ships_in_play(view):
        yield from (f"shadow {ship.id} {contact.label}" for contact in view.contacts)


ROWS = (
    Verb(
        "shadow",
        "w",
        PLOT,
        "<ship> <contact or own ship>",
        "shadow S1 C3",
        "shadow a larger ship: same square, same facing",
        _shadow,
        aids=Thrust,
        fit=_is_moving,
        tries=_tries,
        more=("A ship only shadows another if square, vector and facing all agree.",),
    ),
)
