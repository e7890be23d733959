"""What a review calls lost is what the movement loses, in real matches: no more and no less."""

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import NamedTuple

import pytest

from builders.matches import crowd, view_of
from builders.played import rig
from builders.scenarios import scenarios
from sunglare_protocol.ids import PUBLIC, OwnId, Side, audience_of
from sunglare_protocol.messages.answers import Loss
from sunglare_protocol.orders import OFF_MAP
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.review import LossKind
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.advice.review.review import review
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.events.agents import BoundFor
from sunglare_server.match.events.ground import TakenAlong
from sunglare_server.match.events.space import (
    Event,
    ShipDestroyed,
    ShipEscaped,
    VolleyLaunched,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.agents import AgentTruth
from sunglare_server.match.truth.ground import GroundTruth

LEAVES, STRIKES = LossKind.LEAVES_MAP, LossKind.STRIKES_BODY

SCENES = {
    "broadside": (LEAVES, STRIKES),
    "garrison": (STRIKES,),
    "siege": (LEAVES,),
    "hunt": (LEAVES,),
    "duel": (LEAVES,),
    "crowd": (LEAVES,),
    "melee": (LEAVES,),
    "gunnery": (LEAVES,),
    "parade": (LEAVES,),
}
"""Small maps on which random ships leave, with troops and agents aboard, and where some crash:
what is seen of that, at least."""

SEEDS = range(12)
"""The seeds of the matches that are played of each scene."""

FEW_SEEDS = (0, 9)
"""Those of two matches of `broadside` in which ships and new volleys leave and strike."""


class Lost(NamedTuple):
    """What a movement loses: the piece, or the launcher and weapon of a new volley."""

    piece: OwnId
    weapon: str | None
    kind: LossKind
    aboard: tuple[OwnId, ...] = ()


class Plot(NamedTuple):
    """A PLOT of one side: how it began, what a review of its orders found, what happened."""

    before: MatchState
    side: Side
    found: tuple[Loss, ...]
    events: tuple[Event, ...]


def plots(name: str, seeds: Iterable[int] = SEEDS) -> Iterator[Plot]:
    """Yield every PLOT of random matches on a scene."""
    scene: Scenario = crowd(2, 3) if name == "crowd" else scenarios()[name]
    for seed in seeds:
        match = rig(scene, seed, PUBLIC)
        for before, given, events in match.windows(Random(f"{name}/{seed}")):
            if before.standing.phase is Phase.PLOT:
                for side, orders in given.items():
                    view = view_of(before, audience_of(side))
                    yield Plot(before, side, review(view, orders).losses, events)


def lost(plot: Plot) -> Iterator[Lost]:
    """Yield what the side lost, but for ships that went where they were to go."""
    launched = {event.piece: event for event in plot.events if isinstance(event, VolleyLaunched)}
    ships = plot.before.truth.ships
    for event in plot.events:
        if isinstance(event, ShipDestroyed):
            kind = STRIKES
        elif isinstance(event, ShipEscaped) and not is_sent_off(plot, event):
            kind = LEAVES
        else:
            continue
        launch = launched.get(event.piece)
        ship = ships[event.piece if launch is None else launch.launcher]
        if ship.side != plot.side or ship.is_remote:
            continue
        if launch is None:
            yield Lost(ship.own, None, kind, taken_along(plot, ship.id))
        else:
            yield Lost(ship.own, launch.weapon, kind)


def is_sent_off(plot: Plot, event: ShipEscaped) -> bool:
    """Return whether a ship left by its standing order, or for the points of an objective."""
    ship = plot.before.truth.ships.get(event.piece)
    if ship is None:
        return False
    stands = [bound for bound in plot.events if isinstance(bound, BoundFor)]
    bound = [stand.planet for stand in stands if stand.piece == ship.id] or [ship.bound_for]
    objectives = plot.before.scenario.sides[ship.side].objectives
    wanted = [goal.edge for goal in objectives if goal.kind is ObjectiveKind.ESCAPE]
    return bound[-1] == OFF_MAP or (event.edge in wanted and ship.type.points > 0)


def taken_along(plot: Plot, ship: PieceId) -> tuple[OwnId, ...]:
    """Return who was lost with a ship, units first."""
    gone = [event.piece for event in plot.events if isinstance(event, TakenAlong)]
    truth = plot.before.truth
    pieces: tuple[GroundTruth | AgentTruth, ...] = (
        *truth.ground.values(),
        *truth.agents.values(),
    )
    return tuple(one.own for one in pieces if one.id in gone and one.aboard == ship)


@pytest.mark.parametrize(
    ("name", "seeds"), [("broadside", FEW_SEEDS), *((name, SEEDS) for name in SCENES)]
)
def test_the_losses_of_a_review_are_those_of_the_movement(name: str, seeds: Iterable[int]) -> None:
    kinds: list[LossKind] = []
    for plot in plots(name, seeds):
        foreseen = [
            Lost(one.piece, one.weapon, one.kind, one.aboard)
            for one in plot.found
            if one.kind in (LEAVES, STRIKES)
        ]
        assert Counter(foreseen) == Counter(lost(plot)), plot.before.standing.window
        kinds += [one.kind for one in foreseen]
    assert {*SCENES[name]} <= {*kinds}


def test_a_ship_that_is_said_to_be_lost_next_turn_is_lost_by_then() -> None:
    doomed: dict[tuple[Side, int], list[OwnId]] = {}
    borne_out = 0
    for plot in plots("parade"):
        turn = plot.before.standing.turn
        if turn == 1:
            doomed.clear()
        gone = [one.piece for one in lost(plot)]
        flying = [ship.own for ship in plot.before.truth.in_play() if ship.side == plot.side]
        for piece in doomed.get((plot.side, turn), ()):
            assert piece in gone or piece not in flying, plot.before.standing.window
            borne_out += piece in gone
        for one in plot.found:
            if one.kind is LossKind.LOST_NEXT_TURN:
                doomed.setdefault((plot.side, one.turn), []).append(one.piece)
    assert borne_out
