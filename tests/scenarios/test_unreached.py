"""What no shipped scenario can bring about: a list with reasons, which may only become shorter."""

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from sunglare_arena.series import shipped
from sunglare_protocol.geometry import Environs
from sunglare_protocol.surface import Arm, GroundKind, Mode, Pressure, Quality, Weather
from sunglare_protocol.word import Word
from sunglare_protocol.words.pieces import BaseSize, Relation, TurretKind
from sunglare_protocol.words.scans import Drive
from sunglare_protocol.words.specials import Special
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.ground.terrain import LETTERS
from sunglare_server.match.data.ground_classes import GroundClass
from sunglare_server.match.data.scenario import ShipClass

HERE = Path(__file__).parent
DATA = HERE.parents[1] / "server" / "sunglare_server" / "data"
LIST = HERE / "unreached.toml"

LISTED_MOST = 12
"""So many entries there were at first: lower it with each that goes."""

PLANETS = 2
REASON_LEAST = 15
NO_FILE = "no file: "


@cache
def listed() -> dict[str, dict[str, str]]:
    return tomllib.loads(LIST.read_text(encoding="utf-8"))


@cache
def table(name: str) -> dict[str, dict[str, list[dict[str, str]]]]:
    return tomllib.loads((DATA / name).read_text(encoding="utf-8"))


def ships() -> list[ShipClass]:
    used = [kind for scenario in shipped().values() for kind in scenario.classes.values()]
    return [*used, *(kind.remote for kind in used if kind.remote is not None)]


def troops() -> list[GroundClass]:
    used = [kind for scenario in shipped().values() for kind in scenario.ground.values()]
    return [*used, *(kind.remote for kind in used if kind.remote is not None)]


def maps() -> list[Environs]:
    planets = [planet for one in shipped().values() for planet in one.data.planets]
    return [environs for planet in planets for environs in planet.environs]


def words(kind: type[Word], seen: Iterable[object]) -> set[str]:
    """Return the words of a list that nothing has."""
    found = list(seen)
    return {str(word.value) for word in kind if word not in found}


def unreached() -> dict[str, set[str]]:
    """Return what no shipped scenario has, by what it is."""
    used, ground = ships(), troops()
    guns = {
        mount["weapon"]
        for kind in used
        for mount in table("ships.toml")[kind.name].get("weapons", [])
    }
    goals = (
        goal.kind
        for scenario in shipped().values()
        for side in scenario.data.sides.values()
        for goal in side.objectives
    )
    # What is about several planets is about characters who leave one for another.
    peopled = [
        scenario.data
        for scenario in shipped().values()
        if any(side.agents for side in scenario.data.sides.values())
    ]
    most = max(len(data.planets) for data in peopled)
    needs = [Relation.NONE, *(gun.needs for kind in used for gun in kind.weapons)]
    abilities = [special for ship in used for special in ship.specials]
    abilities += [special for unit in ground for special in unit.specials]
    letters = {letter for environs in maps() for row in environs.terrain for letter in row}
    return {
        "ship class": table("ships.toml").keys() - {kind.name for kind in used},
        "ground class": table("ground.toml").keys() - {kind.name for kind in ground},
        "weapon": table("weapons.toml").keys() - guns,
        "special": words(Special, abilities),
        "base size": words(BaseSize, (kind.size for kind in used)),
        "drive": words(Drive, (kind.drive for kind in used)),
        "turret": words(TurretKind, (t.kind for kind in used for t in kind.turrets)),
        "relation": words(Relation, needs),
        "objective": words(ObjectiveKind, goals),
        "ground kind": words(GroundKind, (kind.kind for kind in ground)),
        "mode": words(Mode, (kind.mode for kind in ground)),
        "quality": words(Quality, (kind.quality for kind in ground)),
        "arm": words(Arm, (gun.kind for kind in ground for gun in kind.weapons)),
        "weather": words(Weather, (environs.weather for environs in maps())),
        "pressure": words(Pressure, (environs.pressure for environs in maps())),
        "terrain": LETTERS.keys() - letters,
        "lit maps": set() if any(environs.lit for environs in maps()) else {"lit"},
        "planets at once": set() if most >= PLANETS else {str(PLANETS)},
    }


@pytest.mark.parametrize("kind", unreached())
def test_what_no_scenario_has_is_what_is_listed(kind: str) -> None:
    assert sorted(listed().get(kind, {})) == sorted(unreached()[kind])


def test_the_list_knows_no_other_kinds() -> None:
    assert listed().keys() - {"rules"} <= unreached().keys()


def test_the_list_becomes_no_longer_and_every_entry_has_its_reason() -> None:
    reasons = [
        reason for kind, names in listed().items() for reason in names.values() if kind != "rules"
    ]
    assert len(reasons) + len(listed()["rules"]) <= LISTED_MOST
    assert all(len(reason) >= REASON_LEAST for reason in reasons)


@pytest.mark.parametrize(("rule", "needs"), listed()["rules"].items())
def test_a_rule_that_no_scenario_reaches_is_one_and_lacks_what_no_scenario_has(
    rule: str, needs: str
) -> None:
    index = tomllib.loads((HERE.parent / "rules_index.toml").read_text(encoding="utf-8"))
    known = {entry["id"] for section in index["section"] for entry in section["rules"]}
    assert rule in known
    if not needs.startswith(NO_FILE):
        kind, _, name = needs.partition(": ")
        assert name in unreached()[kind]
