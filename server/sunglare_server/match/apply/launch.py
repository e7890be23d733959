"""Applies a launch to the truth: a volley, a flight of fighters, or a remote sensor more."""

import msgspec

from sunglare_server.match.apply.changing import with_ship
from sunglare_server.match.data.scenario import CrewData
from sunglare_server.match.events.blips import RemoteLaunched
from sunglare_server.match.events.space import FighterLaunched, VolleyLaunched
from sunglare_server.match.truth.ordnance import FIGHTER, VOLLEY
from sunglare_server.match.truth.truth import ShipTruth, Truth, Volley

_replace = msgspec.structs.replace


def launched(truth: Truth, event: VolleyLaunched | FighterLaunched | RemoteLaunched) -> Truth:
    """Return the truth with the piece that was launched."""
    if isinstance(event, RemoteLaunched):
        return with_ship(truth, _remote(truth, event))
    return _ordnance(truth, event)


def _ordnance(truth: Truth, event: VolleyLaunched | FighterLaunched) -> Truth:
    launcher = truth.ships[event.launcher]
    is_volley = isinstance(event, VolleyLaunched)
    piece = ShipTruth(
        id=event.piece,
        side=launcher.side,
        own=event.own,
        name="",
        type=VOLLEY if is_volley else FIGHTER,
        crew=CrewData(),
        square=event.square,
        vector=event.vector,
        facing=event.facing,
    )
    if isinstance(event, VolleyLaunched):
        volley = Volley(missiles=event.missiles, aim=event.aim, cold=event.cold)
        return with_ship(truth, _replace(piece, volley=volley))
    left = _replace(launcher, launched=launcher.launched + 1)
    return with_ship(with_ship(truth, left), piece)


def _remote(truth: Truth, event: RemoteLaunched) -> ShipTruth:
    launcher = truth.ships[event.launcher]
    kind = launcher.type.remote
    if kind is None:
        raise ValueError(f"{launcher.type.name} has no remote sensors")
    return ShipTruth(
        id=event.piece,
        side=launcher.side,
        own=event.own,
        name=kind.name,
        type=kind,
        crew=CrewData(),
        square=event.square,
        vector=event.vector,
        facing=event.facing,
        launcher=launcher.id,
    )
