"""Every hidden name, number and key is unique, and none leaves before its reader was told it."""

from pathlib import Path

import msgspec
import pytest

from builders.plants import Plant
from builders.scenarios import scenarios
from canary.grants import CanaryError
from canary.plants import PLANTS
from canary.play import Game, add_game
from canary.world import canary_world, twin
from sunglare_server.match.data.scenario import Scenario

replace = msgspec.structs.replace

PLAYED = {"parade": 21, "stalk-3": 16, "hunt": 16, "garrison": 16, "siege": 16}
"""The scenarios, and how many windows of each are played in public."""

TOLD = {
    "parade": {"family", "variant", "ship"},
    "stalk-3": {"family", "ship"},
    "hunt": {"agent", "variant", "item"},
    "garrison": {"family"},
    "siege": {"family"},
}
"""The kinds of foreign words that somebody learns in these matches."""

FEW_WINDOWS = 12
"""So many windows show as many kinds of words in `parade`."""

TWIN_WINDOWS = 5
"""So many windows of a private match are played beside it."""


def scenario_named(name: str) -> Scenario:
    """Return a scenario in which the last side's roster is drawn out of two."""
    scenario = scenarios()[name]
    last = scenario.sides[-1]
    setup = scenario.data.sides[last]
    others = tuple(replace(ship, name=f"{ship.name}-2") for ship in setup.ships)
    aboard = [entry.aboard for entry in setup.ground] + [agent.aboard for agent in setup.agents]
    if any(aboard):
        return scenario
    drawn = replace(setup, ships=(), drawn=(setup.ships, others))
    sides = {**scenario.data.sides, last: drawn}
    return replace(scenario, data=replace(scenario.data, sides=sides))


async def played(folder: Path, name: str, windows: int, twin_windows: int) -> list[Game]:
    """Play a public match and a private twin of it, with ears at everything that leaves."""
    scenario = scenario_named(name)
    async with canary_world(folder, scenario, twin(scenario)) as world:
        second = await add_game(world, twin(scenario), private=True, scan_slots="sealed")
        first = await add_game(world, scenario, private=False, contact_values="yes")
        await second.play(twin_windows)
        await first.play(windows)
    return [first, second]


@pytest.mark.parametrize(("name", "windows"), [("parade", FEW_WINDOWS), *PLAYED.items()])
async def test_nothing_leaves_that_its_reader_has_not_been_told(
    tmp_path: Path, name: str, windows: int
) -> None:
    games = await played(tmp_path, name, windows, TWIN_WINDOWS)
    kinds = {kind for game in games for kind in game.grants.foreign}
    heard = {
        subscriber.name for game in games for subscriber in game.ears.values() if subscriber.heard
    }
    # Else nothing foreign was ever learned, or somebody never listened, and all this shows little.
    assert kinds >= TOLD[name]
    assert len(heard) == sum(len(game.scenario.sides) + 2 for game in games)


@pytest.mark.parametrize(("plant", "name", "cry"), PLANTS.values(), ids=PLANTS)
async def test_a_planted_fault_is_heard(
    tmp_path: Path, plant: Plant, name: str, cry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(CanaryError, match=cry):
        await played(tmp_path, name, 10, 0)
