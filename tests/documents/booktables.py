"""The tables of the book to learn from, from the odds and records of its stored matches.

Odds are what the terminal answers in that very window of a match. What was rolled, and what came
of it, is what the match's own notices say.
"""

import math
from collections.abc import Callable
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from builders.data import CLASSES
from builders.orders import read_on
from documents.bookmatches import scenario_named
from documents.learning import frame_at
from documents.wirewords import table
from sunglare_client.map.cells import Cell, Layer, What
from sunglare_client.map.glyphs import UNICODE
from sunglare_client.map.legend import meaning_of
from sunglare_protocol.geometry import Compass, Place, Square
from sunglare_protocol.ids import Side
from sunglare_protocol.messages.answers import ShotOdds
from sunglare_protocol.notices import (
    BombardResult,
    CloakedFound,
    ContactIdentified,
    ScanAnswered,
    SearchResult,
    ShotResult,
)
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import PieceView, TruthView, View
from sunglare_protocol.words.capital import RadarZone
from sunglare_protocol.words.ladder import Fix
from sunglare_rules.advice.odds.candidates import scanner_squares, sector_names
from sunglare_rules.advice.odds.fire import odds_of_bombardment, shot_odds
from sunglare_rules.blips.ecm import JAMMERS, NO_TIER
from sunglare_rules.blips.in_space import sight, sight_inches
from sunglare_rules.blips.spotting import Spotter, Subject, sensor_spot, visual_spot
from sunglare_rules.capital.zones import radar_zone
from sunglare_rules.cloak.cloak import detection_value, passive_chance
from sunglare_rules.ground.plane import centre
from sunglare_rules.search.search import chance, entry, hiding_value, search_value
from sunglare_rules.sensors.signatures import Emitter, signals
from sunglare_rules.sensors.sunlight import in_shadow, sunfactor_on
from sunglare_rules.turn.metric import SURFACE_UNITS

Kind = TypeVar("Kind")

B: Final = Side("B")

_YES: Final = {True: "yes", False: "no"}


def _seen(match: str, eyes: str, window: str) -> View:
    view = frame_at(match, eyes, window).view
    if not isinstance(view, View):
        raise TypeError(f"{eyes} is no side")
    return view


def _truth(match: str, window: str) -> TruthView:
    view = frame_at(match, "omni", window).view
    if not isinstance(view, TruthView):
        raise TypeError("the truth is no side's")
    return view


def _told(match: str, window: str, kind: type[Kind]) -> list[Kind]:
    """Return the notices of that kind that side A was sent when a window opened."""
    notices = frame_at(match, "A", window).notices
    return [notice for notice in notices if isinstance(notice, kind)]


def _order(view: View, line: str) -> Any:
    """Return the one order of a line that is typed in this window."""
    return read_on(view, line)[0]


def _piece(truth: TruthView, name: str) -> PieceView:
    return next(piece for piece in truth.pieces if piece.name == name)


def _percent(hundredths: float) -> str:
    return f"{hundredths:.0f}%"


_SIGNS: Final = (
    Cell(What.SHIP, Layer.PIECE, is_own=True, facing=Compass.N),
    Cell(What.HELD, Layer.PIECE, fix=Fix.CONTACT),
    Cell(What.HELD, Layer.PIECE, fix=Fix.TRACKED),
    Cell(What.HELD, Layer.PIECE, fix=Fix.COASTING),
    Cell(What.HELD, Layer.PIECE, fix=Fix.MEMORY),
    Cell(What.GHOST, Layer.TRACE, is_own=True),
    Cell(What.GHOST, Layer.TRACE),
    Cell(What.REACH, Layer.TRACE, is_own=True),
    Cell(What.LINE, Layer.TRACE),
    Cell(What.PLACE, Layer.TRACE),
    Cell(What.PLANET, Layer.BODY),
    Cell(What.WELL, Layer.GROUND),
    Cell(What.SHADOW, Layer.GROUND),
    Cell(What.ASTEROID, Layer.BODY),
    Cell(What.GLARE, Layer.TRACE),
    Cell(What.ZONE, Layer.ZONE),
)
"""What stands on the map of a first match."""


def _signs() -> str:
    meanings: dict[str, list[str]] = {}
    for cell in _SIGNS:
        meanings.setdefault(f"`{UNICODE.shape(cell)}`", []).append(meaning_of(cell))
    rows = ((sign, "; ".join(found)) for sign, found in meanings.items())
    return table(("sign", "meaning"), rows)


_LOOKS: Final = (
    ("1", "1.scan.2", 0, "Moth"),
    ("1", "1.scan.2", 1, "Moth"),
    ("2", "2.scan.2", 0, "Wasp"),
    ("2", "2.scan.2", 1, "Wasp"),
)
"""Turn and window of a scan in the match on the sun, which scan of it, and at whom."""


def _signals() -> str:
    rows = []
    for turn, window, number, name in _LOOKS:
        scan = _told("sun", window, ScanAnswered)[number]
        truth = _truth("sun", window)
        ship = _piece(truth, name)
        light = sunfactor_on(truth.board, ship.square, shadowed=False)
        emitter = Emitter(echo=ship.echo, popped_out=ship.popped_out)
        [signature] = signals(scan.type, 0, emitter, light).values()
        [signal] = signals(scan.type, scan.effective, emitter, light).values()
        lies = "in the shadow" if in_shadow(truth.board, ship.square) else "in sunlight"
        what = f"S{number + 1} {scan.type.value} {scan.size.value} {scan.at}"
        found = _YES[signal >= 0]
        rows.append((turn, what, f"{scan.effective:+d}", lies, f"{signature:+d}", signal, found))
    heads = ("turn", "scan", "strength left", "frigate", "its signature", "signal", "found")
    return table(heads, rows)


_ASKED: Final = (("S1", "1.scan.2", 0), ("S2", "1.scan.2", 1), ("S3", "3.detect", 0))
"""The ship that made a scan in the match on the sun, the window, and which scan of it."""


def _answers() -> str:
    rows = []
    for ship, window, number in _ASKED:
        scan = _told("sun", window, ScanAnswered)[number]
        told = scan.answers
        well = "from within" if told.from_well else "touches" if told.touches_well else "no"
        asked = told.from_well or told.touches_well
        blocked = sector_names(told.blocked) if asked else "not asked"
        left = len(scanner_squares(_seen("sun", "B", window), scan))
        what = f"{scan.type.value} {scan.size.value} {scan.at}"
        rows.append((ship, what, _YES[told.glare], well, blocked, left))
    return table(("ship", "scan", "glare?", "well?", "blocked?", "squares left"), rows)


_FOLLOWS: Final = {1: "2.plot", 2: "2.over"}
"""The window that opens after ENGAGE, by turn, in a match of two turns."""


def _arcs() -> str:
    rows = []
    for turn, after in _FOLLOWS.items():
        view = _seen("arcs", "A", f"{turn}.engage")
        shots = {(shot.ship, shot.weapon): shot for shot in _told("arcs", after, ShotResult)}
        for ship in view.own:
            for weapon in ship.weapons:
                name = f"{ship.id}.{weapon.id}"
                odds = shot_odds(view, _order(view, f"fire {name} C1"))
                shot = shots.get((ship.id, weapon.id))
                came = f"{shot.damage} (dice {' '.join(map(str, shot.dice))})" if shot else ""
                rows.append((turn, name, weapon.kind.value, _may(odds), _mean(odds), came))
    heads = ("turn", "weapon", "kind", "may it fire?", "mean damage", "damage")
    return table(heads, rows)


def _may(odds: ShotOdds | Rejected) -> str:
    if isinstance(odds, ShotOdds):
        return "yes"
    if odds.code is Code.ORDER_ARC:
        arc = odds.detail.rpartition(" in the ")[2].rstrip(".")
        return f"no: C1 is not in the {arc}"
    return "no: it does not reach so far"


def _mean(odds: ShotOdds | Rejected) -> str:
    return f"{odds.mean_hundredths / 100:.2f}" if isinstance(odds, ShotOdds) else ""


def _hearing() -> str:
    rows = []
    for turn in (1, 2, 3):
        [raider] = _seen("hunt", "B", f"{turn}.detect").own
        listeners = _seen("hunt", "A", f"{turn}.detect").own
        loudest = max(ship.thrust_used for ship in listeners)
        value = detection_value(raider.thrust_used, loudest, loudest)
        each = float(passive_chance(value))
        found = _told("hunt", f"{turn}.engage", CloakedFound)
        rows.append(
            (
                turn,
                raider.thrust_used,
                f"{raider.thrust_used} - {loudest} - {loudest} = {value}",
                _percent(100 * each),
                _percent(100 * each**2),
                found[0].fix.value if found else "not heard",
            )
        )
    heads = ("turn", "thrust", "value", "each frigate hears it", "both do", "known as")
    return table(heads, rows)


def _risk() -> str:
    rows = []
    for thrust in range(5):
        each = float(passive_chance(detection_value(thrust, 0, 0)))
        one = _percent(100 * (1 - (1 - each) ** 2))
        rows.append((thrust, _percent(100 * each), one, _percent(100 * each**2)))
    return table(("thrust", "each hears it", "at least one does", "both do"), rows)


def _ranges() -> str:
    view = _seen("hunt", "A", "3.engage")
    [raider] = view.contacts
    less = replace(view, contacts=(replace(raider, fix=Fix.DETECTED, facing=None, size=None),))
    rows = []
    for name in ("S1.B1", "S1.P1", "S2.B1"):
        order = _order(view, f"fire {name} C1")
        ship = next(ship for ship in view.own if ship.id == order.ship)
        weapon = next(weapon for weapon in ship.weapons if weapon.id == order.weapon)
        away = _squares(ship.square, raider.square)
        known, heard = _mean(shot_odds(view, order)), _mean(shot_odds(less, order))
        rows.append((name, weapon.kind.value, away, known, heard or "out of reach"))
    heads = ("weapon", "kind", "squares", "mean damage", "if only detected")
    return table(heads, rows)


def _squares(here: Square, there: Square) -> str:
    return f"{math.sqrt(here.distance_squared(there)):.1f}"


def _search() -> str:
    view = _seen("search", "A", "2.engage")
    hiders = _seen("search", "B", "2.engage").agents
    forces = [unit.af for unit in view.ground]
    leader = next(agent for agent in view.agents if agent.stacked)
    lone = next(agent for agent in view.agents if not agent.stacked)
    best = max(agent.intelligence for agent in hiders)
    size = view.board.planets[0].environs[0].size
    value = search_value(forces, leader.leadership, (lone.intelligence,))
    hiding = hiding_value(best, size, len(hiders))
    [result] = _told("search", "3.plot", SearchResult)
    if result.value != value:
        raise ValueError("the match says another value")
    rows = (
        ("AF of the two units", " + ".join(map(str, forces))),
        (f"leadership of {leader.name}, who stands with the first", f"+ {leader.leadership}"),
        (f"intelligence of {lone.name}, who stands alone", f"+ {lone.intelligence}"),
        ("**search value**", value),
        ("intelligence of the best hider", best),
        ("size of the environs", f"+ {size}"),
        ("hiders", f"- {len(hiders)}"),
        ("**hiding value**", hiding),
        ("the ten-sided die finds them with at most", entry(hiding, value)),
        ("chance", _percent(100 * float(chance(hiding, value)))),
    )
    return table(("what counts", "figure"), rows)


def _finding() -> str:
    rows = ((hides, *(entry(hides, value) for value in (9, 11, 13))) for hides in (3, 4, 5))
    return table(("hiding value", "search value 9-10", "11-12", "13-14"), rows)


_QUARRY: Final = {"C2": "Moth", "C1": "Crown", "C3": "Veil"}
"""What the three blips of the match on ECM are, in the order in which the book has them."""


def _spotting() -> str:
    rows, known = [], dict[str, str]()
    for turn in (1, 2):
        truth = _truth("ecm", f"{turn}.detect")
        seen = _told("ecm", f"{turn}.detect", ContactIdentified)
        types = {one.label: one.type for one in seen}
        for label, name in _QUARRY.items():
            hound, ship = _piece(truth, "Hound"), _piece(truth, name)
            away = _squares(hound.square, ship.square)
            identified = types.get(label, "already" if label in known else "")
            rows.append((turn, label, *_spotted(truth, hound, ship, away), identified))
        known |= types
    heads = ("turn", "ship", "squares", "its jammer", "eyes", "Bloodhound", "identified as")
    return table(heads, rows)


def _spotted(truth: TruthView, hound: PieceView, ship: PieceView, away: str) -> tuple[str, ...]:
    """Return what decides whether the Bloodhound's ship identifies another one."""
    entries = {entry.name: entry.type for entry in scenario_named("ecm").data.sides[B].ships}
    ours, theirs = CLASSES["hound-corvette"], CLASSES[entries[ship.name]]
    jammer = next((special for special in theirs.specials if special in JAMMERS), None)
    cover = NO_TIER if jammer is None else JAMMERS[jammer].tier
    lie = sight(truth.board, Place(hound.square), Place(ship.square))
    spotter = Spotter(ours.specials, sight_inches(truth.board, ours.kind, ship.square))
    ways = (visual_spot(spotter, lie), sensor_spot(spotter, Subject(cover=cover), lie))
    return (away, jammer.value if jammer else "none", *(_YES[way] for way in ways))


_ZONES: Final = {
    RadarZone.CENTRAL: "Central Zone",
    RadarZone.INNER: "Inner Ring",
    RadarZone.MIDDLE: "Middle Ring",
    RadarZone.OUTER: "Outer Ring",
}


def _bombard() -> str:
    rows = []
    for turn, after in _FOLLOWS.items():
        view = _seen("bombard", "A", f"{turn}.engage")
        odds = odds_of_bombardment(view, _order(view, "bombard S1.C1 Ceres 1 G5"))
        if isinstance(odds, Rejected):
            raise TypeError(odds.detail)
        planet = view.board.planets[0]
        zone = radar_zone(planet, planet.environs[0].sector, view.own[0].square)
        where = "outside the well" if zone is None else f"the {_ZONES[zone]}"
        [shot] = _told("bombard", after, BombardResult)
        least, most = f"{odds.hundredths}%", f"{odds.guided_hundredths}%"
        rows.append((turn, where, f"{odds.needed}+", least, most, " + ".join(map(str, shot.dice))))
    heads = ("turn", "fired from", "needs", "chance", "with a beam", "dice")
    return table(heads, rows)


def _blast() -> str:
    [shot] = _told("bombard", "2.over", BombardResult)
    damage = dict(zip(shot.harmed, shot.damage, strict=True))
    rows = []
    for token in _seen("bombard", "A", "2.engage").surfaces[0].tokens:
        if token.handle is None or shot.point is None:
            raise TypeError("no token that is held, or no impact")
        away = math.dist(centre(token.cell), shot.point) / SURFACE_UNITS
        did = damage[token.handle]
        rows.append((token.label, token.type, token.cell.name, f"{away:.1f}", did))
    return table(("token", "what it is", "cell", "inches from the impact", "damage"), rows)


BOOK_TABLES: Final[dict[str, Callable[[], str]]] = {
    "book signs": _signs,
    "book signals": _signals,
    "book answers": _answers,
    "book arcs": _arcs,
    "book hearing": _hearing,
    "book risk": _risk,
    "book ranges": _ranges,
    "book search": _search,
    "book finding": _finding,
    "book spotting": _spotting,
    "book bombard": _bombard,
    "book blast": _blast,
}
