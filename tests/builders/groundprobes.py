"""Ground units with abilities, a flat wide map, and requests about tokens, for the tests."""

from collections.abc import Iterable

from msgspec.structs import replace

from builders.ground import ground_truth, planet, seeing, unit
from builders.spotting import specials
from builders.truths import A
from sunglare_protocol.geometry import Compass
from sunglare_protocol.ids import Side
from sunglare_protocol.orders import Order
from sunglare_protocol.words.dossiers import Outcome
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match.events.ground import TokenProbed
from sunglare_server.match.events.space import Event
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.ground_probing import probes
from sunglare_server.match.resolve.probing import Request
from sunglare_server.match.state import MatchState, Staged
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import Truth
from sunglare_server.match.turn.flow import Flow
from sunglare_server.match.turn.sequence import resolve_window

FLAT = planet(*(("." * 26,) * 3))
"""A map of 52 by 6 inches without anything on it."""

DARK = planet(*(("." * 26,) * 3), sector=Compass.S)
"""The same at night."""


def able(
    side: Side, at: tuple[int, int], words: str = "", number: int = 1, kind: str = "battle-tank"
) -> GroundTruth:
    """Return a ground unit of that class with these abilities and no others."""
    made = unit(side, number, at, kind)
    return replace(made, type=replace(made.type, specials=specials(words)))


def known(truth: Truth, *pieces: str, side: Side = A) -> Truth:
    """Return the truth in which the side sees the first map and has identified these pieces."""
    return seeing(truth, side, *pieces, identified=True)


def asked(truth: Truth, scanner: str = "A/G1", target: str = "B/G1") -> TokenProbed:
    """Return what comes of a request about a token."""
    [event] = probes(truth, (Request(PieceId(scanner), PieceId(target)),))
    return event


def probes_of(events: Iterable[Event]) -> dict[tuple[PieceId, PieceId], tuple[Outcome, bool]]:
    """Return by asker and target what came of each request, and whether by a probe."""
    probed = [event for event in events if isinstance(event, TokenProbed)]
    return {(event.piece, event.target): (event.outcome, event.by_probe) for event in probed}


def duel(words: str, theirs: str, apart: int) -> Truth:
    """Return two tanks so many cells apart on open ground, A knowing B's."""
    units = (able(A, (0, 0), words), able(Side("B"), (apart, 0), theirs))
    return known(ground_truth(*units, body=FLAT), "B/G1")


def closed(state: MatchState, phase: Phase, orders: dict[Side, tuple[Order, ...]]) -> Flow:
    """Return the flow of a window of that phase that closes with these orders."""
    standing = replace(state.standing, phase=phase)
    staged = {side: Staged(1, given, locked=True) for side, given in orders.items()}
    flow = Flow(replace(state, standing=standing, staged=staged))
    resolve_window(flow)
    return flow
