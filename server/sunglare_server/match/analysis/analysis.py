"""The analysis of a window of a finished match, made from the state in which it opened.

Theory of operation. A fold of the records of a match that is over has the state at the opening of
every window. Where pieces may be is asked of `advice` with each side's own view, which has nothing
that the side could not know; the best scans are made in the truth. Both follow from the record, so
the same record and rules make the same bytes, as `sunglare verify` does.

Much of it at once would keep the other matches of a server waiting, so this is a generator that
stops for breath now and then; what it yields means nothing, and what it returns is the analysis.
"""

from collections.abc import Generator
from functools import lru_cache
from typing import TypeVar

import msgspec

from sunglare_protocol.geometry import Board
from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.replay.analysis import Analysis, BestScan, Runs, Spot, runs
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.odds.whereabouts import whereabouts
from sunglare_rules.sensors.masks import squares_in
from sunglare_server.match.analysis.bestscans import best_scans
from sunglare_server.match.fog import view as fog
from sunglare_server.match.state import FramePost, MatchState, Stepped

Made = TypeVar("Made")

_RUNS_KEPT = 1024
"""How many masks are remembered as runs: what is known of a scan is so to all, for a turn."""


def has_analysis(stepped: Stepped) -> bool:
    """Return whether a step has opened a window that takes orders."""
    opened = any(isinstance(post, FramePost) for post in stepped.posts)
    return opened and not stepped.state.is_over


def analysed(state: MatchState, seq: int) -> Generator[None, None, Analysis]:
    """Return the analysis of the window that has opened, with this number; yields for breath."""
    standing = state.standing
    spots: dict[Side, tuple[Spot, ...]] = {}
    scans: dict[Side, tuple[BestScan, ...]] = {}
    for side in standing.sides:
        spots[side] = _spots(state, side)
        yield
        if standing.phase is Phase.SCAN and standing.takes_orders_of(side):
            scans[side] = yield from best_scans(state, side)
    return Analysis(seq=seq, turn=standing.turn, window=standing.window, spots=spots, scans=scans)


def at_once(work: Generator[None, None, Made]) -> Made:
    """Return what such a generator returns, for a caller that keeps no match waiting."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            made: Made = done.value
            return made


def packed_analysis(analysis: Analysis) -> bytes:
    """Return the MessagePack of an analysis, as the layer has it."""
    return msgspec.msgpack.encode(analysis)


def _spots(state: MatchState, side: Side) -> tuple[Spot, ...]:
    view = fog.view(state.intel[audience_of(side)], state.standing, state.board)
    return tuple(
        [
            Spot(
                of=found.of,
                basis=found.basis,
                side=found.side,
                squares=_runs(state.board, found.mask),
            )
            for found in whereabouts(view)
        ]
    )


@lru_cache(maxsize=_RUNS_KEPT)
def _runs(board: Board, mask: int) -> Runs:
    return runs(board, squares_in(board, mask))
