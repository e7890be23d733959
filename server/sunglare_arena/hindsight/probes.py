"""Results of the data scans of a finished match, with the reason that the answer kept back.

Source: Alpha Strike, "Concealing Unit Data"; blips of our rule book §3.7. From the events that
the resolvers made, and from the truth as it was before each.
"""

from collections.abc import Iterator
from typing import NamedTuple

from sunglare_arena.hindsight.distances import away, blockers, in_the_way
from sunglare_arena.hindsight.jammers import in_space, jammer_words, on_map
from sunglare_arena.hindsight.moments import Moments
from sunglare_protocol.ids import Side
from sunglare_protocol.word import spoken
from sunglare_protocol.words.dossiers import Outcome
from sunglare_protocol.words.specials import Special, Specials
from sunglare_rules.blips.dossiers import (
    SCAN_INCHES,
    SHORT_INCHES,
    DossierAim,
    Means,
    means_of,
    probe_jammed,
)
from sunglare_rules.blips.ecm import line_jammed
from sunglare_rules.blips.in_space import aim
from sunglare_rules.blips.spotting import best_probe, is_stealthy
from sunglare_rules.ground.plane import centre
from sunglare_rules.sensors.sectors import line_of_sight
from sunglare_rules.turn.metric import SPACE, SURFACE
from sunglare_server.match.events.blips import PieceProbed
from sunglare_server.match.events.ground import TokenProbed
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.ground_scene import Ground, aim_of, map_of
from sunglare_server.match.resolve.jamming import fields, is_operational
from sunglare_server.match.resolve.spotting import HELD_WELL
from sunglare_server.match.truth.truth import ShipTruth, Truth

DATA_RULE = "(blips §3)"


class _Request(NamedTuple):
    """A request as it lay: the abilities of both, what hid the target, what jammed the line.

    `cold`: nothing but its cold plant made the target mimetic.
    """

    scanner: Specials
    target: Specials
    aim: DossierAim
    hidden: str
    jammers: str
    cold: bool


def data_lines(moments: Moments, side: Side, piece: PieceId) -> Iterator[str]:
    """Yield each request of `side` for the data of a piece, the answer and its true reason."""
    for truth, event in moments:
        if not isinstance(event, PieceProbed | TokenProbed) or event.target != piece:
            continue
        if truth.side_of(event.piece) != side:
            continue
        own = event.piece.partition("/")[2]
        why = _why(truth, event)
        yield f"{own} asked for its data: {spoken(event.outcome).upper()}, {why} {DATA_RULE}"


def _why(truth: Truth, event: PieceProbed | TokenProbed) -> str:
    if event.outcome is Outcome.ILLEGAL:
        return _illegal_words(truth, event)
    request = _in_space(truth, event) if isinstance(event, PieceProbed) else _on_map(truth, event)
    return "there was no such map" if request is None else _answer_words(request)


def _illegal_words(truth: Truth, event: PieceProbed | TokenProbed) -> str:
    """Return what was missing: a scanner that works, or an identified piece in hold."""
    if isinstance(event, TokenProbed):
        return _illegal_on_map(truth, event)
    hold = truth.holds[truth.side_of(event.piece)].get(event.target)
    if hold is None or hold.fix not in HELD_WELL or not hold.identified:
        known = "" if hold is None or hold.identified else ", not identified"
        rung = "nothing" if hold is None else f"a {hold.fix.value} hold{known}"
        return f"it takes a contact or a live track that is identified, and you had {rung}"
    return f"the asker did not work ({_idle_words(truth, truth.ships[event.piece])})"


def _illegal_on_map(truth: Truth, event: TokenProbed) -> str:
    token = truth.surface.tokens_of(truth.side_of(event.piece)).get(event.target)
    if token is None or not token.identified:
        rung = "nothing" if token is None else "a token that you had not identified"
        return f"it takes an identified token, and you had {rung}"
    here, there = truth.stands(event.piece), truth.stands(event.target)
    if here is None or there is None or here[0] != there[0]:
        return "the asker did not stand on its map"
    return "the asker did not work (plant off, a jammed drone, a remote sensor)"


def _idle_words(truth: Truth, ship: ShipTruth) -> str:
    if not ship.powered:
        return "plant off"
    if ship.cloaked:
        return "cloaked"
    return (
        "a jammed drone" if not is_operational(truth, ship, fields(truth)) else "a remote sensor"
    )


def _in_space(truth: Truth, event: PieceProbed) -> _Request:
    scanner, target = truth.ships[event.piece], truth.ships[event.target]
    around, board = fields(truth), truth.board
    ends = scanner.square, target.square
    jammed = line_jammed(SPACE, around, scanner.side, *ends)
    sources = in_space(truth, around)
    seen = line_of_sight(board, scanner.place, target.place)
    return _Request(
        scanner=scanner.specials,
        target=target.specials,
        aim=aim(board, scanner.place, target.place, jammed),
        hidden="" if seen else f"hidden by {blockers(board, scanner.place, target.place)}",
        jammers=jammer_words(sources, SPACE, scanner.side, *ends),
        cold=_is_cold(target),
    )


def _on_map(truth: Truth, event: TokenProbed) -> _Request | None:
    place = truth.stands(event.piece)
    ground: Ground | None = None if place is None else map_of(truth, place[0])
    scanner = None if ground is None else ground.figure(event.piece)
    target = None if ground is None else ground.figure(event.target)
    if ground is None or scanner is None or target is None:
        return None
    ends = centre(scanner.cell), centre(target.cell)
    ship = truth.ships.get(event.target)
    return _Request(
        scanner=scanner.specials,
        target=target.specials,
        aim=aim_of(ground, scanner, target),
        hidden=in_the_way(ground, scanner, target),
        jammers=jammer_words(on_map(ground), SURFACE, scanner.side, *ends),
        cold=ship is not None and _is_cold(ship),
    )


def _is_cold(ship: ShipTruth) -> bool:
    """Return whether a ship is mimetic by nothing but its cold plant."""
    return not ship.powered and Special.MAS not in ship.type.specials


def _answer_words(request: _Request) -> str:
    """Return how the target lay, by what means it was asked, and what stopped that."""
    where = f"{away(request.aim.span)}, {request.hidden or 'in sight'}"
    means = means_of(request.scanner, request.aim)
    probe = best_probe(request.scanner, SCAN_INCHES)
    if means is None:
        return f"{where}; short range is {SHORT_INCHES} in sight, {_reach_words(request, probe)}"
    by = f"at short range ({SHORT_INCHES}), which nothing jams"
    if probe is not None and means is Means.PROBE:
        by = f"by its {probe.value} probe ({SCAN_INCHES[probe]}), which its owner noticed"
    stops = _stops(request, means)
    return f"{where}, {by}: {' and '.join(stops)}" if stops else f"{where}, {by}"


def _reach_words(request: _Request, probe: Special | None) -> str:
    if probe is None:
        return "and it has no probe"
    solid = ", and through nothing solid" if request.aim.solid else ""
    return f"its {probe.value} probe reaches {SCAN_INCHES[probe]}{solid}"


def _stops(request: _Request, means: Means) -> list[str]:
    """Return what made the answer inconclusive, everything that did."""
    stops = []
    if is_stealthy(request.target):
        kind = "STL" if Special.STL in request.target else "MAS"
        cold = ", as a cold plant does" if request.cold and kind == "MAS" else ""
        stops.append(f"{kind} hid its data{cold}")
    if means is Means.PROBE and probe_jammed(request.scanner, request.aim.jammed):
        stops.append(f"{request.jammers} jammed the line")
    return stops
