"""Other worlds in which the surface is another where the audience does not see or know it."""

from collections.abc import Callable
from random import Random

import msgspec

from builders.ground import ground_classes
from sunglare_protocol.ids import PUBLIC, Audience, OwnId, Side, audience_of
from sunglare_protocol.surface import Cell, Mode
from sunglare_rules.ground.terrain import may_stand, terrain_at
from sunglare_server.match.data.ground_classes import GroundClass
from sunglare_server.match.ids import piece_id
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.agents import AgentTruth
from sunglare_server.match.truth.ground import GroundTruth, TokenHold
from sunglare_server.match.truth.truth import Truth
from two_worlds.parts import Orders, with_truth

_replace = msgspec.structs.replace


def enemies(truth: Truth, audience: Audience) -> list[GroundTruth]:
    """Return the ground units in play that are not the audience's own."""
    return [
        unit
        for unit in truth.ground.values()
        if unit.in_play and audience_of(unit.side) != audience
    ]


def unheld(truth: Truth, audience: Audience) -> list[GroundTruth]:
    """Return the foreign units that the audience does not hold: hidden, aboard or out of sight."""
    held = () if audience == PUBLIC else truth.surface.tokens_of(Side(audience))
    return [unit for unit in enemies(truth, audience) if unit.id not in held]


def blips(truth: Truth, audience: Audience) -> list[GroundTruth]:
    """Return the foreign units that the audience does not hold identified."""
    held = {} if audience == PUBLIC else truth.surface.tokens_of(Side(audience))
    return [
        unit
        for unit in enemies(truth, audience)
        if unit.id not in held or not held[unit.id].identified
    ]


def move_unheld(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Put a unit that the audience does not hold on another cell of its map."""
    units = [unit for unit in unheld(state.truth, audience) if unit.site is not None]
    unit = rng.choice(units) if units else None
    cell = None if unit is None else _other_cell(state.truth, rng, unit)
    if unit is None or cell is None:
        return None
    return with_unit(state, _replace(unit, cell=cell))


def remove_unheld(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Take away a unit that the audience does not hold."""
    truth = state.truth
    stacked = {agent.stacked for agent in truth.agents.values()}
    held = {piece for side in truth.sides for piece in truth.surface.tokens_of(side)}
    units = [unit for unit in unheld(truth, audience) if unit.id not in stacked | held]
    if not units:
        return None
    gone = rng.choice(units)
    ground = {piece: unit for piece, unit in truth.ground.items() if piece != gone.id}
    return with_truth(state, _replace(truth, ground=ground))


def add_hidden(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Add a hidden unit to another side."""
    models = [unit for unit in enemies(state.truth, audience) if unit.site is not None]
    if not models:
        return None
    model = rng.choice(models)
    own = OwnId("G9")
    piece = piece_id(model.side, own)
    cell = _other_cell(state.truth, rng, model)
    if piece in state.truth.ground or cell is None:
        return None
    added = _replace(model, id=piece, own=own, name="stowaway", hidden=True, cell=cell, damage=0)
    return with_unit(state, added)


def change_blip(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Put another class behind a token that the audience has not identified."""
    return _changed(state, rng, blips(state.truth, audience), lambda unit: _other_class(rng, unit))


def change_condition(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Give a foreign unit, known or not, another name, damage, heat, strength and variant."""

    def other(unit: GroundTruth) -> GroundTruth:
        kind = _replace(
            unit.type,
            name=f"canary-{rng.randrange(10**6)}",
            toughness=rng.randint(unit.damage + 1, unit.damage + 9),
            af=rng.randint(0, 9),
        )
        return _replace(
            unit, name=f"canary {rng.randrange(10**6)}", heat=rng.randint(0, 4), type=kind
        )

    return _changed(state, rng, enemies(state.truth, audience), other)


def change_arms(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Give a foreign unit, known or not, weapons that do other damage."""

    def other(unit: GroundTruth) -> GroundTruth:
        arms = tuple(_replace(weapon, s=rng.randint(1, 9)) for weapon in unit.type.weapons)
        kind = _replace(unit.type, weapons=arms, gunnery=rng.randint(2, 8))
        return _replace(unit, type=kind)

    armed = [unit for unit in enemies(state.truth, audience) if unit.type.weapons]
    return _changed(state, rng, armed, other)


def know_other(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Let another side know, or not know, which token it holds."""
    truth = state.truth
    holds = [
        (side, piece)
        for side in truth.sides
        if audience_of(side) != audience
        for piece in truth.surface.tokens_of(side)
    ]
    if not holds:
        return None
    side, piece = rng.choice(sorted(holds))
    hold = truth.surface.tokens_of(side)[piece]
    tokens = {**truth.surface.tokens_of(side), piece: TokenHold(identified=not hold.identified)}
    surface = _replace(truth.surface, tokens={**truth.surface.tokens, side: tokens})
    return with_truth(state, _replace(truth, surface=surface))


def change_agents(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Let a foreign agent be another one, somewhere else or not there at all."""
    truth = state.truth
    agents = [
        foreign
        for foreign in truth.agents.values()
        if audience_of(foreign.side) != audience and foreign.group is None
    ]
    if not agents:
        return None
    agent = rng.choice(agents)
    if rng.random() < 0.3:
        rest = {piece: foreign for piece, foreign in truth.agents.items() if piece != agent.id}
        return with_truth(state, _replace(truth, agents=rest))
    other: AgentTruth = _replace(
        agent,
        name=f"canary {rng.randrange(10**6)}",
        combat=rng.randint(0, 9),
        endurance=rng.randint(1, 9),
        leadership=rng.randint(0, 9),
        detected=rng.random() < 0.5,
        stacked=None,
    )
    return with_truth(state, _replace(truth, agents={**truth.agents, agent.id: other}))


def with_unit(state: MatchState, unit: GroundTruth) -> MatchState:
    """Return the state with that unit in the place of its namesake, its owner informed."""
    ground = {**state.truth.ground, unit.id: unit}
    return with_truth(state, _replace(state.truth, ground=ground))


def _changed(
    state: MatchState,
    rng: Random,
    units: list[GroundTruth],
    other: Callable[[GroundTruth], GroundTruth],
) -> MatchState | None:
    return with_unit(state, other(rng.choice(units))) if units else None


def _other_class(rng: Random, unit: GroundTruth) -> GroundTruth:
    kinds = [
        kind
        for kind in ground_classes().values()
        if kind.mode is unit.type.mode and kind.name != unit.type.name
    ]
    if not kinds:
        return unit
    kind: GroundClass = rng.choice(kinds)
    # It moves alike and has weapons of the same names, or its orders would betray it.
    alike = _replace(kind, move=unit.type.move, jump=unit.type.jump, weapons=unit.type.weapons)
    return _replace(unit, type=_replace(alike, toughness=unit.type.toughness))


def _other_cell(truth: Truth, rng: Random, unit: GroundTruth) -> Cell | None:
    environs = None if unit.site is None else truth.board.environs_at(unit.site)
    if environs is None:
        return None
    mode = Mode.NONE if unit.type.mode is Mode.NONE else unit.type.mode
    for _ in range(20):
        cell = Cell(rng.randrange(environs.columns), rng.randrange(environs.rows))
        if cell != unit.cell and may_stand(mode, terrain_at(environs, cell)):
            return cell
    return None
