"""The events of spotting, data scans, jammers and remote sensors; `space` lists them all."""

from typing import final

from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.words.dossiers import Dossier, Outcome
from sunglare_rules.blips.spotting import Method
from sunglare_server.match.events.base import EventBase
from sunglare_server.match.ids import PieceId


@final
class EcmSwitched(EventBase, frozen=True, tag="EcmSwitched"):
    """A jammer was switched on or off."""

    piece: PieceId
    on: bool


@final
class RemoteLaunched(EventBase, frozen=True, tag="RemoteLaunched"):
    """A ship launched a remote sensor, which its owner calls `own`."""

    piece: PieceId
    launcher: PieceId
    own: OwnId
    square: Square
    vector: Vector
    facing: Compass


@final
class PieceSpotted(EventBase, frozen=True, tag="PieceSpotted"):
    """A side identified a piece that it holds, in these ways."""

    piece: PieceId
    side: Side
    methods: tuple[Method, ...]


@final
class PieceProbed(EventBase, frozen=True, tag="PieceProbed"):
    """A ship asked for the data of another piece; `dossier` is what a full answer holds.

    `by_probe`: a probe was at work, which the target notices, and the pieces in `noticed` too.
    """

    piece: PieceId
    target: PieceId
    outcome: Outcome
    by_probe: bool
    dossier: Dossier | None
    noticed: tuple[PieceId, ...]


@final
class ShipHeated(EventBase, frozen=True, tag="ShipHeated"):
    """A ship is as hot as the weapons it fired in this ENGAGE make it."""

    piece: PieceId
    heat: int
