"""Scanners and their targets, for the tests of scans and tracks."""

from msgspec.structs import replace

from builders.truths import A1, DICE, A, B, only, ship
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Scan
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_server.match.dice import Dice
from sunglare_server.match.events.space import Event, ShipExamined
from sunglare_server.match.resolve.scanning import scan
from sunglare_server.match.truth.truth import ShipTruth, Truth

S1, S2 = OwnId("S1"), OwnId("S2")


def scanning(
    truth: Truth,
    kind: ScanType = ScanType.VISUAL,
    at: str | Square = "E5",
    size: ScanSize = ScanSize.BOX,
    sense: bool = False,
    dice: Dice = DICE,
) -> list[Event]:
    order = Scan(ship=S1, type=kind, size=size, at=at, sense=sense)
    return list(scan(truth, truth.ships[A1], order, dice))


SCANNER = replace(ship(A, at=(2, 2)), popped_out=True)
"""A frigate (rating 2) in the north-west: no scan to the south-east touches its sunglare."""


def target(number: int = 1, at: tuple[int, int] = (22, 22), **changes: object) -> ShipTruth:
    return replace(ship(B, number, at), **changes)


def examined(truth: Truth, kind: ScanType = ScanType.VISUAL) -> ShipExamined:
    [found] = only(scanning(truth, kind), ShipExamined)
    return found
