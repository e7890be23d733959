"""What a side held of a foreign piece of a finished match, and why it learned no more.

Source: none of its own; each line names its rule. The match is folded again from its records;
only whoever has a whole record can ask, so nothing here is for a match that still runs.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple, final

from sunglare_arena.hindsight.ground import ground_lines, person_lines
from sunglare_arena.hindsight.hunts import hunt_lines
from sunglare_arena.hindsight.scans import idle_line, scan_line
from sunglare_arena.hindsight.spots import spotting_lines
from sunglare_arena.matchfile import UnfitError
from sunglare_arena.refold import Refold
from sunglare_protocol.ids import Side
from sunglare_protocol.ladder import Phase
from sunglare_rules.sweeps import is_jammed
from sunglare_server.match.apply import apply
from sunglare_server.match.events import (
    Event,
    RadarGaveAway,
    ScanDeclared,
    ScanFinished,
    ShipDestroyed,
    ShipEscaped,
    ShooterExposed,
)
from sunglare_server.match.huntevents import CloakSwitched, SweepDeclared, UncloakingSeen
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.hunting import UNCLOAKING_MU
from sunglare_server.match.state import FramePost, MatchState, Stepped
from sunglare_server.match.truth import Truth


class Line(NamedTuple):
    """A line of the account: in which turn and window, of which piece, in words."""

    turn: int
    phase: Phase
    piece: PieceId
    words: str


@final
class Asked(NamedTuple):
    """What is asked: the side that looks, a turn or all, a piece or all foreign ones."""

    side: Side
    turn: int | None = None
    piece: str | None = None


def account(refold: Refold, asked: Asked) -> Iterator[Line]:
    """Yield the lines of the turns and pieces that are asked for, in the order of the match.

    Raise `UnfitError` for a side, turn or piece that the match does not have, `DifferenceError`
    where the record is not what it says.
    """
    before: MatchState | None = None
    heard: set[int] = set()
    for stepped in refold.steps():
        if before is None:
            _check_side(stepped.state, asked)
        elif any(isinstance(each, FramePost) for each in stepped.posts):
            turn = before.truth.turn
            heard.add(turn)
            if asked.turn in (None, turn):
                yield from _of_step(before, stepped, asked)
        before = stepped.state
    _check_found(before, asked, heard)


def _check_side(state: MatchState, asked: Asked) -> None:
    sides = state.truth.sides
    if asked.side not in sides:
        raise UnfitError(f"There is no side {asked.side}; there are {', '.join(sides)}.")


def _check_found(state: MatchState | None, asked: Asked, turns: set[int]) -> None:
    if state is None:
        return
    if asked.turn is not None and asked.turn not in turns:
        raise UnfitError(f"There is no turn {asked.turn}; there are 1 to {max(turns, default=0)}.")
    foreign = _foreign(state.truth, asked.side)
    if asked.piece is not None and not any(_is_asked(each, asked) for each in foreign):
        raise UnfitError(
            f"There is no foreign piece {asked.piece}; there are {', '.join(foreign)}."
        )


def _foreign(truth: Truth, side: Side) -> tuple[PieceId, ...]:
    ships = [each.id for each in truth.ships.values() if each.side != side]
    units = [each.id for each in truth.ground.values() if each.side != side]
    people = [each.id for each in truth.people.values() if each.side != side]
    return (*ships, *units, *people)


def _is_in_play(truth: Truth, piece: PieceId) -> bool:
    if piece in truth.people:
        return truth.people[piece].in_play
    if piece in truth.ground:
        return truth.ground[piece].in_play
    return truth.ships[piece].in_play


def _is_asked(piece: PieceId, asked: Asked) -> bool:
    """Return whether a piece is asked for, as `B/S1`, `B.S1` or by its owner's name `S1`."""
    wanted = asked.piece
    return wanted is None or wanted.replace(".", "/") in (piece, piece.partition("/")[2])


def _of_step(before: MatchState, stepped: Stepped, asked: Asked) -> Iterator[Line]:
    after, phase = stepped.state, before.standing.phase
    turn = before.truth.turn
    for piece in _foreign(after.truth, asked.side):
        if _is_asked(piece, asked):
            words = _words(before, stepped, asked.side, piece)
            was, now = (held(each, asked.side, piece) for each in (before.truth, after.truth))
            told = phase is Phase.PLOT and _is_in_play(after.truth, piece)
            for each in (*words, *_hold_words(was, now, anyhow=told)):
                yield Line(turn, phase, piece, each)


def _words(before: MatchState, stepped: Stepped, side: Side, piece: PieceId) -> Iterator[str]:
    """Yield what the window showed of a piece, and why not more."""
    after, events = stepped.state.truth, stepped.events
    if piece in after.people:
        phase = before.standing.phase
        yield from person_lines(after, side, before.truth.people[piece], events, phase)
        return
    if piece in after.ground:
        yield from ground_lines(after, side, piece, before.standing.phase)
        return
    yield from _given_away(events, side, piece)
    start = before.truth.ships.get(piece)
    if start is None or not start.in_play:
        return
    match before.standing.phase:
        case Phase.SCAN:
            yield from _scan_words(before, stepped, side, piece)
        case Phase.DETECT:
            ready = _declared(before.truth, events)
            yield from hunt_lines(ready, side, ready.ships[piece], events, before.options)
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
    end = next(n for n, each in enumerate(events) if isinstance(each, ScanFinished))
    return events[: end + 1]


def _declared(truth: Truth, events: Sequence[Event]) -> Truth:
    """Return the truth of a DETECT when all sweeps have been declared."""
    for event in takewhile(lambda each: isinstance(each, SweepDeclared), events):
        truth = apply(truth, event)
    return truth


def _given_away(events: Sequence[Event], side: Side, piece: PieceId) -> Iterator[str]:
    """Yield by what the piece gave itself away, and how it went out of sight or of the match."""
    mine = [each for each in events if getattr(each, "piece", None) == piece]
    seen = any(isinstance(each, UncloakingSeen) and each.side == side for each in mine)
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


def _hold_words(was: str, now: str, *, anyhow: bool) -> Iterator[str]:
    """Yield what is held, where it has changed or is to be told anyhow."""
    if was != now:
        yield f"you held {was}, then {now} (turn §3)"
    elif anyhow:
        yield f"you hold {now} (turn §3)"


def held(truth: Truth, side: Side, piece: PieceId) -> str:
    """Return what a side holds of a piece, in words; of people it holds never anything."""
    ship = truth.ships.get(piece)
    hold = truth.holds[side].get(piece)
    token = truth.surface.tokens_of(side).get(piece)
    fix = None if ship is None else truth.hunt_fix(side, ship)
    parts = [] if hold is None else [_named(hold.fix.value, identified=hold.identified)]
    parts += [] if fix is None else [f"{fix.value}, cloaked"]
    parts += [] if token is None else [_named("a token", identified=token.identified)]
    return " and ".join(parts) or "nothing of it"


def _named(rung: str, *, identified: bool) -> str:
    return f"{rung}, identified" if identified else f"{rung}, not identified"
