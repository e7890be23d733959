"""What is learned in one run comes in the order in which the server keeps the pieces."""

from builders.plants import in_place_of
from sunglare_server.match.absorb import perceived as perception
from sunglare_server.match.dice import Dice
from sunglare_server.match.facts.space import Fact
from sunglare_server.match.intel.space import Intel


@in_place_of(perception, "_in_order")
def plant(
    _real: object, _intel: Intel, _kind: type[Fact], of_a_kind: list[Fact], _dice: Dice
) -> list[Fact]:
    return of_a_kind
