"""The tables of the page on views in Python: every field with its type, its default and its unit.

Classes are found from `View` on, by the types of the fields, so that none can be forgotten; what
the types do not say, the units of numbers and what texts are, stands here by class and field.
"""

import enum
import types
from collections.abc import Callable, Iterator
from typing import Any, NewType, Union, get_args, get_origin, get_type_hints

import msgspec

from documents.wirewords import said, table
from sunglare_protocol.views import View

HULL, POINTS, TURNS, INCHES = "hull boxes", "points of the tally", "the number of a turn", "inches"
COUNT, RATING, LEVEL = "how many", "a rating", "a level"
CLASS, FAMILY, NAME = "the name of its class", "the type others identify", "its name, for people"
ENVIRONS, BODY, PLANET = "the number of an environs", "the name of a body", "the name of a planet"
WEAPON = "the id of a weapon of its own piece"

UNITS: dict[str, str] = {
    "View.points": POINTS,
    "View.points_up_to": POINTS,
    "View.zone": "names of boxes, as in `C4`",
    "View.nova_until": f"{TURNS}; 0 for none",
    "Stage.turn": f"{TURNS}, from 1",
    "Stage.turns": "the number of the last turn",
    "Board.columns": "boxes of 5 squares",
    "Board.rows": "boxes of 5 squares",
    "Board.sunfactor": "what sunlight adds to a hull's visual signature",
    "Planet.name": PLANET,
    "Asteroid.name": "the name of an asteroid",
    "Square.x": "the column, from 0 in the west",
    "Square.y": "the row, from 0 in the north",
    "Vector.dx": "squares a turn to the east",
    "Vector.dy": "squares a turn to the south",
    "Cell.column": "the column, from 0 in the west; 2 inches wide",
    "Cell.row": "the row, from 0 in the south; 2 inches high",
    "Site.body": PLANET,
    "Site.environs": ENVIRONS,
    "Landing.body": BODY,
    "Landing.environs": ENVIRONS,
    "Environs.number": ENVIRONS,
    "Environs.size": "a size, from 1",
    "Environs.width": INCHES,
    "Environs.height": INCHES,
    "Environs.terrain": "a text for each row of cells from the north, a letter for each cell",
    "Environs.lit": "for each block columns and rows: west, south, east, north",
    "OwnView.name": NAME,
    "OwnView.type": CLASS,
    "OwnView.hull": HULL,
    "OwnView.points": POINTS,
    "OwnView.damage": HULL,
    "OwnView.screens": LEVEL,
    "OwnView.thrust": "points of thrust a turn",
    "OwnView.sensors": "ratings, 1 to 4",
    "OwnView.thrust_spent": "points of thrust, in the movement of this turn",
    "OwnView.thrust_used": "points of thrust and steps of 45 degrees, in the same movement",
    "OwnView.point_defence": "points of point defence",
    "OwnView.flights": "flights of fighters aboard",
    "OwnView.bays": "ground units that it can carry",
    "OwnView.bound_for": "the name of a planet, or `off` the map",
    "OwnView.dispensers": "remote sensors that it launches in a turn",
    "OwnView.heat": "weapons fired in the last ENGAGE",
    "Crew.pilot": "a skill, 0 to 2",
    "Crew.operator": "a skill, 0 to 3",
    "Crew.commander": "a skill, 0 to 3",
    "Crew.gunnery": "a skill, what a die must show: less is better",
    "TurretView.id": "the id of the turret",
    "WeaponView.id": "the id of the weapon",
    "WeaponView.rank": "the class of the weapon; of a volley its missiles",
    "WeaponView.turret": "the id of a turret",
    "WeaponView.damage": "hull boxes at short, medium, long, extreme range",
    "HabitView.turn": TURNS,
    "HabitView.streak": "turns in a row before that one",
    "VolleyView.missiles": COUNT,
    "VolleyView.movements": "movements made, of 3",
    "TrackerView.count": "the die of hits",
    "TrackerView.turns": "the die of turns",
    "ContactView.label": "its name for people, as in `C1`; it stays",
    "ContactView.turn": f"{TURNS}: as of when the rest is true",
    "ContactView.signatures": "names of signatures",
    "ContactView.signal": "a signal, 0 or more",
    "ContactView.type": FAMILY,
    "Dossier.turn": TURNS,
    "Dossier.variant": CLASS,
    "Dossier.damage": HULL,
    "Dossier.heat": "weapons fired in the last ENGAGE",
    "Dossier.move": "points of thrust; of a ground unit inches a turn",
    "Dossier.modes": "words for how it moves",
    "ScanAnswered.at": "the name of a box, or a square",
    "ScanAnswered.strength": "a strength, before the glare",
    "ScanAnswered.effective": "a strength, after the glare",
    "Blocked.planet": PLANET,
    "NovaSeen.until": TURNS,
    "JamSet.until": TURNS,
    "ObjectiveView.body": "the name of an asteroid",
    "ObjectiveView.piece": "the name of a piece",
    "PieceLost.piece": "the name of a piece",
    "PieceLost.turns": "how many turns since",
    "PieceLost.ends_after": "how many turns",
    "ObjectiveView.ends_after": "how many turns on end; 0 for none",
    "Occupation.turns": "how many turns on end; 0 for none",
    "Occupation.ends_after": "how many turns on end; 0 for none",
    "GroundView.name": NAME,
    "GroundView.type": FAMILY,
    "GroundView.variant": CLASS,
    "GroundView.toughness": "points of damage that it takes",
    "GroundView.points": POINTS,
    "GroundView.move": "inches a turn",
    "GroundView.jump": "inches a turn",
    "GroundView.height": INCHES,
    "GroundView.af": "the strength that counts in a search",
    "GroundView.gunnery": "a skill, what two dice must show: less is better",
    "GroundView.damage": "points of damage taken",
    "GroundView.heat": "weapons fired in the last ENGAGE",
    "GroundView.dispensers": "remote sensors that it launches in a turn",
    "ArmView.id": "the id of the weapon",
    "ArmView.damage": "points of damage at short, medium, long, extreme range",
    "AgentView.name": NAME,
    "AgentView.combat": RATING,
    "AgentView.endurance": RATING,
    "AgentView.intelligence": RATING,
    "AgentView.leadership": RATING,
    "AgentView.group": "the number of his group, on a mission",
    "AgentView.wounds": COUNT,
    "TokenView.label": "its name for people; it stays",
    "TokenView.turn": f"{TURNS}: as of when the rest is true",
    "TokenView.type": FAMILY,
    "TokenView.footprint": f"{INCHES}; 0 if it is not large",
    "MissileView.weapon": WEAPON,
    "MissileView.lands": f"{TURNS}, in its ENGAGE",
    "AreaView.cells": "columns and rows: west, south, east, north",
    "AlertView.planet": PLANET,
    "AlertView.environs": ENVIRONS,
    "FoundView.turn": TURNS,
    "FoundAgentView.name": NAME,
    "FoundAgentView.combat": RATING,
    "FoundAgentView.endurance": RATING,
    "SpyView.turn": TURNS,
    "SpyView.leaders": "names of agents",
    "SpiedUnitView.type": FAMILY,
    "SpiedUnitView.variant": CLASS,
    "SpiedUnitView.damage": "points of damage taken",
    "SpiedUnitView.toughness": "points of damage that it takes",
    "SpiedUnitView.heat": "weapons fired in the last ENGAGE",
    "SpiedUnitView.move": "inches a turn",
    "SpiedUnitView.modes": "words for how it moves",
    "ItemView.name": "the name of the item",
    "CloakRules.jammed": f"{TURNS}; 0 for none",
}
"""The unit of each number, and what each text is, by class and field."""

OF_TYPES = {
    "Square": "squares of space",
    "Vector": "squares a turn",
    "Cell": "cells of a surface map",
}
"""What a field of such a type counts in."""


def classes() -> tuple[type, ...]:
    """Return `View` and every class that its fields may hold, each before what it holds."""
    found: dict[type, None] = {}
    _find(View, found)
    return tuple(found)


def _find(hint: Any, found: dict[type, None]) -> None:
    for part in get_args(hint):
        _find(part, found)
    if not isinstance(hint, type) or hint in found or not _is_ours(hint):
        return
    found[hint] = None
    for part in hints(hint).values():
        _find(part, found)


def _is_ours(kind: type) -> bool:
    return kind.__module__.startswith("sunglare_")


def hints(kind: type) -> dict[str, Any]:
    """Return the fields of a class with their types; of a list of words there are none."""
    if issubclass(kind, enum.Enum):
        return {}
    names = kind.__struct_fields__ if issubclass(kind, msgspec.Struct) else _fields_of(kind)
    types_of = get_type_hints(kind) if names else {}
    return {name: types_of[name] for name in names}


def _fields_of(kind: type) -> tuple[str, ...]:
    fields: tuple[str, ...] = getattr(kind, "_fields", ())
    return fields


def is_bare(hint: Any) -> bool:
    """Return whether a type holds a number or a text of which it does not say what it counts."""
    return hint in (int, str) or any(is_bare(part) for part in get_args(hint))


def python_type(hint: Any) -> str:
    """Return a type as one writes it in Python."""
    if isinstance(hint, NewType):
        return str(hint.__name__)
    if hint is types.NoneType or hint is Ellipsis:
        return "None" if hint is types.NoneType else "..."
    parts = get_args(hint)
    if get_origin(hint) in (Union, types.UnionType):
        return " | ".join(python_type(part) for part in parts)
    if get_origin(hint) is not None:
        return f"{get_origin(hint).__name__}[{', '.join(python_type(part) for part in parts)}]"
    return str(hint.__name__)


def _unit(kind: type, name: str, hint: Any) -> str:
    told = UNITS.get(f"{kind.__name__}.{name}")
    if told is not None:
        return told
    inner = [part.__name__ for part in (hint, *get_args(hint)) if isinstance(part, type)]
    return next((OF_TYPES[part] for part in inner if part in OF_TYPES), "")


def _default(kind: type, name: str) -> str:
    if not issubclass(kind, msgspec.Struct):
        return "needed"
    (field,) = (one for one in msgspec.structs.fields(kind) if one.name == name)
    if field.required:
        return "needed"
    value = field.default
    if isinstance(value, enum.Enum):
        return f"`{type(value).__name__}.{value.name}`"
    return f"`{type(value).__name__}()`" if isinstance(value, msgspec.Struct) else f"`{value!r}`"


def _sections() -> Iterator[str]:
    for kind in classes():
        if not issubclass(kind, enum.Enum):
            rows = [
                (
                    f"`{name}`",
                    f"`{python_type(hint)}`",
                    _default(kind, name),
                    _unit(kind, name, hint),
                )
                for name, hint in hints(kind).items()
            ]
            heads = ("field", "type", "default", "unit, or what it is")
            parts = [f"### {kind.__name__}", f"From `{kind.__module__}`. {said(kind)}"]
            yield "\n\n".join([*parts, *([table(heads, rows)] if rows else [])])


def _words() -> str:
    rows = (
        (kind.__name__, f"`{kind.__module__}`", ", ".join(f"`{member.name}`" for member in kind))
        for kind in classes()
        if issubclass(kind, enum.Enum)
    )
    return table(("list", "from", "members"), rows)


VIEW_TABLES: dict[str, Callable[[], str]] = {
    "view fields": lambda: "\n\n".join(_sections()),
    "view words": _words,
}
