"""Other worlds in which the surface is another where the audience does not see or know it."""

from collections.abc import Callable
from random import Random

import msgspec

from builders.ground import ground_classes
from sunglare_arena.invariants import unspread
from sunglare_protocol.ids import PUBLIC, OwnId, Side
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.ground.terrain import may_stand, terrain_at
from sunglare_server.match.data.ground_classes import GroundClass
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.ground import GroundTruth, TokenHold
from sunglare_server.match.truth.truth import Truth
from two_worlds.parts import World, pick

_replace = msgspec.structs.replace


def enemies(world: World) -> list[GroundTruth]:
    """Return the ground units in play that are not the audience's own."""
    units = world.truth.ground.values()
    return [unit for unit in units if unit.in_play and not world.is_own(unit.side)]


def _tokens(world: World) -> dict[PieceId, TokenHold]:
    if world.audience == PUBLIC:
        return {}
    return world.truth.surface.tokens_of(Side(world.audience))


def _unheld(world: World) -> list[GroundTruth]:
    """Return the foreign units that the audience does not hold: hidden, aboard or out of sight."""
    return [unit for unit in enemies(world) if unit.id not in _tokens(world)]


def _blips(world: World) -> list[GroundTruth]:
    """Return the foreign units that the audience does not hold identified."""
    held = _tokens(world)
    return [unit for unit in enemies(world) if unit.id not in held or not held[unit.id].identified]


def move_unheld(world: World, rng: Random) -> MatchState | None:
    """Put a unit that the audience does not hold on another cell of its map."""
    unit = pick(rng, [unit for unit in _unheld(world) if unit.site is not None])
    cell = None if unit is None else _other_cell(world.truth, rng, unit)
    if unit is None or cell is None:
        return None
    return _with_unit(world, _replace(unit, cell=cell))


def remove_unheld(world: World, rng: Random) -> MatchState | None:
    """Take away a unit that the audience does not hold, that laid nothing and was not laid.

    What is laid is numbered by what lies already, and nothing laid ever leaves the truth.
    """
    truth = world.truth
    kept = {agent.stacked for agent in truth.agents.values()}
    kept |= {piece for side in truth.sides for piece in truth.surface.tokens_of(side)}
    kept |= {unit.launcher for unit in truth.ground.values()}
    fit = [unit for unit in _unheld(world) if unit.launcher is None and unit.id not in kept]
    gone = pick(rng, fit)
    if gone is None:
        return None
    return world.with_truth(
        ground={piece: unit for piece, unit in truth.ground.items() if piece != gone.id}
    )


def add_hidden(world: World, rng: Random) -> MatchState | None:
    """Add a hidden unit to another side."""
    model = pick(rng, [unit for unit in enemies(world) if unit.site is not None])
    if model is None:
        return None
    own = OwnId("G9")
    piece = piece_id(model.side, own)
    cell = _other_cell(world.truth, rng, model)
    if piece in world.truth.ground or cell is None:
        return None
    added = _replace(model, id=piece, own=own, name="stowaway", hidden=True, cell=cell, damage=0)
    return _with_unit(world, added)


def hidden_occupants(world: World, rng: Random) -> MatchState | None:
    """Let another side have hidden troops, or none, where it has none in the open.

    The environs is one whose occupation ends the match.
    """
    places = [(side, site) for side in world.others for site in decisive_sites(world.state)]
    fit = [(side, site) for side, site in places if not _troops(world, side, site, hidden=False)]
    side, site = rng.choice(fit) if fit else (None, None)
    if side is None or site is None:
        return None
    hidden = _troops(world, side, site, hidden=True)
    if not hidden:
        return _with_stowaway(world, rng, side, site)
    kept = {agent.stacked for agent in world.truth.agents.values()}
    kept |= {unit.launcher for unit in world.truth.ground.values()}
    held = _tokens(world)
    if any(unit.id in kept or unit.id in held for unit in hidden):
        return None
    gone = [unit.id for unit in hidden]
    units = world.truth.ground.items()
    return world.with_truth(ground={piece: unit for piece, unit in units if piece not in gone})


def decisive_sites(state: MatchState) -> list[Site]:
    """Return the environs whose occupation ends the match, each once."""
    goals = [goal for setup in state.scenario.sides.values() for goal in setup.objectives]
    return sorted({goal.at for goal in goals if goal.at is not None and goal.ends_after})


def _troops(world: World, side: Side, site: Site, *, hidden: bool) -> list[GroundTruth]:
    return [
        unit
        for unit in world.truth.ground_of(side)
        if unit.in_play and not unit.is_remote and (unit.site, unit.hidden) == (site, hidden)
    ]


def _with_stowaway(world: World, rng: Random, side: Side, site: Site) -> MatchState | None:
    """Return the world in which a unit like one of the side's own hides on that environs."""
    piece = piece_id(side, OwnId("G9"))
    models = [unit for unit in world.truth.ground_of(side) if not unit.is_remote]
    if not models or piece in world.truth.ground:
        return None
    model = _replace(rng.choice(models), site=site, aboard=None, fate=Fate.IN_PLAY)
    cell = _other_cell(world.truth, rng, model)
    if cell is None:
        return None
    added = _replace(
        model, id=piece, own=OwnId("G9"), name="stowaway", hidden=True, cell=cell, damage=0
    )
    return _with_unit(world, added)


def change_blip(world: World, rng: Random) -> MatchState | None:
    """Put another class behind a token that the audience has not identified."""
    return changed(world, rng, _blips(world), lambda unit: _other_class(rng, unit))


def change_condition(world: World, rng: Random) -> MatchState | None:
    """Give a foreign unit, known or not, another name, damage, heat, strength and variant."""

    def other(unit: GroundTruth) -> GroundTruth:
        kind = _replace(
            unit.type,
            name=f"canary-{rng.randrange(10**6)}",
            toughness=rng.randint(unit.damage + 1, unit.damage + 9),
            af=rng.randint(0, 9),
        )
        name = f"canary {rng.randrange(10**6)}"
        return _replace(unit, name=name, heat=rng.randint(0, 4), type=kind)

    return changed(world, rng, enemies(world), other)


def change_arms(world: World, rng: Random) -> MatchState | None:
    """Give a foreign unit, known or not, weapons that do other damage."""

    def other(unit: GroundTruth) -> GroundTruth:
        arms = tuple(_replace(weapon, s=rng.randint(1, 9)) for weapon in unit.type.weapons)
        return _replace(unit, type=_replace(unit.type, weapons=arms, gunnery=rng.randint(2, 8)))

    return changed(world, rng, [unit for unit in enemies(world) if unit.type.weapons], other)


def know_other(world: World, rng: Random) -> MatchState | None:
    """Let another side know, or not know, which token it holds."""
    surface = world.truth.surface
    holds = [(side, piece) for side in world.others for piece in surface.tokens_of(side)]
    chosen = pick(rng, sorted(holds))
    if chosen is None:
        return None
    side, piece = chosen
    held = surface.tokens_of(side)
    tokens = {**held, piece: TokenHold(identified=not held[piece].identified)}
    return world.with_truth(surface=_replace(surface, tokens={**surface.tokens, side: tokens}))


def change_agents(world: World, rng: Random) -> MatchState | None:
    """Let a foreign agent be another one, somewhere else or not there at all."""
    agents = world.truth.agents
    foreign = [agent for agent in agents.values() if not world.is_own(agent.side)]
    agent = pick(rng, [agent for agent in foreign if agent.group is None])
    if agent is None:
        return None
    if rng.random() < 0.3:
        rest = {piece: other for piece, other in agents.items() if piece != agent.id}
        return world.with_truth(agents=rest)
    other = _replace(
        agent,
        name=f"canary {rng.randrange(10**6)}",
        combat=rng.randint(0, 9),
        endurance=rng.randint(1, 9),
        leadership=rng.randint(0, 9),
        detected=rng.random() < 0.5,
        stacked=None,
    )
    changed_so = world.with_truth(agents={**agents, agent.id: other})
    # Where he, or others by him, would have been detected there is no such world.
    return None if any(unspread(changed_so)) else changed_so


def changed(
    world: World,
    rng: Random,
    units: list[GroundTruth],
    other: Callable[[GroundTruth], GroundTruth],
) -> MatchState | None:
    """Return the world in which one of the units is another, or None if there is none."""
    return _with_unit(world, other(rng.choice(units))) if units else None


def _with_unit(world: World, unit: GroundTruth) -> MatchState:
    """Return the state with that unit in the place of its namesake, its owner informed."""
    return world.with_truth(ground={**world.truth.ground, unit.id: unit})


def _other_class(rng: Random, unit: GroundTruth) -> GroundTruth:
    classes = ground_classes().values()
    alike = [kind for kind in classes if kind.mode is unit.type.mode]
    kind: GroundClass | None = pick(rng, [one for one in alike if one.name != unit.type.name])
    if kind is None:
        return unit
    # It moves alike and has weapons of the same names, or its orders would betray it.
    old = unit.type
    same = {"move": old.move, "jump": old.jump, "weapons": old.weapons}
    return _replace(unit, type=_replace(kind, **same, toughness=old.toughness))


def _other_cell(truth: Truth, rng: Random, unit: GroundTruth) -> Cell | None:
    environs = None if unit.site is None else truth.board.environs_at(unit.site)
    if environs is None:
        return None
    for _ in range(20):
        cell = Cell(rng.randrange(environs.columns), rng.randrange(environs.rows))
        if cell != unit.cell and may_stand(unit.type.mode, terrain_at(environs, cell)):
            return cell
    return None
