"""The runners behind the handles of matches, which the product keeps private to its runtime."""

from sunglare_protocol.ids import MatchId
from sunglare_server.ports.rooms import Room
from sunglare_server.runtime.registry import Matches
from sunglare_server.runtime.runner import Runner


def runners_of(matches: Matches) -> dict[MatchId, Runner]:
    """Return the runners of the matches that are in memory, which is the registry's own table."""
    return matches._runners  # noqa: SLF001 - tests look behind the handles


async def loaded_runner(matches: Matches, room: Room) -> Runner | None:
    """Return the runner of a match, loaded if it is not in memory, as its handle is."""
    return await matches._runner_of(room)  # noqa: SLF001 - tests look behind the handles
