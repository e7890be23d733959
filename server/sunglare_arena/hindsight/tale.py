"""A side's knowledge of a foreign piece of a finished match, and why it learned no more.

Source: none of its own; each line names its rule. The match is folded again from its records;
only the holder of a whole record can ask, so nothing here is for a match that still runs.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, final

from sunglare_arena.hindsight.moments import moments_of
from sunglare_arena.hindsight.window import is_in_play, window_lines
from sunglare_arena.matchfile import UnfitError
from sunglare_protocol.ids import Side
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match.ids import PieceId
from sunglare_server.match.state import FramePost, MatchState, Stepped
from sunglare_server.match.truth.truth import Truth


class Line(NamedTuple):
    """A line of the tale: in which turn and window, of which piece, in words."""

    turn: int
    phase: Phase
    piece: PieceId
    words: str


@final
class Inquiry(NamedTuple):
    """What is asked: the side that looks, a turn or all, a piece or all foreign ones."""

    side: Side
    turn: int | None = None
    piece: str | None = None


def tale(steps: Iterable[Stepped], asked: Inquiry) -> Iterator[Line]:
    """Yield the lines of the turns and pieces that are asked for, in the order of the match.

    `steps` are those of the whole match. Raise `UnfitError` for a side, turn or piece that it does
    not have.
    """
    before: MatchState | None = None
    heard: set[int] = set()
    for stepped in steps:
        if before is None:
            _check_side(stepped.state, asked)
        elif any(isinstance(post, FramePost) for post in stepped.posts):
            turn = before.truth.turn
            heard.add(turn)
            if asked.turn in (None, turn):
                yield from _of_step(before, stepped, asked)
        before = stepped.state
    _check_found(before, asked, heard)


def _check_side(state: MatchState, asked: Inquiry) -> None:
    sides = state.truth.sides
    if asked.side not in sides:
        raise UnfitError(f"There is no side {asked.side}; there are {', '.join(sides)}.")


def _check_found(state: MatchState | None, asked: Inquiry, turns: set[int]) -> None:
    if state is None:
        return
    if asked.turn is not None and asked.turn not in turns:
        raise UnfitError(f"There is no turn {asked.turn}; there are 1 to {max(turns, default=0)}.")
    foreign = _foreign(state.truth, asked.side)
    if asked.piece is not None and not any(_is_asked(piece, asked) for piece in foreign):
        raise UnfitError(
            f"There is no foreign piece {asked.piece}; there are {', '.join(foreign)}."
        )


def _foreign(truth: Truth, side: Side) -> tuple[PieceId, ...]:
    ships = [ship.id for ship in truth.ships.values() if ship.side != side]
    units = [unit.id for unit in truth.ground.values() if unit.side != side]
    agents = [agent.id for agent in truth.agents.values() if agent.side != side]
    return (*ships, *units, *agents)


def _is_asked(piece: PieceId, asked: Inquiry) -> bool:
    """Return whether a piece is asked for, as `B/S1`, `B.S1` or by its owner's name `S1`."""
    wanted = asked.piece
    return wanted is None or wanted.replace(".", "/") in (piece, piece.partition("/")[2])


def _of_step(before: MatchState, stepped: Stepped, asked: Inquiry) -> Iterator[Line]:
    after, phase = stepped.state, before.standing.phase
    turn = before.truth.turn
    moments = moments_of(before.truth, stepped.events)
    for piece in _foreign(after.truth, asked.side):
        if _is_asked(piece, asked):
            words = window_lines(before, stepped, moments, asked.side, piece)
            was, now = (held(truth, asked.side, piece) for truth in (before.truth, after.truth))
            told = phase is Phase.PLOT and is_in_play(after.truth, piece)
            for sentence in (*words, *_hold_words(was, now, anyhow=told)):
                yield Line(turn, phase, piece, sentence)


def _hold_words(was: str, now: str, *, anyhow: bool) -> Iterator[str]:
    """Yield what is held, where it has changed or is wanted anyhow."""
    if was != now:
        yield f"you held {was}, then {now} (turn §3)"
    elif anyhow:
        yield f"you hold {now} (turn §3)"


def held(truth: Truth, side: Side, piece: PieceId) -> str:
    """Return what a side holds of a piece, in words; of agents it holds never anything."""
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
