"""Other worlds in which others know, or want, something else; and hidden things in other order."""

from random import Random
from typing import TypeVar

import msgspec

from sunglare_protocol.geometry import Compass
from sunglare_protocol.ids import Audience, audience_of
from sunglare_protocol.words.dossiers import Dossier
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_server.match.data.scenario import Objective
from sunglare_server.match.ids import PieceId
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.truth import ShipTruth, Truth
from two_worlds.parts import UNNOTICED, Orders, attacks, coming_contacts, with_truth

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

_replace = msgspec.structs.replace


def reorder(
    state: MatchState, rng: Random, audience: Audience, orders: Orders
) -> MatchState | None:
    """Change the order of hidden things in every container.

    It shows where several things are told at once, so most windows that tell none are passed.
    """
    truth = state.truth
    moving = sum(
        Fix.TRACKED in {hold.fix for hold in by_piece.values()}
        for by_piece in truth.holds.values()
    )
    told = len(coming_contacts(state, audience, orders)) + len(attacks(state, orders)) + moving
    if told < 2 and rng.random() >= UNNOTICED:
        return None
    changed = _replace(
        truth,
        ships=_ships_shuffled(rng, truth, audience),
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
    return _replace(with_truth(state, changed), intel=intel, staged=staged)


def _shuffled(rng: Random, given: dict[_Key, _Value]) -> dict[_Key, _Value]:
    keys = list(given)
    rng.shuffle(keys)
    return {key: given[key] for key in keys}


def _ships_shuffled(rng: Random, truth: Truth, audience: Audience) -> dict[PieceId, ShipTruth]:
    """Return the ships in another order, the audience's own in theirs among themselves."""
    mixed = list(_shuffled(rng, truth.ships).values())
    own = iter([ship for ship in truth.ships.values() if audience_of(ship.side) == audience])
    ordered = [next(own) if audience_of(ship.side) == audience else ship for ship in mixed]
    return {ship.id: ship for ship in ordered}


def identified_by_other(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Let another side have identified, or not, ships of which this is not told."""
    truth = state.truth
    side = rng.choice([other for other in truth.sides if audience_of(other) != audience])
    foreign = [ship.id for ship in truth.ships.values() if ship.side != side]
    now = truth.identified[side]
    toggled = rng.choice(foreign)
    after = (
        tuple(piece for piece in now if piece != toggled) if toggled in now else (*now, toggled)
    )
    return _replace(state, truth=_replace(truth, identified={**truth.identified, side: after}))


def third_side_contacts(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Take from another side a contact or track on a third side's ship."""
    truth = state.truth
    found = [
        (side, piece)
        for side in truth.sides
        for piece in truth.holds[side]
        if audience not in (audience_of(side), audience_of(truth.ships[piece].side))
    ]
    if not found:
        return None
    side, piece = rng.choice(found)
    owner, holder = audience_of(truth.ships[piece].side), audience_of(side)
    holds = {other: hold for other, hold in truth.holds[side].items() if other != piece}
    intel = dict(state.intel)
    held = {other: one for other, one in intel[holder].held.items() if other != piece}
    intel[holder] = _replace(intel[holder], held=held)
    exposed = dict(intel[owner].exposed)
    ship = truth.ships[piece].own
    exposed[ship] = {by: fix for by, fix in exposed.get(ship, {}).items() if by != side}
    intel[owner] = _replace(intel[owner], exposed=exposed)
    changed = _replace(truth, holds={**truth.holds, side: holds})
    return _replace(state, truth=changed, intel=intel)


def dossiers_of_others(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Let another side have identified and scanned, or not, a piece that it holds."""
    truth = state.truth
    found = [
        (side, piece)
        for side in truth.sides
        for piece in truth.holds[side]
        if audience_of(side) != audience
    ]
    if not found:
        return None
    side, piece = rng.choice(found)
    hold, viewer, ship = truth.holds[side][piece], audience_of(side), truth.ships[piece]
    known = not hold.identified
    dossier = Dossier(turn=truth.turn, variant=ship.type.name, damage=rng.randint(0, 9))
    held = _replace(
        state.intel[viewer].held[piece],
        side=ship.side if known else None,
        type=ship.type.type_shown if known else None,
        dossier=dossier if known and rng.random() < 0.5 else None,
    )
    learned = _replace(state.intel[viewer], held={**state.intel[viewer].held, piece: held})
    holds = {**truth.holds[side], piece: _replace(hold, identified=known)}
    changed = _replace(truth, holds={**truth.holds, side: holds})
    return _replace(state, truth=changed, intel={**state.intel, viewer: learned})


def points_of_others(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Let another side have scored something else."""
    truth = state.truth
    side = rng.choice([other for other in truth.sides if audience_of(other) != audience])
    points = {**truth.points, side: truth.points[side] + rng.randint(1, 300)}
    scorer = audience_of(side)
    known = _replace(state.intel[scorer], points=points[side])
    changed = _replace(truth, points=points)
    return _replace(state, truth=changed, intel={**state.intel, scorer: known})


def objectives_of_others(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Give another side other objectives."""
    side = rng.choice([other for other in state.truth.sides if audience_of(other) != audience])
    names = [ship.name for ship in state.truth.ships.values()]
    objectives = (
        Objective(
            kind=ObjectiveKind.ESCAPE,
            edge=rng.choice((Compass.N, Compass.E, Compass.S, Compass.W)),
        ),
        Objective(kind=ObjectiveKind.IDENTIFY, piece=rng.choice(names)),
        Objective(kind=ObjectiveKind.SURVIVE, piece=rng.choice(names)),
    )
    setup = _replace(state.scenario.sides[side], objectives=objectives)
    scenario = _replace(state.scenario, sides={**state.scenario.sides, side: setup})
    learned = _replace(state.intel[audience_of(side)], objectives=objectives)
    intel = {**state.intel, audience_of(side): learned}
    return _replace(state, scenario=scenario, intel=intel)
