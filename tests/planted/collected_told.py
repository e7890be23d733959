"""All sides learn when another one collects at an asteroid, and with which ship."""

from collections.abc import Callable

from msgspec.structs import replace

from builders.plants import in_place_of
from sunglare_protocol.ids import audience_of
from sunglare_server.match.events.space import CargoCollected
from sunglare_server.match.facts.space import Grant
from sunglare_server.match.learn import movement
from sunglare_server.match.truth.truth import Truth


@in_place_of(movement, "of_collection")
def plant(
    real: Callable[[CargoCollected, Truth], list[Grant]], event: CargoCollected, before: Truth
) -> list[Grant]:
    (owner, omni) = real(event, before)
    return [*(replace(owner, audience=audience_of(side)) for side in before.sides), omni]
