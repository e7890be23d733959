"""Flying ships and their moves, for the tests of movement."""

from msgspec.structs import replace

from builders.truths import A1, B1, EMPTY, A, B, applied, ship, truth_of
from sunglare_protocol.geometry import Board, Compass, Landing, Vector
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import PlotOrder
from sunglare_server.match.events.space import Event, ShipMoved
from sunglare_server.match.resolve.movement import movements
from sunglare_server.match.truth.truth import ShipTruth

S1, S2 = OwnId("S1"), OwnId("S2")
GROUNDED = Landing(body="Ceres", sector=Compass.SW, environs=2)
ON_ROCK = Landing(body="Rock", sector=Compass.E)


def flying(at: tuple[int, int], vector: tuple[int, int] = (0, 0)) -> ShipTruth:
    return replace(ship(A, at=at), vector=Vector(*vector))


def moves(one: ShipTruth, *orders: PlotOrder, board: Board = EMPTY) -> list[Event]:
    truth = truth_of(one, ship(B, at=(0, 0)), board=board)
    return [
        event
        for event in movements(truth, {A1: orders})
        if not (isinstance(event, ShipMoved) and event.piece == B1)
    ]


def after(one: ShipTruth, *orders: PlotOrder, board: Board = EMPTY) -> ShipTruth:
    truth = truth_of(one, ship(B, at=(0, 0)), board=board)
    return applied(truth, list(movements(truth, {A1: orders}))).ships[A1]
