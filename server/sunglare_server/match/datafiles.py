"""The reading of data files: TOML to weapons, classes and scenarios, with precise errors.

A player can write these files: a fault names the file, the key and what would be right.
"""

import enum
from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec

from sunglare_protocol.armament import WeaponKind
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.geometry import (
    Asteroid,
    Compass,
    Environs,
    Planet,
    PlanetSize,
)
from sunglare_protocol.ids import SIDES, Side
from sunglare_protocol.pieces import Arc, BaseSize, PieceKind, Relation, TurretKind
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.scanwords import Drive
from sunglare_protocol.surface import Arm, GroundKind, Mode, Pressure, Quality, Weather
from sunglare_protocol.text import BRIEF_MOST, NAME_MOST, TITLE_MOST, clean
from sunglare_rules.arcs import turret_positions, turret_start
from sunglare_rules.sectors import in_body
from sunglare_rules.weapons import has_arc
from sunglare_server.match.abilities import AbilityError, equipped
from sunglare_server.match.class_checks import shading_faults
from sunglare_server.match.ground_checks import Fault, goal_faults, surface_faults
from sunglare_server.match.ground_classes import GroundClass, GroundData
from sunglare_server.match.options import chosen
from sunglare_server.match.scenario import (
    Mount,
    Scenario,
    ScenarioData,
    ShipClass,
    ShipData,
    ShipEntry,
    SideSetup,
    TurretData,
    Weapon,
    WeaponType,
)
from sunglare_server.match.weapon_checks import weapon_faults
from sunglare_server.match.zone_checks import zone_faults

_EDGES = (Compass.N, Compass.E, Compass.S, Compass.W)
_WORDS: dict[str, type[enum.Enum]] = {
    "drive": Drive,
    "arc": Arc,
    "arcs": Arc,
    "facing": Compass,
    "sector": Compass,
    "mode": Mode,
    "quality": Quality,
    "pressure": Pressure,
    "weather": Weather,
}
"""The words that fields of this name take, wherever they stand."""

_SYSTEMS = ("drive", "sensors", "screens", "cloak", "ecm", "probe", "point_defence")
"""Names of systems, which no weapon may have."""

_KIND_OF: dict[type, type[enum.Enum]] = {
    WeaponType: WeaponKind,
    ShipData: PieceKind,
    GroundData: GroundKind,
}
_Kind = TypeVar("_Kind", bound=msgspec.Struct)


class DataError(SunglareError):
    """A data file is wrong: `file`, `key` and `why`, which says what would be right."""

    def __init__(self, file: str, key: str, why: str) -> None:
        """Keep the three facts."""
        super().__init__(file, key, why)
        self.file, self.key, self.why = file, key, why

    def __str__(self) -> str:
        """Return one sentence that names file and key."""
        return f"{self.file}: {self.key}: {self.why}"


def read_weapons(text: str, file: str) -> dict[str, WeaponType]:
    """Return the weapon types of a weapons file; raise `DataError`."""
    found = read_data(text, WeaponType, file)
    for name, weapon in found.items():
        _check_faults(weapon_faults(name, weapon), file)
    return found


def _check_kind(name: str, data: ShipData, file: str, kinds: list[WeaponKind]) -> None:
    if data.kind is PieceKind.MISSILE:
        raise DataError(file, f"{name}.kind", "a volley is no class: a launcher makes it")
    if (WeaponKind.FIGHTER in kinds) != (data.kind is PieceKind.FIGHTER):
        raise DataError(file, f"{name}.weapons", "fighters, and only they, have a fighter weapon")


def read_classes(
    text: str, file: str, weapons: dict[str, WeaponType], known: dict[str, ShipClass] | None = None
) -> dict[str, ShipClass]:
    """Return the ship classes of a file, which may launch those `known`; raise `DataError`."""
    _check_faults(shading_faults(_parsed(text, file)), file)
    found = read_data(text, ShipData, file)
    classes = {name: _ship_class(name, data, file, weapons) for name, data in found.items()}
    try:
        return equipped(classes, found, known or {})
    except AbilityError as wrong:
        raise DataError(file, *wrong.args) from None


def read_scenario(
    text: str,
    name: str,
    file: str,
    classes: dict[str, ShipClass],
    ground: dict[str, GroundClass] | None = None,
) -> Scenario:
    """Return the scenario of a file, checked against the classes there are; raise `DataError`.

    `ground` are the classes of ground units; without any a scenario has none.
    """
    units = ground or {}
    data = _scenario_data(_parsed(text, file), file)
    _check_texts(data, file)
    _check_sides(data, file, classes)
    used = [entry.type for _, _, entry in _entries(data)]
    _check_faults(surface_faults(data, units), file)
    used_units = [entry.type for setup in data.sides.values() for entry in setup.ground]
    scenario = Scenario(
        name=name,
        data=data,
        classes={each: classes[each] for each in sorted(dict.fromkeys(used))},
        ground={each: units[each] for each in sorted(dict.fromkeys(used_units))},
    )
    _check_board(scenario, file)
    _check_faults(zone_faults(scenario), file)
    _check_options(data, file)
    return scenario


def read_data(text: str, kind: type[_Kind], file: str) -> dict[str, _Kind]:
    """Return the tables of a data file, each a value of this kind by its name."""
    raw = _parsed(text, file)
    return {_name(name, file): _value(each, kind, file, name) for name, each in raw.items()}


def _check_faults(faults: Iterable[Fault], file: str) -> None:
    for key, why in faults:
        raise DataError(file, key, why)


def _parsed(text: str, file: str) -> dict[str, object]:
    try:
        found: dict[str, object] = msgspec.toml.decode(text)
    except (msgspec.DecodeError, ValueError) as fault:
        raise DataError(file, "(syntax)", str(fault)) from None
    except RecursionError:
        raise DataError(file, "(syntax)", "the values are nested too deep") from None
    return found


def _scenario_data(raw: dict[str, object], file: str) -> ScenarioData:
    """Return the scenario of parsed TOML; side by side, so that a fault names its side."""
    sides = raw.get("sides", {})
    if not isinstance(sides, dict):
        raise DataError(file, "sides", "tables sides.A, sides.B and so on")
    setups = {
        Side(side): _value(each, SideSetup, file, f"sides.{side}") for side, each in sides.items()
    }
    _check_bodies_keys(raw, file)
    data = _value({**raw, "sides": {}}, ScenarioData, file, "")
    return msgspec.structs.replace(data, sides=setups)


def _check_bodies_keys(raw: dict[str, object], file: str) -> None:
    """Refuse unknown keys of bodies, whose structures also go over the wire and so allow them."""
    for kind, body in (("planets", Planet), ("asteroids", Asteroid)):
        for key, table in _tables(raw.get(kind), kind):
            _check_keys(table, body, file, key)
            for place_key, place in _tables(table.get("environs"), f"{key}.environs"):
                _check_keys(place, Environs, file, place_key)


def _tables(raw: object, key: str) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield the tables of an array with their keys; what is none is found later."""
    for index, each in enumerate(raw if isinstance(raw, list) else []):
        if isinstance(each, dict):
            yield f"{key}[{index}]", each


def _check_keys(table: dict[str, object], kind: type[msgspec.Struct], file: str, key: str) -> None:
    for name in table:
        if name not in kind.__struct_fields__:
            raise _choice(file, f"{key}.{name}", name, kind.__struct_fields__)


def _value(raw: object, kind: type[_Kind], file: str, key: str) -> _Kind:
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as fault:
        why, _, at = str(fault).rpartition(" - at `$")
        path = f"{key}{at.rstrip('`')}".lstrip(".") or "(top)"
        raise DataError(file, path, _with_choices(why or str(fault), path, kind)) from None


def _with_choices(why: str, path: str, kind: type[msgspec.Struct]) -> str:
    if "enum value" not in why:
        return why
    field = path.rpartition(".")[2].partition("[")[0]
    words = _words(field, path, kind)
    return f"{why}; right are {', '.join(words)}" if words else why


def _words(field: str, path: str, kind: type[msgspec.Struct]) -> list[str]:
    """Return the words that `field` takes in the structure that `path` leads to."""
    words = _WORDS.get(field)
    if field == "kind":
        words = TurretKind if ".turrets[" in path else _KIND_OF.get(kind)
        words = Arm if ".weapons[" in path and kind is GroundData else words
    elif field == "size":
        words = BaseSize if kind is ShipData else PlanetSize
    elif field == "edge":
        return [edge.value for edge in _EDGES]
    return [] if words is None else [str(word.value) for word in words]


def _name(name: str, file: str) -> str:
    if clean(name, NAME_MOST) != name:
        raise DataError(file, repr(name), f"a name is plain text of 1 to {NAME_MOST} characters")
    return name


def _choice(file: str, key: str, wrong: str, right: Iterable[str]) -> DataError:
    return DataError(file, key, f"{wrong!r} is not known here; known are {', '.join(right)}")


def _ship_class(name: str, data: ShipData, file: str, weapons: dict[str, WeaponType]) -> ShipClass:
    turrets = tuple(_turret(name, index, data, file) for index in range(len(data.turrets)))
    fitted = tuple(_weapon(name, index, data, file, weapons) for index in range(len(data.weapons)))
    _check_kind(name, data, file, [each.kind for each in fitted])
    return ShipClass(
        name=name,
        size=data.size,
        hull=data.hull,
        thrust=data.thrust,
        points=data.points,
        kind=data.kind,
        drive=data.drive,
        sensors=data.sensors,
        screens=data.screens,
        point_defence=data.point_defence,
        flights=data.flights,
        cloak=data.cloak,
        weapons=fitted,
        turrets=turrets,
        bays=data.bays,
        shuttle=data.shuttle,
        character_spaceship=data.character_spaceship,
    )


def _turret(name: str, index: int, data: ShipData, file: str) -> TurretData:
    turret = data.turrets[index]
    _check_id(turret.id, [each.id for each in data.turrets], file, f"{name}.turrets[{index}].id")
    arcs = turret.arcs or turret_start(turret.kind)
    if arcs not in turret_positions(turret.kind):
        right = " or ".join(
            "+".join(a.value for a in each) for each in turret_positions(turret.kind)
        )
        raise DataError(file, f"{name}.turrets[{index}].arcs", f"a turret points at {right}")
    return msgspec.structs.replace(turret, arcs=arcs)


def _weapon(
    name: str, index: int, data: ShipData, file: str, weapons: dict[str, WeaponType]
) -> Weapon:
    mount, key = data.weapons[index], f"{name}.weapons[{index}]"
    if mount.weapon not in weapons:
        raise _choice(file, f"{key}.weapon", mount.weapon, weapons)
    _check_id(mount.id, [each.id for each in data.weapons], file, f"{key}.id")
    _check_mount(mount, weapons[mount.weapon].kind, file, key)
    turrets = [turret.id for turret in data.turrets]
    if mount.turret is not None and mount.turret not in turrets:
        raise _choice(file, f"{key}.turret", mount.turret, turrets)
    kind = weapons[mount.weapon]
    needs = Relation(mount.needs) if mount.needs else None
    return Weapon(
        id=mount.id,
        kind=kind.kind,
        rank=kind.rank,
        arc=mount.arc,
        turret=mount.turret,
        needs=needs,
        damage=kind.damages if any(kind.damages) else None,
    )


def _check_mount(mount: Mount, kind: WeaponKind, file: str, key: str) -> None:
    aims = [each for each in (mount.arc, mount.turret) if each is not None]
    if not has_arc(kind) and aims:
        raise DataError(file, key, f"a {kind.value} has neither arc nor turret: it needs none")
    if has_arc(kind) and len(aims) != 1:
        raise DataError(file, key, "a weapon has either an arc or a turret")


def _check_id(name: str, used: list[str], file: str, key: str) -> None:
    if used.count(name) > 1:
        raise DataError(file, key, f"{name!r} is used twice in this class")
    if name in _SYSTEMS or clean(name, NAME_MOST) != name:
        why = f"plain text of 1 to {NAME_MOST} characters, and none of {', '.join(_SYSTEMS)}"
        raise DataError(file, key, why)


def _entries(data: ScenarioData) -> Iterator[tuple[Side, str, ShipEntry]]:
    """Yield every roster entry with its side and its key in the file."""
    for side, setup in sorted(data.sides.items()):
        for number, roster in enumerate(setup.rosters):
            prefix = f"sides.{side}.drawn[{number}]" if setup.drawn else f"sides.{side}.ships"
            for index, entry in enumerate(roster):
                yield side, f"{prefix}[{index}]", entry


def _check_texts(data: ScenarioData, file: str) -> None:
    texts = [("title", data.title, TITLE_MOST)]
    texts += [("brief", data.brief, BRIEF_MOST)] if data.brief else []
    texts += [(f"{key}.name", entry.name, NAME_MOST) for _, key, entry in _entries(data)]
    texts += [
        (f"{kind}[{index}].name", body.name, NAME_MOST)
        for kind, bodies in data.bodies
        for index, body in enumerate(bodies)
    ]
    for key, text, most in texts:
        if clean(text, most) != text:
            raise DataError(file, key, f"plain text in NFC of 1 to {most} characters is right")


def _check_sides(data: ScenarioData, file: str, classes: dict[str, ShipClass]) -> None:
    if tuple(sorted(data.sides)) not in (SIDES[:2], SIDES[:3], SIDES[:4]):
        raise DataError(file, "sides", "two to four sides, named A, B, C, D in this order")
    for side, setup in data.sides.items():
        if not all(setup.rosters):
            raise DataError(file, f"sides.{side}", "a side has at least one ship")
        if setup.drawn and setup.ships:
            raise DataError(file, f"sides.{side}", "a side has either ships or drawn rosters")
        _check_objectives(data, side, file)
    for _, key, entry in _entries(data):
        ships = [name for name, kind in classes.items() if kind.kind is not PieceKind.REMOTE]
        if entry.type not in ships:
            raise _choice(file, f"{key}.type", entry.type, ships)
        if entry.cloaked and not entry.may_start_cloaked(classes[entry.type]):
            why = "a ship starts cloaked with a cloak, its power on and its sensors folded"
            raise DataError(file, f"{key}.cloaked", why)


def _check_objectives(data: ScenarioData, side: Side, file: str) -> None:
    for index, objective in enumerate(data.sides[side].objectives):
        key = f"sides.{side}.objectives[{index}]"
        if objective.kind == "escape" and objective.edge not in _EDGES:
            raise DataError(file, f"{key}.edge", "an escape names an edge: N, E, S or W")
        if objective.kind == "escape":
            continue
        if objective.kind in ("deliver", "hold"):
            _check_faults(goal_faults(data, side, key, objective), file)
            continue
        own = objective.kind == "survive"
        names = [each.name for owner, _, each in _entries(data) if (owner == side) is own]
        if own:
            names += [each.name for each in data.sides[side].characters]
        if objective.piece not in names:
            raise _choice(file, f"{key}.piece", objective.piece or "", names)


def _check_board(scenario: Scenario, file: str) -> None:
    board, data = scenario.board, scenario.data
    names = [body.name for _, bodies in data.bodies for body in bodies]
    if len(set(names)) != len(names):
        raise DataError(file, "planets", "every body has a name of its own")
    for kind, bodies in data.bodies:
        for index, body in enumerate(bodies):
            if body.at not in board:
                raise DataError(file, f"{kind}[{index}].at", "the square lies off the map")
    for _, key, entry in _entries(data):
        if data.fixed and entry.at is None:
            raise DataError(file, f"{key}.at", "a fixed scenario places every ship")
        if entry.at is not None and (entry.at not in board or in_body(board, entry.at)):
            raise DataError(file, f"{key}.at", "a square of the map outside every planet")


def _check_options(data: ScenarioData, file: str) -> None:
    settled = chosen({}, data.options)
    if isinstance(settled, Rejected):
        raise DataError(file, settled.at.removeprefix("$."), settled.text)
