"""What is learned in one run comes in the order in which the server keeps the pieces."""

import pytest

from sunglare_server.match.absorb import perceived as perception
from sunglare_server.match.dice import Dice
from sunglare_server.match.facts.space import Fact
from sunglare_server.match.intel.space import Intel


def _as_it_came(_intel: Intel, learned: list[Fact], _dice: Dice) -> list[Fact]:
    return sorted(learned, key=lambda fact: perception._RANK[type(fact)])


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(perception, "_in_order", _as_it_came)
