"""Who is due to learn of an event: the parts of a second reading of the ledger's rows.

It is written from the rule book over the truth before and after an event, and knows nothing of
how the server perceives. A reading yields an audience once for each thing it is due to be told.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple, TypeAlias, final

from sunglare_protocol.ids import OMNI, PUBLIC, Audience, Side, audience_of
from sunglare_protocol.words.dossiers import Outcome
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.events.space import Event
from sunglare_server.match.facts.space import Fact, Noticed
from sunglare_server.match.ids import PieceId
from sunglare_server.match.ledger.ledger import fields_told
from sunglare_server.match.truth.truth import Truth

APART = ("type", "dossier", "signal", "points", "at_most")
"""The fields whose presence makes another thing of a fact: identity, data, strength, a share."""

ANY_HOLD = (Fix.CONTACT, Fix.TRACKED, Fix.COASTING)
HELD_WELL = (Fix.CONTACT, Fix.TRACKED)


@final
class Scene(NamedTuple):
    """An event with the truth before and after it; of what type it is the table's key says.

    `step` are all events of its step, for what follows from several of them.
    """

    event: Any
    before: Truth
    after: Truth
    options: MatchOptions
    step: tuple[Event, ...]

    @property
    def is_duel(self) -> bool:
        """Return whether there are two sides, so that the public is told what both are."""
        return len(self.before.sides) == 2


Reading: TypeAlias = Callable[[Scene], Iterable[Audience]]
"""Whom an event is due to tell something."""

Readings: TypeAlias = dict[str, dict[str, Reading]]
"""By event and by what is told, a fact or the notice that it is, whom it is due to be told."""


Told: TypeAlias = tuple[str, Audience]
"""What is told, as `told_by` calls it, and to whom."""


def told_by(fact: Fact) -> str:
    """Return what a fact tells: its kind, or that of its notice, and the fields set apart."""
    if isinstance(fact, Noticed):
        return type(fact.notice).__name__
    return _set_apart(type(fact).__name__, fields_told(fact))


@cache
def _set_apart(kind: str, fields: tuple[str, ...]) -> str:
    return "+".join((kind, *(field for field in APART if field in fields)))


def due(readings: Readings, scene: Scene) -> Iterator[Told]:
    """Yield what is due to be told to whom, as often as it is due."""
    rows = readings.get(type(scene.event).__name__, {})
    return ((what, who) for what, reading in rows.items() for who in reading(scene))


def differences(readings: Readings, scene: Scene, told: Iterable[Told]) -> list[str]:
    """Return what was told though it was not due, and what was due and not told."""
    given, wanted = _counted(told), _counted(due(readings, scene))
    if given == wanted:
        return []
    name = type(scene.event).__name__
    return [
        f"{name}: {what} was told to {who} {given.get((what, who), 0)} times, "
        f"not {wanted.get((what, who), 0)}"
        for what, who in sorted({**given, **wanted})
        if given.get((what, who)) != wanted.get((what, who))
    ]


def _counted(told: Iterable[Told]) -> dict[Told, int]:
    """Count what is told; most events tell little, for which a `Counter` takes longer."""
    counts: dict[Told, int] = {}
    for one in told:
        counts[one] = counts.get(one, 0) + 1
    return counts


# Audiences.


def of(*sides: Side) -> tuple[Audience, ...]:
    """Return the audiences of these sides, each once."""
    return tuple(map(audience_of, dict.fromkeys(sides)))


def everybody(scene: Scene) -> tuple[Audience, ...]:
    """Return all audiences."""
    return (*of(*scene.before.sides), PUBLIC, OMNI)


def omni(_scene: Scene) -> tuple[Audience, ...]:
    """Return those who see the truth."""
    return (OMNI,)


def omni_if(condition: Callable[[Scene], bool]) -> Reading:
    """Return a reading by which those who see the truth are told under a condition."""
    return given(condition, omni)


def given(condition: Callable[[Scene], bool], reading: Reading) -> Reading:
    """Return a reading under a condition."""
    return lambda scene: reading(scene) if condition(scene) else ()


def owner(scene: Scene) -> tuple[Audience, ...]:
    """Return the owner of the piece that the event names."""
    return of(side_of(scene.before, scene.event.piece))


def named(scene: Scene) -> tuple[Audience, ...]:
    """Return the side that the event names."""
    return of(scene.event.side)


def asker(*, full: bool) -> Reading:
    """Return the reading by which who asked is told, if the answer is full, or is not."""
    return given(lambda scene: (scene.event.outcome is Outcome.FULL) is full, owner)


def target(scene: Scene) -> tuple[Audience, ...]:
    """Return the owner of the piece at which the event is aimed."""
    return of(side_of(scene.before, scene.event.target))


def duel_public(scene: Scene) -> tuple[Audience, ...]:
    """Return the public, if there are two sides."""
    return (PUBLIC,) if scene.is_duel else ()


def others(scene: Scene) -> tuple[Audience, ...]:
    """Return all sides but the owner of the piece."""
    mine = side_of(scene.before, scene.event.piece)
    return of(*(side for side in scene.before.sides if side != mine))


def both(*readings: Reading) -> Reading:
    """Return the reading by which all are told whom one of these has."""
    return lambda scene: [audience for reading in readings for audience in reading(scene)]


# Who owns, holds and knows what.


def side_of(truth: Truth, piece: PieceId) -> Side:
    """Return whose a piece is: a ship, a ground unit or an agent."""
    for pieces in (truth.ships, truth.ground, truth.agents):
        if piece in pieces:
            return pieces[piece].side
    raise KeyError(piece)


def holders(truth: Truth, piece: PieceId, *fixes: Fix, told: bool = False) -> tuple[Side, ...]:
    """Return the sides that hold a ship so; with `told` those of which its owner was told."""
    found = []
    for side in truth.sides:
        hold = truth.holds[side].get(piece)
        if (
            hold is not None
            and hold.fix in fixes
            and not (told and _is_secret(truth, side, piece))
        ):
            found.append(side)
    return tuple(found)


def _is_secret(truth: Truth, side: Side, piece: PieceId) -> bool:
    hold = truth.holds[side][piece]
    return hold.quiet or hold.overhead


def token_holders(truth: Truth, piece: PieceId) -> tuple[Side, ...]:
    """Return the sides that hold a piece as a token of a surface map."""
    return tuple(side for side in truth.sides if piece in truth.surface.tokens_of(side))
