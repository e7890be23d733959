"""The scenario orlog: who starts where, and that all it is about happens in matches of it."""

from collections import Counter

from builders.botmatches import fought
from builders.played import Rig
from builders.scenarios import scenarios
from sunglare_protocol.geometry import Planet
from sunglare_protocol.ids import Side
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.capital.capital import CLASS_OF_ARM, CLASS_OF_KIND
from sunglare_server.match.data.scenario import SideSetup
from sunglare_server.match.events.agents import FightFought, MissionTried, SearchTried
from sunglare_server.match.events.capital import PointStruck

A, B = Side("A"), Side("B")
SCENARIO = scenarios()["orlog"]


def kinds(setup: SideSetup) -> set[WeaponKind]:
    """Return the kinds of weapons that the ships of a side have."""
    classes = (SCENARIO.classes[ship.type] for ship in setup.ships)
    return {weapon.kind for kind in classes for weapon in kind.weapons}


def test_orlog_has_agents_and_garrisons_on_three_environs_a_courier_shuttles_and_heavy_guns() -> (
    None
):
    landers, garrison = (SCENARIO.data.sides[side] for side in (A, B))
    [planet] = SCENARIO.data.planets
    assert isinstance(planet, Planet)
    assert [environs.number for environs in planet.environs] == [1, 2, 3]
    sites = {entry.at.environs for entry in garrison.ground if entry.at is not None}
    assert sites == {1, 2, 3}
    free = [agent for agent in landers.agents if agent.captor is None]
    assert {agent.aboard for agent in free} == {None, "Anvil", "Bellows"}
    ours = {ship.name: SCENARIO.classes[ship.type] for ship in landers.ships}
    assert ours["Anvil"].shuttle
    assert ours["Bellows"].agent_spaceship
    assert kinds(landers) & set(CLASS_OF_KIND)
    assert kinds(garrison) & set(CLASS_OF_KIND)
    arms = {arm.kind for entry in garrison.ground for arm in SCENARIO.ground[entry.type].weapons}
    assert arms & set(CLASS_OF_ARM)
    assert {objective.kind for objective in landers.objectives} >= {ObjectiveKind.DELIVER}


def test_agents_land_are_searched_for_and_the_ground_is_bombarded_in_orlog() -> None:
    happened: Counter[type] = Counter()
    given: Counter[str] = Counter()

    def watch(_window: object, match: Rig) -> None:
        if match.last is not None:
            happened.update(type(event) for event in match.last.events)

    for seed in range(3):
        _, orders = fought("orlog", seed, "raider", "random", watch=watch)
        for (_, word), count in orders.items():
            given[word] += count
    wanted = {"Walk", "StepOut", "GoAboard", "Land", "Mission", "Search", "Bombard", "Stand"}
    assert wanted <= set(given)
    for kind in (SearchTried, FightFought, MissionTried, PointStruck):
        assert happened[kind] > 0, kind
