"""Where keys and clicks lead the pointer: on the map, or on the surface shown instead."""

from collections.abc import Callable

from sunglare_client.command import Plan
from sunglare_client.fullscreen.pointing.ground_pointing import (
    GroundPointer,
    ground_pointer,
    next_ground_way,
    next_idle_piece,
    next_piece,
    next_token,
    place_at,
    pointed,
    steered,
)
from sunglare_client.fullscreen.pointing.pointing import (
    Pointer,
    moved,
    named_at,
    next_contact,
    next_idle,
    next_ship,
    next_way,
)
from sunglare_protocol.geometry import Vector
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import View

Steer = Callable[[View, Site | None, Pointer], Pointer]
"""A way to move the pointer: on a surface if one is shown, else on the map."""


def farther(dx: int, dy: int) -> Steer:
    """Point so far to the east and south."""
    return _either(
        lambda view, here: moved(here, view.board, Vector(dx, dy)),
        lambda view, here: steered(view, here, dx, dy),
    )


def to_own(step: int) -> Steer:
    """Point at the next own ship, or own piece there."""
    return _either(
        lambda view, here: next_ship(view, here, step),
        lambda view, here: next_piece(view, here, step),
    )


def to_idle(plan: Plan) -> Steer:
    """Point at the next own ship, or own piece there, that has no order yet."""
    return _either(
        lambda view, here: next_idle(view, plan, here),
        lambda view, here: next_idle_piece(view, plan, here),
    )


def to_foreign(step: int) -> Steer:
    """Point at the next contact, or foreign token."""
    return _either(
        lambda view, here: next_contact(view, here, step),
        lambda view, here: next_token(view, here, step),
    )


def another_way(plan: Plan, step: int) -> Steer:
    """Choose the next way to act."""
    return _either(
        lambda view, here: next_way(view, plan, here, step),
        lambda view, here: next_ground_way(view, plan, here, step),
    )


def to_cell(cell: Cell) -> Steer:
    """Point at a cell of the surface."""
    return _either(lambda _, here: here, lambda view, here: pointed(view, here, cell))


def name_there(view: View, site: Site | None, pointer: Pointer) -> str:
    """Return the name of the topmost piece that is pointed at; empty if there is none."""
    if site is None:
        return named_at(view, pointer.square)
    place = place_at(view, ground_pointer(view, site, pointer.ground))
    return place.standing[0].name if place is not None and place.standing else ""


def _either(
    on_map: Callable[[View, Pointer], Pointer],
    on_ground: Callable[[View, GroundPointer], GroundPointer],
) -> Steer:
    def steer(view: View, site: Site | None, here: Pointer) -> Pointer:
        if site is None:
            return on_map(view, here)
        return here._replace(ground=on_ground(view, ground_pointer(view, site, here.ground)))

    return steer
