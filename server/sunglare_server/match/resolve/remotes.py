"""Remote sensors in space: their launch, and their end when an enemy is next to them.

Source: Alpha Strike, "Remote Sensor Spotting"; blips of our rule book §2.3, capital §3, "Drones".
"""

from collections.abc import Iterator

from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.orders import Launch, PlotOrder
from sunglare_protocol.words.armament import Launchable
from sunglare_server.match.events.blips import (
    RemoteLaunched,
)
from sunglare_server.match.events.space import (
    ShipDestroyed,
)
from sunglare_server.match.ids import piece_id
from sunglare_server.match.resolve.movement import Plots
from sunglare_server.match.resolve.spotting import HELD_WELL
from sunglare_server.match.truth.truth import ShipTruth, Truth

REMOTE_PREFIX = "R"
"""The names of a side's remote sensors are this and a number."""


def launches(truth: Truth, plots: Plots) -> Iterator[RemoteLaunched]:
    """Yield the remote sensors launched, each where its ship's move has ended.

    A ship that is gone or on a body by then launches nothing.
    """
    for side in truth.sides:
        ships = truth.ships_of(side)
        launched = [
            ship for ship in ships if ship.id in plots for _ in _launched(ship, plots[ship.id])
        ]
        count = sum([ship.is_remote for ship in ships]) if launched else 0
        for number, ship in enumerate(launched, count + 1):
            yield _launch(ship, OwnId(f"{REMOTE_PREFIX}{number}"))


def contacts(truth: Truth) -> Iterator[ShipDestroyed]:
    """Yield the remote sensors that end the turn next to an enemy who holds them."""
    remotes = [ship for ship in truth.in_play() if ship.is_remote]
    touched = _touched(truth) if remotes else {}
    for remote in remotes:
        near = touched.get(remote.square, ())
        beside = [side for side in truth.holders(remote.id, *HELD_WELL) if side in near]
        if beside:
            yield ShipDestroyed(piece=remote.id, cause="contact", killers=tuple(beside))


def _launched(ship: ShipTruth, orders: tuple[PlotOrder, ...]) -> list[Launch]:
    if not ship.in_play or ship.landing is not None or not ship.powered:
        return []
    if ship.type.remote is None or ship.cloaked:
        return []
    return [
        order for order in orders if isinstance(order, Launch) and order.what is Launchable.REMOTE
    ]


def _launch(ship: ShipTruth, own: OwnId) -> RemoteLaunched:
    return RemoteLaunched(
        piece=piece_id(ship.side, own),
        launcher=ship.id,
        own=own,
        square=ship.square,
        vector=ship.vector,
        facing=ship.facing,
    )


def _touched(truth: Truth) -> dict[Square, list[Side]]:
    """Return the squares with whose drifting pieces each side is in contact."""
    found: dict[Square, list[Side]] = {}
    for ship in truth.in_play():
        # OWN: what stands on a body does not touch what drifts above it, nor do missiles or
        # what is cloaked.
        is_there = ship.landing is None and ship.volley is None
        if is_there and not ship.is_remote and not ship.cloaked:
            found.setdefault(ship.square, []).append(ship.side)
    return found
