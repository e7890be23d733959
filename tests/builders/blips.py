"""Ships with abilities and who holds them, for the tests of spotting, probes and launches."""

from msgspec.structs import replace

from builders.spotting import specials
from builders.truths import BUOY, FRIGATE, holding, ship
from sunglare_protocol.geometry import Square, Vector
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.events.blips import PieceSpotted
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.resolve.spotting import spottings
from sunglare_server.match.truth.truth import ShipTruth, Truth

DRONE = replace(BUOY, name="drone", specials=specials("DRO"))


def able(side: Side, at: tuple[int, int], words: str = "", number: int = 1) -> ShipTruth:
    """Return a frigate with these abilities; with RSD it has two dispensers."""
    kind = replace(
        FRIGATE,
        name="lancer",
        family="frigate",
        specials=specials(words),
        dispensers=2 if "RSD" in words else 0,
    )
    return ship(side, number, at, kind)


def remote(
    side: Side, at: tuple[int, int], launcher: ShipTruth | None = None, *, drone: bool = False
) -> ShipTruth:
    """Return a remote sensor, drifting one square eastward."""
    return replace(
        ship(side, 1, at, DRONE if drone else BUOY),
        id=piece_id(side, OwnId("R1")),
        own=OwnId("R1"),
        vector=Vector(1, 0),
        launcher=None if launcher is None else launcher.id,
    )


def held(truth: Truth, side: Side, piece: PieceId, fix: Fix = Fix.CONTACT) -> Truth:
    """Return the truth in which `side` holds a blip."""
    return holding(truth, side, piece, fix)


def known(truth: Truth, side: Side, piece: PieceId, fix: Fix = Fix.CONTACT) -> Truth:
    """Return the truth in which `side` holds an identified piece."""
    truth = holding(truth, side, piece, fix)
    hold = replace(truth.holds[side][piece], identified=True)
    return replace(truth, holds={**truth.holds, side: {**truth.holds[side], piece: hold}})


def spots(truth: Truth, *, sensors_work: bool = True) -> list[tuple[str, str]]:
    """Return who identifies what, with the ways, as in `("A", "B/S1 visual sensor")`."""
    return [(event.side, _said(event)) for event in spottings(truth, sensors_work=sensors_work)]


def _said(event: PieceSpotted) -> str:
    return " ".join((event.piece, *(method.value for method in event.methods)))


def at_square(ship: ShipTruth, x: int, y: int) -> ShipTruth:
    """Return the ship on another square."""
    return replace(ship, square=Square(x, y))
