"""The operator's row of a match says that it is fierce once a ship is damaged."""

from msgspec.structs import replace

from builders.plants import Real, in_place_of
from builders.runners import runners_of
from sunglare_server.ops.control import overview
from sunglare_server.ops.control.answers import MatchRow
from sunglare_server.ops.control.overview import Installation
from sunglare_server.ports.rooms import Room


@in_place_of(overview, "_row")
def plant(real: Real[MatchRow], site: Installation, room: Room, names: dict[str, str]) -> MatchRow:
    made, runner = real(site, room, names), runners_of(site.lobby.matches).get(room.match)
    if runner is None or not any(ship.damage for ship in runner.state.truth.ships.values()):
        return made
    return replace(made, why="fierce")
