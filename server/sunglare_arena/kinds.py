"""The kinds of orders a scenario has a use for."""

from collections.abc import Callable
from typing import get_args

from sunglare_arena.player import SENSE, tag_of
from sunglare_protocol.orders import Order
from sunglare_protocol.words.armament import WeaponKind
from sunglare_rules.capital.capital import CLASS_OF_ARM, CLASS_OF_KIND, MISSILES
from sunglare_server.match.data.ground_classes import GroundClass
from sunglare_server.match.data.scenario import Scenario, ShipClass


def offered(scenario: Scenario) -> tuple[str, ...]:
    """Return the names of the kinds of orders that can be given in the scenario, SENSE too."""
    tags = (tag_of(kind) for kind in get_args(Order))
    named = (tag for tag in tags if NEEDS.get(tag, _nothing)(scenario))
    return tuple(sorted((*named, SENSE)))


def _nothing(_: Scenario) -> bool:
    return True


def _places_freely(scenario: Scenario) -> bool:
    return not scenario.data.fixed


def _has_a_turret(scenario: Scenario) -> bool:
    return any(kind.turrets for kind in _classes(scenario))


def _has_ground(scenario: Scenario) -> bool:
    board = scenario.board
    return bool(board.asteroids) or any(planet.environs for planet in board.planets)


def _launches(scenario: Scenario) -> bool:
    carried = any(kind.flights or kind.dispensers for kind in _classes(scenario))
    sown = any(kind.dispensers for kind in _units(scenario))
    return _launches_missiles(scenario) or carried or sown


def _launches_missiles(scenario: Scenario) -> bool:
    weapons = (weapon for kind in _classes(scenario) for weapon in kind.weapons)
    return any(weapon.kind is WeaponKind.SALVO for weapon in weapons)


def _defends(scenario: Scenario) -> bool:
    return any(kind.point_defence for kind in _classes(scenario))


def _bombards(scenario: Scenario) -> bool:
    if not any(planet.environs for planet in scenario.board.planets):
        return False
    guns = (weapon for kind in _classes(scenario) for weapon in kind.weapons)
    arms = (weapon for unit in _units(scenario) for weapon in unit.weapons)
    return any(gun.kind in CLASS_OF_KIND for gun in guns) or any(
        CLASS_OF_ARM.get(arm.kind) in MISSILES for arm in arms
    )


def _has_ground_units(scenario: Scenario) -> bool:
    return any(setup.ground for setup in scenario.data.sides.values())


def _has_agents(scenario: Scenario) -> bool:
    return any(setup.agents for setup in scenario.data.sides.values())


def _has_cloaks(scenario: Scenario) -> bool:
    return any(kind.cloak for kind in _classes(scenario))


def _units(scenario: Scenario) -> tuple[GroundClass, ...]:
    """Return the classes of the ground units, one for each."""
    setups = scenario.data.sides.values()
    return tuple(scenario.ground[entry.type] for setup in setups for entry in setup.ground)


def _classes(scenario: Scenario) -> tuple[ShipClass, ...]:
    """Return the classes that may stand in a roster."""
    setups = scenario.data.sides.values()
    rosters = (roster for setup in setups for roster in setup.rosters)
    names = sorted({entry.type for roster in rosters for entry in roster})
    return tuple(scenario.classes[name] for name in names)


NEEDS: dict[str, Callable[[Scenario], bool]] = {
    "deploy": _places_freely,
    "rotate": _has_a_turret,
    "land": _has_ground,
    "lift": _has_ground,
    "launch": _launches,
    "aim": _launches_missiles,
    "bombard": _bombards,
    "defend": _defends,
    "cloak": _has_cloaks,
    "hold": _has_cloaks,
    "listen": _has_cloaks,
    "sweep": _has_cloaks,
    "station": _has_ground_units,
    "move": _has_ground_units,
    **dict.fromkeys(("walk", "board", "leave", "mission", "stand", "search"), _has_agents),
}
"""What a kind needs in a scenario; whatever is not named here is always offered."""
