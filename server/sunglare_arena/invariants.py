"""Invariants of the truth after every step of a match: counts, launches, points, detection.

The arena and the simulation ask it of each step that they see.
"""

import functools
import itertools
import typing
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from sunglare_protocol.orders import Launch
from sunglare_protocol.surface import GroundKind
from sunglare_protocol.words.armament import Launchable
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.ground.sowing import may_sow
from sunglare_rules.search.agents import Scene
from sunglare_rules.search.detection import closed
from sunglare_rules.turn.victory import AGENT_POINTS
from sunglare_server.match.events.blips import RemoteLaunched
from sunglare_server.match.events.ground import SensorSown
from sunglare_server.match.events.space import Event, FighterLaunched, PointsScored, VolleyLaunched
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.resolve.agents_scene import scene_of
from sunglare_server.match.state import MatchState, Stepped
from sunglare_server.match.truth.truth import Truth

DATA = ("board", "type", "crew")
"""The fields of the truth that hold what was read from files, and nothing that changes."""

LAUNCHES = (VolleyLaunched, FighterLaunched, RemoteLaunched, SensorSown)
"""The events by which there is a piece more."""

LAUNCHED_AS: dict[PieceKind | GroundKind, Launchable] = {
    PieceKind.MISSILE: Launchable.MISSILES,
    PieceKind.FIGHTER: Launchable.FIGHTER,
    PieceKind.REMOTE: Launchable.REMOTE,
    GroundKind.REMOTE: Launchable.REMOTE,
}
"""What each kind of piece is named as in the order that launches it."""

_Launched: typing.TypeAlias = Counter[tuple[PieceId, Launchable]]
"""How many pieces of each kind a launcher was ordered to launch, or has launched."""


class _Class(typing.Protocol):
    @property
    def kind(self) -> PieceKind | GroundKind: ...

    @property
    def points(self) -> int: ...


class _Piece(typing.Protocol):
    @property
    def type(self) -> _Class: ...

    @property
    def fate(self) -> Fate: ...


def broken(before: MatchState | None, stepped: Stepped) -> tuple[str, ...]:
    """Return which of the invariants a step has broken, a sentence each."""
    if before is None:
        return tuple(_negative(stepped.state.truth, None, "truth"))
    negative = _negative(stepped.state.truth, before.truth, "truth")
    return (
        *negative,
        *_wrong_launches(before, stepped),
        *_too_many_points(before, stepped),
        *_unspread(before, stepped.state),
    )


def _negative(value: object, before: object, name: str) -> Iterator[str]:
    """Find the counts below nought in what is not the very same as before."""
    if isinstance(value, int):
        if value < 0:
            yield f"{name} is {value}"
        return
    for key, part, earlier in _changed(value, before):
        yield from _negative(part, earlier, name + key)


_Parts: typing.TypeAlias = Iterable[tuple[str, object, object]]
"""The parts of a value that are not the very same as before: name, part, what was there."""


def _changed(value: object, before: object) -> _Parts:
    """Return the parts of a part of the truth that are not the very same as before.

    Squares and vectors count nothing and have none.
    """
    if isinstance(value, msgspec.Struct):
        return _changed_fields(value, before)
    if isinstance(value, dict):
        return _changed_items(value, before if isinstance(before, dict) else {})
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return _changed_members(value, before if isinstance(before, tuple) else ())
    return ()


def _changed_fields(value: msgspec.Struct, before: object) -> _Parts:
    for name in _names(type(value)):
        part, earlier = getattr(value, name), getattr(before, name, None)
        if part is not earlier:
            yield f".{name}", part, earlier


def _changed_items(value: Mapping[object, object], before: Mapping[object, object]) -> _Parts:
    for key, part in value.items():
        if part is not (earlier := before.get(key)):
            yield f"[{key}]", part, earlier


def _changed_members(value: tuple[object, ...], before: tuple[object, ...]) -> _Parts:
    for number, (part, earlier) in enumerate(itertools.zip_longest(value, before)):
        if part is not earlier:
            yield f"[{number}]", part, earlier


@functools.cache
def _names(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """Return the fields of a class that may change, and the numbers that follow from them."""
    fields = (*kind.__struct_fields__, *_numbers(kind))
    return tuple(name for name in fields if name not in DATA)


def _numbers(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """Return the properties of a class that are whole numbers."""
    return tuple(
        name
        for name, value in vars(kind).items()
        if isinstance(value, property) and typing.get_type_hints(value.fget).get("return") is int
    )


def _wrong_launches(before: MatchState, stepped: Stepped) -> Iterator[str]:
    """Find launches that did not add just the pieces named; who left space launches nothing."""
    if not _is_plot_carried_out(before, stepped.state):
        return
    ordered, launched = _ordered(before), _launched(before, stepped.state, stepped.events)
    for launch in dict.fromkeys((*ordered, *launched)):
        launcher, what = launch
        if launched[launch] != ordered[launch] and (
            launched[launch] or _may_launch(stepped.state, launcher)
        ):
            many = f"{launched[launch]} {what.value}"
            yield f"{launcher} launched {many} in the place of {ordered[launch]}"


def _is_plot_carried_out(before: MatchState, after: MatchState) -> bool:
    """Return whether a PLOT window was closed; resigning ends a match as it stands instead."""
    is_given_up = after.is_over and before.table.resigned != after.table.resigned
    is_other = before.standing.window != after.standing.window
    return before.standing.phase is Phase.PLOT and is_other and not is_given_up


def _ordered(state: MatchState) -> _Launched:
    return Counter(
        (piece_id(side, order.ship), order.what)
        for side, staged in state.staged.items()
        for order in staged.orders
        if isinstance(order, Launch)
    )


def _launched(before: MatchState, after: MatchState, events: Iterable[Event]) -> _Launched:
    """Return what is new in the truth, by the launcher that the event of its launch names."""
    launchers = {event.piece: event.launcher for event in events if isinstance(event, LAUNCHES)}
    new = [
        *_new(before.truth.ships, after.truth.ships),
        *_new(before.truth.ground, after.truth.ground),
    ]
    return Counter((launchers[piece], LAUNCHED_AS[kind]) for piece, kind in new)


def _new(
    before: Mapping[PieceId, _Piece], after: Mapping[PieceId, _Piece]
) -> Iterator[tuple[PieceId, PieceKind | GroundKind]]:
    return ((piece, new.type.kind) for piece, new in after.items() if piece not in before)


def _may_launch(after: MatchState, launcher: PieceId) -> bool:
    """Return whether a piece is, after all movement, where it can launch something."""
    unit = after.truth.ground.get(launcher)
    if unit is None:
        ship = after.truth.ships[launcher]
        return ship.in_play and ship.landing is None
    environs = None if unit.site is None else after.board.environs_at(unit.site)
    return unit.in_play and environs is not None and may_sow(environs, unit.cell)


def _too_many_points(before: MatchState, stepped: Stepped) -> Iterator[str]:
    """Find more points for what was destroyed or lost than it was worth.

    What was destroyed gives that much to all sides together, what was lost to each other one.
    """
    given = Counter[str]()
    for event in stepped.events:
        if isinstance(event, PointsScored):
            given[event.why] += event.points
    destroyed = _worth_gained(before, stepped.state, (Fate.DESTROYED,))
    if given["destroy"] > destroyed:
        yield f"{given['destroy']} points were given for what was worth {destroyed}"
    others = len(before.standing.sides) - 1
    left = _worth_gained(before, stepped.state, (Fate.DESTROYED, Fate.ESCAPED)) - given["destroy"]
    if given["lost"] and given["lost"] > others * left:
        yield f"{given['lost']} points were given to {others} sides for what was worth {left}"


def _unspread(before: MatchState, after: MatchState) -> Iterator[str]:
    """Find detection that has not spread: from the close of PLOT to that of DETECT it has.

    What searches and missions of ENGAGE leave spreads in the next PLOT.
    """
    if before.standing != after.standing and before.standing.phase is not Phase.ENGAGE:
        yield from unspread(after)


def unspread(state: MatchState) -> Iterator[str]:
    """Yield who is not detected in this state though detection would spread there."""
    if not state.truth.agents:
        return
    scene = scene_of(state.truth)
    pieces = zip(_flags(scene), _flags(closed(scene)), strict=True)
    yield from (
        f"{name} is not detected by those around" for (name, was), (_, now) in pieces if was != now
    )


def _flags(scene: Scene) -> list[tuple[str, bool]]:
    agents = [(agent.name, agent.detected) for agent in scene.agents]
    return [*agents, *((vessel.name, vessel.detected) for vessel in scene.vessels)]


def _worth_gained(before: MatchState, after: MatchState, fates: tuple[Fate, ...]) -> int:
    """Return what the pieces are worth that have come to one of these fates."""
    return _worth_of(after.truth, fates) - _worth_of(before.truth, fates)


def _worth_of(truth: Truth, fates: tuple[Fate, ...]) -> int:
    pieces: tuple[_Piece, ...] = (*truth.ships.values(), *truth.ground.values())
    worth = sum(piece.type.points for piece in pieces if piece.fate in fates)
    gone = sum(agent.fate in fates for agent in truth.agents.values())
    return worth + AGENT_POINTS * gone
