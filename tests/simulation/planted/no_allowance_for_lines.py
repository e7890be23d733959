"""After a restart a line that has not come back counts as down at once."""

from builders.plants import in_place_of
from sunglare_server.runtime.seat_connections import SeatConnections


@in_place_of(SeatConnections, "hold_until")
def plant(_real: object, self: SeatConnections, at_ms: int) -> None:
    del self, at_ms
