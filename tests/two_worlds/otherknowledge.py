"""Other worlds in which others know, or want, something else; and hidden things in other order."""

from random import Random
from typing import TypeVar

import msgspec

from sunglare_protocol.geometry import Compass
from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.words.dossiers import Dossier
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.turn.movement import AT_REST
from sunglare_server.match.data.scenario import Objective
from sunglare_server.match.ids import PieceId
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.truth import ShipTruth
from two_worlds.parts import UNNOTICED, World, attacks, pick

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

_replace = msgspec.structs.replace


def reorder(world: World, rng: Random) -> MatchState | None:
    """Change the order of hidden things in every container.

    It shows where several things are told at once, so most windows that tell none are passed.
    """
    state, truth = world.state, world.truth
    moving = sum(
        Fix.TRACKED in {hold.fix for hold in by_piece.values()}
        for by_piece in truth.holds.values()
    )
    told = len(world.coming_contacts) + len(attacks(state, world.orders)) + moving
    if told < 2 and rng.random() >= UNNOTICED:
        return None
    other = world.with_truth(
        ships=_ships_shuffled(rng, world),
        holds={side: _shuffled(rng, truth.holds[side]) for side in _shuffled(rng, truth.holds)},
        identified={
            side: tuple(rng.sample(pieces, len(pieces)))
            for side, pieces in _shuffled(rng, truth.identified).items()
        },
        points=_shuffled(rng, truth.points),
    )
    intel = {
        viewer: _replace(
            learned,
            held=_shuffled(rng, learned.held),
            exposed={
                ship: _shuffled(rng, by_side)
                for ship, by_side in _shuffled(rng, learned.exposed).items()
            },
        )
        for viewer, learned in _shuffled(rng, state.intel).items()
    }
    staged = _shuffled(rng, state.staged)
    return _replace(other, intel=intel, staged=staged)


def _shuffled(rng: Random, given: dict[_Key, _Value]) -> dict[_Key, _Value]:
    keys = list(given)
    rng.shuffle(keys)
    return {key: given[key] for key in keys}


def _ships_shuffled(rng: Random, world: World) -> dict[PieceId, ShipTruth]:
    """Return the ships in another order, the audience's own in theirs among themselves."""
    ships = world.truth.ships
    own = iter([ship for ship in ships.values() if world.is_own(ship.side)])
    mixed = _shuffled(rng, ships).values()
    ordered = [next(own) if world.is_own(ship.side) else ship for ship in mixed]
    return {ship.id: ship for ship in ordered}


def identified_by_other(world: World, rng: Random) -> MatchState | None:
    """Let another side have identified, or not, ships of which this is not told."""
    truth = world.truth
    side = rng.choice(world.others)
    toggled = rng.choice([ship.id for ship in truth.ships.values() if ship.side != side])
    now = truth.identified[side]
    known = toggled in now
    after = tuple(piece for piece in now if piece != toggled) if known else (*now, toggled)
    return _untold(world, identified={**truth.identified, side: after})


def third_side_contacts(world: World, rng: Random) -> MatchState | None:
    """Take from another side a contact or track on a third side's ship."""
    truth = world.truth
    holds = [(side, piece) for side in world.others for piece in truth.holds[side]]
    found = pick(rng, [hold for hold in holds if not world.is_own(truth.ships[hold[1]].side)])
    if found is None:
        return None
    side, piece = found
    owner, holder = audience_of(truth.ships[piece].side), audience_of(side)
    intel = dict(world.state.intel)
    intel[holder] = _replace(intel[holder], held=_without(intel[holder].held, piece))
    exposed = dict(intel[owner].exposed)
    ship = truth.ships[piece].own
    exposed[ship] = _without(exposed.get(ship, {}), side)
    intel[owner] = _replace(intel[owner], exposed=exposed)
    other = _untold(world, holds={**truth.holds, side: _without(truth.holds[side], piece)})
    return _replace(other, intel=intel)


def _without(given: dict[_Key, _Value], gone: _Key) -> dict[_Key, _Value]:
    return {key: value for key, value in given.items() if key != gone}


def dossiers_of_others(world: World, rng: Random) -> MatchState | None:
    """Let another side have identified and scanned, or not, a piece that it holds."""
    truth = world.truth
    found = pick(rng, [(side, piece) for side in world.others for piece in truth.holds[side]])
    if found is None:
        return None
    side, piece = found
    hold, ship = truth.holds[side][piece], truth.ships[piece]
    learned = world.state.intel[audience_of(side)]
    known = not hold.identified
    dossier = Dossier(turn=truth.turn, variant=ship.type.name, damage=rng.randint(0, 9))
    held = _replace(
        learned.held[piece],
        side=ship.side if known else None,
        type=ship.type.type_shown if known else None,
        dossier=dossier if known and rng.random() < 0.5 else None,
    )
    holds = {**truth.holds[side], piece: _replace(hold, identified=known)}
    other = _untold(world, holds={**truth.holds, side: holds})
    return _knowing(other, side, held={**learned.held, piece: held})


def points_of_others(world: World, rng: Random) -> MatchState | None:
    """Let another side have scored something else."""
    truth = world.truth
    side = rng.choice(world.others)
    points = {**truth.points, side: truth.points[side] + rng.randint(1, 300)}
    return _knowing(_untold(world, points=points), side, points=points[side])


def objectives_of_others(world: World, rng: Random) -> MatchState | None:
    """Give another side other objectives; those that end the match are known to all."""
    side, scenario = rng.choice(world.others), world.state.scenario
    names = [ship.name for ship in world.truth.ships.values()]
    edge = rng.choice((Compass.N, Compass.E, Compass.S, Compass.W))
    objectives = (
        Objective(kind=ObjectiveKind.ESCAPE, edge=edge),
        Objective(kind=ObjectiveKind.IDENTIFY, piece=rng.choice(names)),
        Objective(kind=ObjectiveKind.SURVIVE, piece=rng.choice(names)),
        *(goal for goal in scenario.sides[side].objectives if goal.ends_after),
    )
    setup = _replace(scenario.sides[side], objectives=objectives)
    other = _replace(scenario, sides={**scenario.sides, side: setup})
    return _knowing(_replace(world.state, scenario=other), side, objectives=objectives)


def collect_unseen(world: World, rng: Random) -> MatchState | None:
    """Let an unheld ship of another side lie at an asteroid where that side is to collect."""
    ships, rocks = world.loose(), world.truth.board.asteroids
    if not ships or not rocks:
        return None
    ship, rock = rng.choice(ships), rng.choice(rocks)
    there = world.with_ship(_replace(ship, square=rock.at, vector=AT_REST))
    objectives = (Objective(kind=ObjectiveKind.COLLECT, body=rock.name),)
    scenario = there.scenario
    setup = _replace(scenario.sides[ship.side], objectives=objectives)
    other = _replace(scenario, sides={**scenario.sides, ship.side: setup})
    return _knowing(_replace(there, scenario=other), ship.side, objectives=objectives)


def _untold(world: World, **changed: object) -> MatchState:
    """Return the state with parts of its truth changed, of which no owner is told."""
    return _replace(world.state, truth=_replace(world.truth, **changed))


def _knowing(state: MatchState, side: Side, **changed: object) -> MatchState:
    """Return the state in which that side knows something else."""
    viewer = audience_of(side)
    return _replace(state, intel={**state.intel, viewer: _replace(state.intel[viewer], **changed)})
