"""The best scans of a window are those that trying every legal one would find."""

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import pytest

from builders.botmatches import fought
from builders.matches import view_of
from builders.played import Rig
from sunglare_protocol.geometry import Square, box_of
from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.orders import Scan
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.replay.analysis import BestScan
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.odds.preview import preview
from sunglare_server.match.analysis.analysis import at_once
from sunglare_server.match.analysis.bestscans import best_scans
from sunglare_server.match.dice import Dice
from sunglare_server.match.events.space import RadarGaveAway, ScanFinished
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.resolve.scanning import scan
from sunglare_server.match.state import MatchState

Kind = tuple[ScanSize, bool]


class Tried(NamedTuple):
    """What a scan comes to: pieces found and tracked, squares left, whether it tells its place."""

    found: tuple[str, ...]
    tracked: tuple[str, ...]
    left: int
    tells: bool

    @property
    def worth(self) -> tuple[int, int, int]:
        """Return the three numbers by which scans are compared."""
        return (len(self.found), len(self.tracked), self.left)


@lru_cache(maxsize=1)
def states() -> tuple[MatchState, ...]:
    """Return the SCAN windows of the first turns of a match, at their opening."""
    found: list[MatchState] = []

    def watch(_: object, match: Rig) -> None:
        if match.state.standing.phase is Phase.SCAN:
            found.append(match.state)

    fought("shadow-of-ceres", 3, "scout", "scout", watch=watch, turns_most=4)
    return tuple(found)


def side_of(state: MatchState) -> Side:
    """Return whose window it is."""
    side = state.standing.slot_side
    assert side is not None
    return side


def orders(state: MatchState) -> Iterator[Scan]:
    """Yield every scan of the window that could be ordered, by trying all places."""
    view = view_of(state, audience_of(side_of(state)))
    squares = list(state.board.area.squares())
    boxes = list(dict.fromkeys(box_of(square).name for square in squares))
    for ship in view.own:
        for kind in ScanType:
            for size in ScanSize:
                places: list[str] | list[Square] = boxes if "box" in size.value else squares
                for at in places:
                    order = Scan(ship=ship.id, type=kind, size=size, at=at, sense=True)
                    if check(view, (order,)) is None:
                        yield order


def tried(state: MatchState, order: Scan) -> Tried:
    """Return what a scan comes to in truth."""
    scanner = state.truth.ships[piece_id(side_of(state), order.ship)]
    events = list(scan(state.truth, scanner, order, Dice(seed=state.seed)))
    done = next(event for event in events if isinstance(event, ScanFinished))
    answer = preview(view_of(state, audience_of(side_of(state))), order)
    assert not isinstance(answer, Rejected)
    tells = any(isinstance(event, RadarGaveAway) for event in events)
    left = 1 if tells else answer.candidates[-1]
    return Tried(named(done.found), named(done.tracked), left, tells)


def named(pieces: tuple[PieceId, ...]) -> tuple[str, ...]:
    """Return pieces as all sides together call them."""
    return tuple(piece.replace("/", ".") for piece in pieces)


def ordered(best: BestScan) -> Scan:
    """Return the order of a scan that was told."""
    return Scan(ship=best.ship, type=best.type, size=best.size, at=best.at, sense=True)


@pytest.mark.parametrize("number", [0, 3])
def test_no_legal_scan_is_better_than_those_that_are_told(number: int) -> None:
    state = states()[number]
    kinds: dict[Kind, list[Tried]] = defaultdict(list)
    for order in orders(state):
        if (made := tried(state, order)).found:
            kinds[order.size, made.tells].append(made)
    due = {max(made.worth for made in equals) for equals in kinds.values()}
    undominated = {
        worth
        for worth in due
        if not any(
            other != worth and all(a >= b for a, b in zip(other, worth, strict=True))
            for other in due
        )
    }
    told = at_once(best_scans(state, side_of(state)))
    assert [tried(state, ordered(best)).worth for best in told] == sorted(
        undominated, reverse=True
    )


@pytest.mark.parametrize("number", range(4))
def test_a_scan_that_is_told_is_legal_and_comes_to_what_is_told(number: int) -> None:
    state = states()[number]
    told = at_once(best_scans(state, side_of(state)))
    for best in told:
        view = view_of(state, audience_of(side_of(state)))
        assert check(view, (ordered(best),)) is None
        made = tried(state, ordered(best))
        assert (best.found, best.tracked, best.left) == made[:3]
    assert any(at_once(best_scans(one, side_of(one))) for one in states())


def test_the_work_stops_for_breath_after_few_scans(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Scan] = []

    def counted(*words: object) -> object:
        made.append(words[2])  # type: ignore[arg-type]
        return scan(*words)  # type: ignore[arg-type]

    monkeypatch.setattr("sunglare_server.match.analysis.bestscans.scan", counted)
    for state in states():
        before = len(made)
        for _ in best_scans(state, side_of(state)):
            assert len(made) - before <= 32
            before = len(made)
    assert made
