"""Why a ground unit or landed ship of a finished match was held, identified, exposed, or not.

Source: blips of our rule book §1 to §3, for hidden units §2.4. From the events that the
resolvers made, and from the truth when the window had closed; nothing on a map moves after it
has been looked at.
"""

from collections.abc import Iterator

from sunglare_arena.hindsight.distances import away, in_the_way
from sunglare_arena.hindsight.jammers import jammer_words, on_map
from sunglare_arena.hindsight.moments import Moments
from sunglare_arena.hindsight.spots import spot_words
from sunglare_protocol.ids import Side
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.blips.dossiers import SCAN_INCHES, probe_jammed
from sunglare_rules.blips.hiding import EXPOSED_INCHES, Shown
from sunglare_rules.blips.spotting import Method, best_probe, is_stealthy, methods
from sunglare_rules.ground.daylight import is_day
from sunglare_rules.ground.plane import centre
from sunglare_rules.turn.metric import SURFACE
from sunglare_server.match.events.agents import UnitsSpied
from sunglare_server.match.events.ground import (
    AttackerRevealed,
    HiddenExposed,
    PieceIdentified,
    UnitDestroyed,
    UnitMoved,
    UnitUncovered,
)
from sunglare_server.match.events.space import Event
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.ground import overhead, uncovered, would_expose
from sunglare_server.match.resolve.ground_scene import (
    Figure,
    Ground,
    aim_of,
    map_of,
    quarry_of,
    sight_of,
    spotter_of,
)
from sunglare_server.match.truth.truth import Truth

ON_MAPS = "(blips §2 and §3)"
HIDING = "(blips §1 and §2)"
TOKENS = "(blips §1)"

LOOKED = (Phase.PLOT, Phase.ENGAGE)
"""The windows at whose end sides begin or cease to see maps; pieces are spotted in PLOT alone."""


def map_lines(truth: Truth, side: Side, piece: PieceId, phase: Phase) -> Iterator[str]:
    """Yield what `side` saw of a piece on a surface map when a window had closed, and why.

    `truth` is as it was then, the piece in play; of a ship that has not landed nothing is said.
    """
    place = truth.stands(piece)
    if place is None:
        if piece in truth.ground:
            yield "it was aboard a ship, on no surface map (blips §2)"
        return
    if place[0] not in truth.surface.maps_of(side):
        yield f"none of your working pieces saw the map of {place[0].name} (blips §3)"
    elif phase is Phase.PLOT:
        token = truth.surface.tokens_of(side).get(piece)
        ground = map_of(truth, place[0])
        target = None if ground is None else ground.figure(piece)
        known = token is not None and token.identified
        if ground is not None and target is not None and not known:
            yield from _figure_lines(ground, side, target)


def deed_lines(moments: Moments, side: Side, piece: PieceId, phase: Phase) -> Iterator[str]:
    """Yield by what the piece gave itself away, or who identified or exposed it."""
    mine = [
        (before, event)
        for before, event in moments
        if getattr(event, "piece", None) == piece and getattr(event, "side", side) == side
    ]
    for before, event in mine:
        words = _deed_words(moments, before, event, side, phase)
        if words is not None:
            yield words
    for _, event in moments:
        if isinstance(event, UnitsSpied) and event.side == side and piece in event.units:
            yield "spies of yours told all of it, hidden or not (search §2)"


def _deed_words(
    moments: Moments, before: Truth, event: Event, side: Side, phase: Phase
) -> str | None:
    """Return the words of an event for the piece that it is about, if that is for this tale."""
    match event:
        case PieceIdentified(piece=piece) if phase is Phase.PLOT:
            return f"IDENTIFIED by {_identifiers(before, side, piece)} {ON_MAPS}"
        case HiddenExposed(piece=piece) if phase is Phase.PLOT:
            return f"EXPOSED by {_exposers(before, side, piece)} {HIDING}"
        case HiddenExposed():
            return f"EXPOSED to you: it took damage, and a piece of yours saw it {HIDING}"
        case AttackerRevealed():
            return f"IDENTIFIED by its own direct or close attack {TOKENS}"
        case UnitUncovered(piece=piece):
            return f"it left its hiding: {_uncovered_words(moments, piece)} {TOKENS}"
        case UnitDestroyed():
            return "it was destroyed (blips §2)"
        case _:
            return None


def _uncovered_words(moments: Moments, piece: PieceId) -> str:
    """Return as what a unit that has moved out of its hiding is shown, and why."""
    moved, start = next(
        (event, before)
        for before, event in moments
        if isinstance(event, UnitMoved) and event.piece == piece
    )
    # As the resolver does it: judged for all before the first of them counts as uncovered.
    rest = next(before for before, event in moments if isinstance(event, UnitUncovered))
    if uncovered(start, rest, [moved], frozenset([piece]))[piece] is Shown.IDENTIFIED:
        return "an enemy saw the first or the last cell of its move, so it came identified"
    return "no enemy saw the first or last cell of its move, so its owner could make it a token"


def _identifiers(truth: Truth, side: Side, piece: PieceId) -> str:
    """Return who of a side identified a token, and in which ways."""
    place = truth.stands(piece)
    ground = None if place is None else map_of(truth, place[0])
    target = None if ground is None else ground.figure(piece)
    if place is None or ground is None or target is None:
        return "nobody"
    found = [
        f"{_own(figure)} ({', '.join(way.value for way in ways)})"
        for figure in ground.figures
        if figure.side == side and (ways := _ways(ground, figure, target))
    ]
    if place[0] in overhead(truth, side) and is_day(ground.environs.sector):
        found.append("a fighter above by day")
    return ", ".join(found)


def _ways(ground: Ground, spotter: Figure, target: Figure) -> tuple[Method, ...]:
    seen = sight_of(ground, spotter, target)
    return methods(spotter_of(ground, spotter, target), quarry_of(ground, target), seen)


def _exposers(truth: Truth, side: Side, piece: PieceId) -> str:
    """Return who of a side stumbled over a hidden unit, or found it by a probe."""
    place = truth.stands(piece)
    ground = None if place is None else map_of(truth, place[0])
    target = None if ground is None else ground.figure(piece)
    if ground is None or target is None:
        return "nobody"
    return ", ".join(
        f"{_own(figure)}, {away(aim_of(ground, figure, target).span)}"
        for figure in ground.figures
        if figure.side == side and would_expose(ground, figure, target)
    )


def _figure_lines(ground: Ground, side: Side, target: Figure) -> Iterator[str]:
    """Yield for each piece of `side` on the map why it did not identify or expose a figure."""
    own = [figure for figure in ground.figures if figure.side == side]
    for figure in own:
        if target.hidden:
            yield f"not exposed by {_own(figure)}: {_unfound(ground, figure, target)} {HIDING}"
        else:
            seen = sight_of(ground, figure, target)
            looking, quarry = spotter_of(ground, figure, target), quarry_of(ground, target)
            hidden = in_the_way(ground, figure, target)
            yield f"{spot_words(_own(figure), looking, quarry, seen, hidden)} {ON_MAPS}"
    if not own:
        blind = "sees nothing hidden" if target.hidden else "identifies by day alone"
        yield f"you had but a fighter above the map, which {blind} {TOKENS}"


def _unfound(ground: Ground, own: Figure, target: Figure) -> str:
    """Return why a piece neither stumbled over a hidden unit nor found it by a probe."""
    aim = aim_of(ground, own, target)
    hidden = in_the_way(ground, own, target)
    stumbles = f"{away(aim.span)}, {hidden or 'in sight'}; in sight {EXPOSED_INCHES} expose"
    if own.remote:
        stumbles = f"{away(aim.span)}; a remote sensor stumbles over nothing"
    probe = best_probe(own.specials, SCAN_INCHES)
    if probe is None:
        return f"{stumbles}, and it has no probe"
    guard = _guard(ground, own, target)
    return f"{stumbles}; its {probe.value} probe reaches {SCAN_INCHES[probe]}{guard}"


def _guard(ground: Ground, own: Figure, target: Figure) -> str:
    """Return what kept a probe from a hidden unit, apart from distance."""
    aim = aim_of(ground, own, target)
    guards = []
    if not own.works:
        guards.append("did not work (plant off, a jammed drone)")
    if is_stealthy(target.specials):
        guards.append("finds nothing stealthy")
    if aim.solid:
        guards.append("goes through nothing solid")
    if probe_jammed(own.specials, aim.jammed):
        ends = centre(own.cell), centre(target.cell)
        guards.append(f"was jammed by {jammer_words(on_map(ground), SURFACE, own.side, *ends)}")
    return f", but {' and '.join(guards)}" if guards else ""


def _own(figure: Figure) -> str:
    return figure.piece.partition("/")[2]
