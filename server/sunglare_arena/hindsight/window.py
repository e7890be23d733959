"""A side's view of a foreign piece in one window of a finished match, and why not more.

Source: none of its own; each line names its rule.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from sunglare_arena.hindsight.agents import agent_lines, missed_lines
from sunglare_arena.hindsight.fights import fight_lines
from sunglare_arena.hindsight.hunts import hunt_lines
from sunglare_arena.hindsight.moments import Moments
from sunglare_arena.hindsight.probes import data_lines
from sunglare_arena.hindsight.scans import idle_line, scan_line
from sunglare_arena.hindsight.spots import spotting_lines
from sunglare_arena.hindsight.tokens import LOOKED, deed_lines, map_lines
from sunglare_protocol.ids import Side
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.cloak.cloak import UNCLOAKING_MU
from sunglare_rules.cloak.sweeps import is_jammed
from sunglare_server.match.apply.space import apply
from sunglare_server.match.events.cloak import CloakSwitched, SweepDeclared, UncloakingSeen
from sunglare_server.match.events.space import (
    Event,
    RadarGaveAway,
    ScanDeclared,
    ScanFinished,
    ShipDestroyed,
    ShipEscaped,
    ShooterExposed,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.state import MatchState, Stepped
from sunglare_server.match.truth.truth import Truth


def window_lines(
    before: MatchState, stepped: Stepped, moments: Moments, side: Side, piece: PieceId
) -> Iterator[str]:
    """Yield what a window showed `side` of a piece, and why not more.

    `before` is the state while the window was open, `moments` what happened at its close.
    """
    after, events, phase = stepped.state.truth, stepped.events, before.standing.phase
    if piece in after.agents:
        agent = before.truth.agents[piece]
        yield from agent_lines(after, side, agent, events, phase)
        if phase is Phase.ENGAGE:
            yield from missed_lines(before.truth, side, agent, events)
        yield from fight_lines(moments, side, piece, before.seed)
        return
    if piece in after.ships:
        yield from _given_away(events, side, piece)
        start = before.truth.ships.get(piece)
        if start is not None and start.in_play:
            yield from _ship_words(before, stepped, side, piece)
    yield from deed_lines(moments, side, piece, phase)
    if phase in LOOKED and is_in_play(after, piece):
        yield from map_lines(after, side, piece, phase)
    yield from data_lines(moments, side, piece)
    yield from fight_lines(moments, side, piece, before.seed)


def is_in_play(truth: Truth, piece: PieceId) -> bool:
    """Return whether a ship, ground unit or agent is neither destroyed nor gone."""
    if piece in truth.agents:
        return truth.agents[piece].in_play
    if piece in truth.ground:
        return truth.ground[piece].in_play
    return truth.ships[piece].in_play


def _ship_words(before: MatchState, stepped: Stepped, side: Side, piece: PieceId) -> Iterator[str]:
    match before.standing.phase:
        case Phase.SCAN:
            yield from _scan_words(before, stepped, side, piece)
        case Phase.DETECT:
            ready = _declared(before.truth, stepped.events)
            ship = ready.ships[piece]
            yield from hunt_lines(ready, side, ship, stepped.events, before.options)
        case _:
            return


def _scan_words(before: MatchState, stepped: Stepped, side: Side, piece: PieceId) -> Iterator[str]:
    truth, events = before.truth, stepped.events
    scans = 0
    for number, event in enumerate(events):
        if isinstance(event, ScanDeclared) and truth.ships[event.piece].side == side:
            scans += 1
            yield scan_line(truth, event, _of_scan(events[number + 1 :]), truth.ships[piece])
        truth = apply(truth, event)
    standing = before.standing
    if not scans and (standing.is_sealed or standing.slot_side == side):
        yield idle_line(truth, side)
    if stepped.state.standing.phase is not Phase.SCAN:
        works = not is_jammed(truth.jam_end, truth.turn)
        ship = truth.ships[piece]
        if not ship.cloaked:
            yield from spotting_lines(truth, side, ship, events, sensors_work=works)


def _of_scan(events: Sequence[Event]) -> Sequence[Event]:
    """Return the events of a scan up to its end."""
    end = next(n for n, event in enumerate(events) if isinstance(event, ScanFinished))
    return events[: end + 1]


def _declared(truth: Truth, events: Sequence[Event]) -> Truth:
    """Return the truth of a DETECT when all sweeps have been declared."""
    for event in takewhile(lambda later: isinstance(later, SweepDeclared), events):
        truth = apply(truth, event)
    return truth


def _given_away(events: Sequence[Event], side: Side, piece: PieceId) -> Iterator[str]:
    """Yield by what the piece gave itself away, and how it went out of sight or of the match."""
    mine = [event for event in events if getattr(event, "piece", None) == piece]
    seen = any(isinstance(event, UncloakingSeen) and event.side == side for event in mine)
    for event in mine:
        if isinstance(event, CloakSwitched):
            near = "a ship of yours saw it" if seen else "no ship of yours was near"
            told = f"powered, within {UNCLOAKING_MU} mu, in sight (cloak §1)"
            uncloaked = f"it uncloaked, and {near}: {told}"
            yield "it cloaked (cloak §1)" if event.on else uncloaked
        yield from _deed(event, side)


def _deed(event: Event, side: Side) -> Iterator[str]:
    match event:
        case RadarGaveAway():
            yield "its own radar gave its square to all (sensors §5)"
        case SweepDeclared():
            yield "its own sweep gave its square to all (cloak §4)"
        case ShooterExposed(witnesses=witnesses):
            told = "and its type to you" if side in witnesses else "its type not to you"
            yield f"it fired: that gave its square to all, {told} (turn §6)"
        case ShipDestroyed():
            yield "it was destroyed (turn §6)"
        case ShipEscaped(edge=edge):
            yield f"it left the map over the {edge.value} edge (turn §5)"
        case _:
            return
