"""The tables of the rules page, made from the constants and data files that the game plays by."""

from collections.abc import Callable

from builders.ground import ground_classes
from documents.classtables import class_table
from documents.indextables import INDEX_TABLES, words_of_kind
from documents.wirewords import table
from sunglare_protocol.geometry import Place, box_named
from sunglare_protocol.ids import SIDES
from sunglare_protocol.surface import Mode
from sunglare_protocol.words.scans import Echo, ScanSize, ScanType
from sunglare_protocol.words.search import MissionKind
from sunglare_protocol.words.specials import NUMBERED
from sunglare_rules.advice.cards.tallies import objective_words
from sunglare_rules.blips.dossiers import SCAN_INCHES
from sunglare_rules.blips.ecm import ANGEL_TIER, ECM_TIER, JAMMERS
from sunglare_rules.blips.spotting import (
    PROBE_INCHES,
    SENSOR_INCHES,
)
from sunglare_rules.blips.visual_ranges import LIGHT_ROWS, WEATHER_ROWS, Eyes
from sunglare_rules.fire.damage import THRESHOLDS
from sunglare_rules.fire.nova import SWEEPS
from sunglare_rules.fire.packs import PACK_BANDS
from sunglare_rules.fire.special_weapons import ONE_DIE_POINTS
from sunglare_rules.fire.weapons import (
    BEAM_POINTS,
    TORPEDO_BANDS,
    is_one_shot,
)
from sunglare_rules.ground.terrain import CLEAR, LETTERS, Terrain, entry_cost
from sunglare_rules.search.fights import SOLDIER_COMBAT
from sunglare_rules.search.missions import TASKS
from sunglare_rules.search.patrols import CHART
from sunglare_rules.search.search import ROWS, entry
from sunglare_rules.sensors.areas import SIZE_MODIFIER, scan_area
from sunglare_rules.sensors.questions import answers, candidate_steps
from sunglare_rules.sensors.scans import (
    NEEDS_POPPED_OUT,
    declared_strength,
    effective_strength,
    sense_chance,
)
from sunglare_rules.sensors.signatures import HULL_VALUES, POWER_VALUES, SENSES
from sunglare_server.base.library import load_library
from sunglare_server.match.data.options import MEANINGS, MatchOptions, shown
from sunglare_server.match.data.scenario import Scenario, ShipEntry
from sunglare_server.match.fog.view import objective

WORKED_SCANS = ((ScanSize.BOX, "B4"), (ScanSize.BOXES, "E1"), (ScanSize.BOXES, "E4"))
"""The scans of the source's three examples, one for each ship of side A."""

_SHIPS = (Echo.SMALL, Echo.MEDIUM, Echo.LARGE, Echo.MISSILE)
MOVING = (Mode.FOOT, Mode.WHEELED, Mode.TRACKED, Mode.HOVER)
"""The ways in which ground units move."""


def _options() -> str:
    defaults = shown(MatchOptions())
    rows = (
        (f"`{name}`", f"`{defaults[name]}`", meaning.values, meaning.text)
        for name, meaning in MEANINGS.items()
    )
    return table(("option", "default", "values", "meaning"), rows)


def _terrain() -> str:
    rows = []
    for letter, terrain in LETTERS.items():
        level = f" {terrain.level}" if terrain.level else ""
        costs = [entry_cost(mode, CLEAR, Terrain(terrain.kind)) for mode in MOVING]
        words = ("no" if cost is None else str(cost) for cost in costs)
        hides = "solid" if terrain.is_solid else "soft" if terrain.top else "nothing"
        cover = "+1" if terrain.is_cover else ""
        rows.append(
            (f"`{letter}`", f"{terrain.kind.value}{level}", *words, terrain.top, hides, cover)
        )
    modes = (mode.value for mode in MOVING)
    return table(("letter", "terrain", *modes, "top", "hides", "to hit"), rows)


def _ground_units() -> str:
    rows = []
    for name, kind in ground_classes().items():
        jump = f", jump {kind.jump}" if kind.jump else ""
        arms = "; ".join(
            f"{arm.id} {arm.kind.value} {'/'.join(map(str, arm.damages))}" for arm in kind.weapons
        )
        words = [special.value for special in kind.specials if special not in NUMBERED]
        if kind.remote is not None:
            words.append(f"RSD {kind.dispensers} ({kind.remote.name})")
        specials = " ".join(words)
        move = f"{kind.mode.value} {kind.move}{jump}"
        rows.append(
            (name, kind.type, kind.kind.value, move, kind.af, kind.toughness, arms, specials)
        )
    heads = ("unit", "type", "kind", "moves", "AF", "toughness", "weapons", "abilities")
    return table(heads, rows)


def _sides(scenario: Scenario) -> str:
    return "; ".join(
        f"{side}: {', '.join(f'{ship.name} ({ship.type})' for ship in setup.ships)}"
        for side, setup in scenario.data.sides.items()
    )


def _bodies(scenario: Scenario) -> str:
    board = scenario.board
    planets = [
        f"{planet.size.value} planet {planet.name} at {planet.at.x},{planet.at.y}"
        for planet in board.planets
    ]
    return ", ".join(
        [*planets, *(f"asteroid {a.name} at {a.at.x},{a.at.y}" for a in board.asteroids)]
    )


def _scenarios() -> str:
    rows = (
        (
            f"`{name}`",
            scenario.data.turns,
            _bodies(scenario),
            _sides(scenario),
            scenario.data.brief,
        )
        for name, scenario in load_library().scenarios.items()
    )
    return table(("scenario", "turns", "bodies", "sides", "what it is"), rows)


def _objectives() -> str:
    rows = []
    for name, scenario in load_library().scenarios.items():
        for side, setup in scenario.data.sides.items():
            words = [f"{objective_words(objective(goal))}." for goal in setup.objectives]
            free = ["Its ships may leave over any edge."] if setup.leaves_free else []
            if words or free:
                rows.append((f"`{name}`", side, " ".join([*words, *free])))
    return table(("scenario", "side", "what counts beside what it destroys"), rows)


def _signatures() -> str:
    rows = [
        (signature.value, *(values.get(echo, "none") for echo in _SHIPS))
        for signature, values in {**HULL_VALUES, **POWER_VALUES}.items()
    ]
    return table(("signature", *(echo.value for echo in _SHIPS)), rows)


def _scan_types() -> str:
    rows = (
        (
            f"`{scan_type.value}`",
            ", ".join(signature.value for signature in SENSES[scan_type]),
            "out, power on" if scan_type in NEEDS_POPPED_OUT else "nothing: works folded and cold",
        )
        for scan_type in ScanType
    )
    return table(("type", "senses", "needs the hull sensors"), rows)


def _scan_sizes() -> str:
    covers = {
        "1sq": ("one square", "in the ship's own box"),
        "3sq": ("3 by 3 squares", "middle in the ship's own or a neighbouring box"),
        "1box": ("one box (5 by 5 squares)", "any box of the map"),
        "3box": ("3 by 3 boxes", "any middle box of the map"),
    }
    rows = (
        (f"`{size.value}`", *covers[size.value], f"{m:+d}") for size, m in SIZE_MODIFIER.items()
    )
    return table(("size", "covers", "where", "strength"), rows)


def _sense() -> str:
    rows = (
        (f"operator {skill}", *(f"{float(sense_chance(skill, s)):.0%}" for s in range(9)))
        for skill in range(4)
    )
    return table(("signal", *map(str, range(9))), rows)


def _beams() -> str:
    rows = ((f"{level}", *points) for level, points in enumerate(BEAM_POINTS))
    return table(("screens", *(f"die {face}" for face in range(1, 7))), rows)


def _torpedo() -> str:
    reaches = [f"to {reach} mu" for reach, _ in TORPEDO_BANDS]
    return table(("range", *reaches), [("hits on", *(f"{n}+" for _, n in TORPEDO_BANDS))])


def _packs() -> str:
    rows = (
        (
            words_of_kind(kind),
            ", ".join(f"{dice} to {reach} mu" for reach, dice in bands),
            "once" if is_one_shot(kind) else "every turn",
        )
        for kind, bands in PACK_BANDS.items()
    )
    return table(("weapon", "beam dice", "fires"), rows)


def _one_die() -> str:
    rows = (
        (words_of_kind(kind), *points, "once" if is_one_shot(kind) else "every turn")
        for kind, points in ONE_DIE_POINTS.items()
    )
    faces = (f"die {face}" for face in range(1, 7))
    return table(("weapon", *faces, "fires"), rows)


def _sweeps() -> str:
    rows = (
        (
            ("the turn of the shot", "the turn after", "the turn after that")[number],
            f"{sweep.beyond_mu} to {sweep.to_mu} mu",
            sweep.across,
            f"{sweep.dice} dice",
        )
        for number, sweep in enumerate(SWEEPS)
    )
    return table(("sweep", "squares ahead", "squares to either side", "damage"), rows)


def _thresholds() -> str:
    rows = ((f"end of row {row}", f"{needs} or more") for row, needs in THRESHOLDS.items())
    return table(("damage crosses the", "a system is lost on"), rows)


def _sight() -> str:
    lights = ((f"light: {light.value}", *row.values()) for light, row in LIGHT_ROWS.items())
    skies = ((f"weather: {sky.value}", *row.values()) for sky, row in WEATHER_ROWS.items())
    return table(("inches", *(eyes.value for eyes in Eyes)), (*lights, *skies))


def _probes() -> str:
    rows = [("none", SENSOR_INCHES, "short range only")]
    rows += [(probe.value, PROBE_INCHES[probe], str(SCAN_INCHES[probe])) for probe in PROBE_INCHES]
    return table(("probe", "identifies within, in", "scans for data within, in"), rows)


def _jammers() -> str:
    tiers = {ECM_TIER: "stops all but a Bloodhound", ANGEL_TIER: "stops all"}
    rows = ((special.value, made.radius, tiers[made.tier]) for special, made in JAMMERS.items())
    return table(("jammer", "radius, in", "strength"), rows)


def _worked_scans() -> str:
    scenario = load_library().scenarios["reference-board"]
    ships = scenario.data.sides[SIDES[0]].ships
    rows = (
        _worked_scan(scenario, ship, size, box)
        for ship, (size, box) in zip(ships, WORKED_SCANS, strict=True)
    )
    heads = (
        "ship",
        "scan",
        "declared",
        "glare",
        "well",
        "blocked",
        "left",
        "squares it may be on",
    )
    return table(heads, rows)


def _worked_scan(
    scenario: Scenario, ship: ShipEntry, size: ScanSize, box: str
) -> tuple[object, ...]:
    board, at = scenario.board, box_named(box).centre
    area = scan_area(board, size, at)
    assert ship.at is not None
    given = answers(board, Place(ship.at), area)
    rating = scenario.classes[ship.type].sensors.visual
    declared = declared_strength(rating, size, 0)
    left = effective_strength(declared, ScanType.VISUAL, given.glare, board.sunfactor)
    blocked = [f"{'near' if b.near else 'far'} {b.sector.value}" for b in given.blocked]
    wells = [("from within", given.from_well), ("touches", given.touches_well)]
    steps = candidate_steps(board, area, given)
    return (
        f"{ship.at.x},{ship.at.y}",
        f"visual {size.value} {box}",
        f"{declared:+d}",
        "yes" if given.glare else "no",
        " and ".join(word for word, is_so in wells if is_so) or "no",
        " and ".join(blocked) or "not asked",
        f"{left:+d}",
        " → ".join(map(str, steps)),
    )


def _search() -> str:
    values = [*range(1, 9), *range(9, 23, 2)]
    names = [str(face) if face < 9 else f"{face}-{face + 1}" for face in values]
    names[-1] = f"{values[-1]}+"
    rows = []
    for hiding in range(1, ROWS + 1):
        name = {1: "1-", ROWS: f"{ROWS}+"}.get(hiding, str(hiding))
        rows.append((name, *(entry(hiding, value) for value in values)))
    return table(("hiding \\ search", *names), rows)


def _patrols() -> str:
    rows = [
        (quality.value.replace("_", " "), soldier.value, SOLDIER_COMBAT[soldier])
        for quality, soldier in CHART.items()
    ]
    return table(("best unit", "soldiers", "combat of each"), rows)


def _missions() -> str:
    rows = []
    for kind, task in TASKS.items():
        needs = "no roll" if task is None else f"{task.rating.value}, {task.target}"
        rows.append((f"`{kind.value}`", needs, _MISSION_WORDS[kind]))
    return table(("mission", "rating, target", "success"), rows)


_MISSION_WORDS: dict[MissionKind, str] = {
    MissionKind.SPY: "the side knows the troops of the environs",
    MissionKind.SABOTAGE: "a ground unit is damaged, or its weapons silenced",
    MissionKind.STEAL: "the item there is taken",
    MissionKind.DELIVER: "what an objective wants there is delivered",
    MissionKind.FREE: "a prisoner there joins its own side",
}
"""What a mission does, in words."""

RULE_TABLES: dict[str, Callable[[], str]] = {
    **INDEX_TABLES,
    "options": _options,
    "classes": class_table,
    "terrain": _terrain,
    "ground units": _ground_units,
    "scenarios": _scenarios,
    "objectives": _objectives,
    "signatures": _signatures,
    "scan types": _scan_types,
    "scan sizes": _scan_sizes,
    "sense": _sense,
    "beams": _beams,
    "torpedo": _torpedo,
    "packs": _packs,
    "one die": _one_die,
    "sweeps": _sweeps,
    "thresholds": _thresholds,
    "worked scans": _worked_scans,
    "search": _search,
    "patrols": _patrols,
    "missions": _missions,
    "sight": _sight,
    "probes": _probes,
    "jammers": _jammers,
}
