"""Faults of a scenario whose values are of their kinds: keys and what would be right."""

from collections.abc import Iterator, Sized

from sunglare_protocol.geometry import Asteroid, Board, Compass, Planet, Square, environs_among
from sunglare_protocol.ids import SIDES, Side
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.text import BRIEF_MOST, NAME_MOST, TITLE_MOST, clean
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.sensors.sectors import BODY_REACH, in_body
from sunglare_rules.turn.victory import OBJECTIVES, Named
from sunglare_server.match.data.checks.ground import Fault, ground_faults, no_site
from sunglare_server.match.data.checks.zones import zone_faults
from sunglare_server.match.data.options import MEANINGS, chosen
from sunglare_server.match.data.scenario import (
    Objective,
    Scenario,
    ScenarioData,
    ShipClass,
    ShipEntry,
)
from sunglare_server.match.data.structures import unknown

_EDGES = (Compass.N, Compass.E, Compass.S, Compass.W)

Key = str
"""Where something stands in a file."""


ENTRIES_MOST = 100
"""OWN: bodies of a kind, items, and entries of a kind of one side in a scenario at most.

Bodies are compared by pairs, and units look for room by turns: thousands would take seconds.
"""


def scenario_faults(scenario: Scenario) -> Iterator[Fault]:
    """Yield what is wrong with a scenario; its classes are all that there are."""
    data = scenario.data
    crowded = tuple(_crowds(data))
    if crowded:
        yield from crowded
        return
    yield from _text_faults(data)
    yield from _side_faults(data)
    yield from _ship_faults(data, scenario.classes)
    yield from _name_faults(data)
    yield from ground_faults(data, scenario.ground)
    yield from _bay_faults(data, scenario.classes)
    yield from _body_faults(scenario)
    yield from _place_faults(scenario)
    yield from zone_faults(scenario)
    yield from _option_faults(data)


_BOUND = ("drawn", "ground", "agents", "areas", "objectives")
"""The lists of a side that are bounded, apart from its rosters."""


def _crowds(data: ScenarioData) -> Iterator[Fault]:
    """Yield the lists that are too long to be looked at."""
    lists: list[tuple[Key, Sized]] = [("sides", data.sides), ("items", data.items), *data.bodies]
    for side, setup in sorted(data.sides.items()):
        lists += [(f"sides.{side}.{name}", getattr(setup, name)) for name in _BOUND]
        lists += _rosters(data, side)
        if len(setup.zone) > (boxes := data.map.columns * data.map.rows):
            yield f"sides.{side}.zone", f"at most {boxes} boxes, as many as the map has"
    for key, found in lists:
        if len(found) > ENTRIES_MOST:
            yield key, f"at most {ENTRIES_MOST}"


def entries(data: ScenarioData) -> Iterator[tuple[Side, Key, ShipEntry]]:
    """Yield every roster entry with its side and its key in the file."""
    for side in sorted(data.sides):
        for key, roster in _rosters(data, side):
            for index, entry in enumerate(roster):
                yield side, f"{key}[{index}]", entry


def _rosters(data: ScenarioData, side: Side) -> Iterator[tuple[Key, tuple[ShipEntry, ...]]]:
    setup = data.sides[side]
    for number, roster in enumerate(setup.rosters):
        yield f"sides.{side}.drawn[{number}]" if setup.drawn else f"sides.{side}.ships", roster


def _text_faults(data: ScenarioData) -> Iterator[Fault]:
    texts = [("title", data.title, TITLE_MOST)]
    texts += [("brief", data.brief, BRIEF_MOST)] if data.brief else []
    texts += [(f"{key}.name", entry.name, NAME_MOST) for _, key, entry in entries(data)]
    texts += [(f"{key}.name", body.name, NAME_MOST) for key, body in _bodies(data)]
    for key, text, most in texts:
        if clean(text, most) != text:
            yield key, f"plain text in NFC of 1 to {most} characters is right"


def _side_faults(data: ScenarioData) -> Iterator[Fault]:
    if tuple(sorted(data.sides)) not in (SIDES[:2], SIDES[:3], SIDES[:4]):
        yield "sides", "two to four sides, named A, B, C, D in this order"
    for side, setup in data.sides.items():
        if not all(setup.rosters):
            yield f"sides.{side}", "a side has at least one ship"
        if setup.drawn and setup.ships:
            yield f"sides.{side}", "a side has either ships or drawn rosters"
        for index, objective in enumerate(setup.objectives):
            key = f"sides.{side}.objectives[{index}]"
            yield from _objective_faults(data, side, key, objective)


def _objective_faults(
    data: ScenarioData, side: Side, key: Key, objective: Objective
) -> Iterator[Fault]:
    terms = OBJECTIVES[objective.kind]
    if terms.edge and objective.edge not in _EDGES:
        yield f"{key}.edge", "it names an edge: N, E, S or W"
    if terms.site and (objective.at is None or environs_among(data.planets, objective.at) is None):
        yield f"{key}.at", no_site(data)
    asteroids = tuple(asteroid.name for asteroid in data.asteroids)
    if terms.asteroid and objective.body not in asteroids:
        yield f"{key}.body", unknown(objective.body or "", asteroids)
    if objective.body is not None and not terms.asteroid:
        yield f"{key}.body", "only an objective to collect names an asteroid"
    yield from _end_faults(data, f"{key}.ends_after", objective)
    names = () if terms.piece is None else tuple(_named(data, side, terms.piece))
    if terms.piece is not None and objective.piece not in names:
        yield f"{key}.piece", unknown(objective.piece or "", names)


def _end_faults(data: ScenarioData, key: Key, objective: Objective) -> Iterator[Fault]:
    after = objective.ends_after
    if after and objective.kind not in (ObjectiveKind.HOLD, ObjectiveKind.SURVIVE):
        yield key, "only an objective to hold or to survive ends the match"
    if after > data.turns:
        yield key, f"at most {data.turns}, as many as the match has turns"


def _named(data: ScenarioData, side: Side, piece: Named) -> Iterator[str]:
    """Yield the names of all pieces of which an objective of the side may name one."""
    if piece is Named.BROUGHT:
        yield from (item.name for item in data.items)
    else:
        own = piece is Named.OWN
        yield from (entry.name for owner, _, entry in entries(data) if (owner == side) is own)
    if piece is not Named.FOREIGN:
        yield from (agent.name for agent in data.sides[side].agents)


def _ship_faults(data: ScenarioData, classes: dict[str, ShipClass]) -> Iterator[Fault]:
    ships = [name for name, kind in classes.items() if kind.kind is not PieceKind.REMOTE]
    for _, key, entry in entries(data):
        if entry.type not in ships:
            yield f"{key}.type", unknown(entry.type, ships)
        elif entry.cloaked and not entry.may_start_cloaked(classes[entry.type]):
            why = "a ship starts cloaked with a cloak, its power on and its sensors folded"
            yield f"{key}.cloaked", why


def _name_faults(data: ScenarioData) -> Iterator[Fault]:
    """Yield the names that a side has given twice; only one of its drawn rosters plays."""
    for side, setup in sorted(data.sides.items()):
        others = [
            *((f"sides.{side}.ground[{at}]", unit.name) for at, unit in enumerate(setup.ground)),
            *((f"sides.{side}.agents[{at}]", agent.name) for at, agent in enumerate(setup.agents)),
        ]
        found: dict[Fault, None] = {}
        for key, roster in _rosters(data, side):
            ships = [(f"{key}[{index}]", entry.name) for index, entry in enumerate(roster)]
            found |= dict.fromkeys(_twice([*ships, *others]))
        yield from found


def _twice(named: list[tuple[Key, str]]) -> Iterator[Fault]:
    first: dict[str, Key] = {}
    for key, name in named:
        if name in first:
            why = f"{name!r} is the name of {first[name]} too: every piece of a side has its own"
            yield f"{key}.name", why
        first.setdefault(name, key)


def _bay_faults(data: ScenarioData, classes: dict[str, ShipClass]) -> Iterator[Fault]:
    """Yield the ground units aboard a ship that has no bay left for them."""
    for side, setup in sorted(data.sides.items()):
        found: dict[Fault, None] = {}
        for _, roster in _rosters(data, side):
            known = [ship for ship in reversed(roster) if ship.type in classes]
            kinds = {ship.name: classes[ship.type] for ship in known}
            aboard = dict.fromkeys(kinds, 0)
            for index, unit in enumerate(setup.ground):
                if unit.aboard is None or unit.aboard not in kinds:
                    continue
                aboard[unit.aboard] += 1
                kind = kinds[unit.aboard]
                if aboard[unit.aboard] > kind.bays:
                    why = f"{unit.aboard} ({kind.name}) has bays for {kind.bays} units"
                    found[f"sides.{side}.ground[{index}].aboard", why] = None
        yield from found


def _bodies(data: ScenarioData) -> Iterator[tuple[Key, Planet | Asteroid]]:
    for kind, bodies in data.bodies:
        for index, body in enumerate(bodies):
            yield f"{kind}[{index}]", body


def _body_faults(scenario: Scenario) -> Iterator[Fault]:
    """Yield bodies off the map, of one name, and those of which a later one covers an earlier."""
    earlier: list[tuple[Key, Planet | Asteroid]] = []
    for key, body in _bodies(scenario.data):
        if body.at not in scenario.board:
            yield f"{key}.at", "the square lies off the map"
        for other, before in earlier:
            if before.name == body.name:
                yield f"{key}.name", f"{other} is {body.name!r}: every body has a name of its own"
            if _overlap(before, body):
                why = f"it overlaps {before.name}: no two bodies have a square in common"
                yield f"{key}.at", why
        earlier.append((key, body))


def _overlap(one: Planet | Asteroid, other: Planet | Asteroid) -> bool:
    apart = max(abs(one.at.x - other.at.x), abs(one.at.y - other.at.y))
    return apart <= _reach(one) + _reach(other)


def _reach(body: Planet | Asteroid) -> int:
    return BODY_REACH[body.size] if isinstance(body, Planet) else 0


def _place_faults(scenario: Scenario) -> Iterator[Fault]:
    for _, key, entry in entries(scenario.data):
        if scenario.data.fixed and entry.at is None:
            yield f"{key}.at", "a fixed scenario places every ship"
        if entry.at is not None and not _is_open(scenario.board, entry.at):
            yield f"{key}.at", "a square of the map outside every planet"


def _is_open(board: Board, square: Square) -> bool:
    return square in board and not in_body(board, square)


def _option_faults(data: ScenarioData) -> Iterator[Fault]:
    for name, value in data.options.items():
        settled = chosen({}, {name: value})
        if isinstance(settled, Rejected):
            why = settled.detail if name in MEANINGS else unknown(name, MEANINGS)
            yield f"options.{name}", why
