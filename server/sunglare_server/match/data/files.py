"""The reading of data files: TOML to weapons, classes and scenarios, with precise errors.

A player can write these files: a fault names the file, the key and what would be right.
"""

from collections.abc import Iterable
from typing import TypeVar

import msgspec

from sunglare_protocol.errors import SunglareError
from sunglare_protocol.text import NAME_MOST, clean
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.pieces import Arc, PieceKind, Relation
from sunglare_rules.arcs.arcs import NEVER_HOLDS
from sunglare_rules.arcs.turrets import turret_positions, turret_start
from sunglare_rules.fire.weapons import has_arc
from sunglare_server.match.data.abilities import AbilityError, equipped
from sunglare_server.match.data.checks.classes import shading_faults
from sunglare_server.match.data.checks.ground import Fault
from sunglare_server.match.data.checks.scenario import entries, scenario_faults
from sunglare_server.match.data.checks.weapons import weapon_faults
from sunglare_server.match.data.ground_classes import GroundClass
from sunglare_server.match.data.scenario import (
    Mount,
    Scenario,
    ScenarioData,
    ShipClass,
    ShipData,
    TurretData,
    Weapon,
    WeaponType,
)
from sunglare_server.match.data.structures import TOP, flaws, unknown, without_unknown

_SYSTEMS = ("drive", "sensors", "screens", "cloak", "ecm", "probe", "point_defence")
"""Names of systems, which no weapon may have."""

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
    scenario, faults = examined_scenario(text, name, file, classes, ground)
    _check_faults(faults, file)
    if scenario is None:
        raise DataError(file, TOP, "no scenario")
    return scenario


def examined_scenario(
    text: str,
    name: str,
    file: str,
    classes: dict[str, ShipClass],
    ground: dict[str, GroundClass] | None = None,
) -> tuple[Scenario | None, tuple[Fault, ...]]:
    """Return the scenario of a file, None if it has any fault, and all of its faults.

    What the values mean is only looked at if each is of its kind; keys too many do not matter
    for that. Raise `DataError` if it is no TOML at all.
    """
    units = ground or {}
    raw = _parsed(text, file)
    found = tuple(flaws(raw, ScenarioData))
    faults: tuple[Fault, ...] = tuple((flaw.key, flaw.why) for flaw in found)
    if without_unknown(found):
        return None, faults
    data = msgspec.convert(raw, ScenarioData)
    faults = (
        *faults,
        *scenario_faults(Scenario(name=name, data=data, classes=classes, ground=units)),
    )
    if faults:
        return None, faults
    used = [entry.type for _, _, entry in entries(data)]
    used_units = [entry.type for setup in data.sides.values() for entry in setup.ground]
    scenario = Scenario(
        name=name,
        data=data,
        classes={kind: classes[kind] for kind in sorted(dict.fromkeys(used))},
        ground={kind: units[kind] for kind in sorted(dict.fromkeys(used_units))},
    )
    return scenario, ()


def read_data(text: str, kind: type[_Kind], file: str) -> dict[str, _Kind]:
    """Return the tables of a data file, each a value of this kind by its name."""
    raw = _parsed(text, file)
    return {_name(name, file): _value(value, kind, file, name) for name, value in raw.items()}


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


def _value(raw: object, kind: type[_Kind], file: str, key: str) -> _Kind:
    for flaw in flaws(raw, kind, key):
        raise DataError(file, flaw.key, flaw.why)
    return msgspec.convert(raw, kind)


def _name(name: str, file: str) -> str:
    if clean(name, NAME_MOST) != name:
        raise DataError(file, repr(name), f"a name is plain text of 1 to {NAME_MOST} characters")
    return name


def _choice(file: str, key: str, wrong: str, right: Iterable[str]) -> DataError:
    return DataError(file, key, unknown(wrong, right))


def _ship_class(name: str, data: ShipData, file: str, weapons: dict[str, WeaponType]) -> ShipClass:
    turrets = tuple(_turret(name, index, data, file) for index in range(len(data.turrets)))
    fitted = tuple(_weapon(name, index, data, file, weapons) for index in range(len(data.weapons)))
    _check_kind(name, data, file, [weapon.kind for weapon in fitted])
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
        agent_spaceship=data.agent_spaceship,
    )


def _turret(name: str, index: int, data: ShipData, file: str) -> TurretData:
    turret = data.turrets[index]
    _check_id(
        turret.id, [fitted.id for fitted in data.turrets], file, f"{name}.turrets[{index}].id"
    )
    arcs = turret.arcs or turret_start(turret.kind)
    if arcs not in turret_positions(turret.kind):
        right = " or ".join(
            "+".join(a.value for a in position) for position in turret_positions(turret.kind)
        )
        raise DataError(file, f"{name}.turrets[{index}].arcs", f"a turret points at {right}")
    return msgspec.structs.replace(turret, arcs=arcs)


def _weapon(
    name: str, index: int, data: ShipData, file: str, weapons: dict[str, WeaponType]
) -> Weapon:
    mount, key = data.weapons[index], f"{name}.weapons[{index}]"
    if mount.weapon not in weapons:
        raise _choice(file, f"{key}.weapon", mount.weapon, weapons)
    _check_id(mount.id, [weapon.id for weapon in data.weapons], file, f"{key}.id")
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
    aims = [aim for aim in (mount.arc, mount.turret) if aim is not None]
    if not has_arc(kind) and aims:
        raise DataError(file, key, f"a {kind.value} has neither arc nor turret: it needs none")
    if has_arc(kind) and len(aims) != 1:
        raise DataError(file, key, "a weapon has either an arc or a turret")
    never = () if mount.needs is None else NEVER_HOLDS[Relation(mount.needs)]
    if mount.arc in never:
        right = ", ".join(arc.value for arc in Arc if arc not in never)
        why = f"nothing {mount.needs} is ever in the arc {mount.arc.value}; it may be in {right}"
        raise DataError(file, f"{key}.needs", why)


def _check_id(name: str, used: list[str], file: str, key: str) -> None:
    if used.count(name) > 1:
        raise DataError(file, key, f"{name!r} is used twice in this class")
    if name in _SYSTEMS or clean(name, NAME_MOST) != name:
        why = f"plain text of 1 to {NAME_MOST} characters, and none of {', '.join(_SYSTEMS)}"
        raise DataError(file, key, why)
