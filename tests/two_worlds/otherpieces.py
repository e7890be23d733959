"""Other worlds in which a hidden piece is of another make or state, or is not there."""

from random import Random

import msgspec

from second_reading.spots import answer_of
from sunglare_protocol.ids import OwnId
from sunglare_protocol.words.dossiers import Outcome
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.pieces import Arc
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_protocol.words.specials import Special, Specials
from sunglare_rules.arcs.arcs import STANDARD_ARCS
from sunglare_rules.blips.spotting import is_stealthy
from sunglare_rules.sensors.scans import ScanHabit
from sunglare_server.match.data.scenario import CrewData, Ratings, Weapon
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.truth import ShipTruth, TurretTruth
from two_worlds.parts import (
    UNNOTICED,
    World,
    is_hunted,
    of_noticed,
    of_one,
    pick,
    requests,
    stowaway,
)

_replace = msgspec.structs.replace


def _hidden(world: World) -> list[ShipTruth]:
    return world.hidden


@of_noticed(_hidden)
def change_rating(ship: ShipTruth, rng: Random, _world: World) -> ShipTruth:
    """Give a hidden ship other sensors."""
    ratings = {scan_type.value: rng.randint(0, 4) for scan_type in ScanType}
    return _replace(ship, type=_replace(ship.type, sensors=Ratings(**ratings)))


@of_noticed(_hidden)
def change_hull_and_damage(ship: ShipTruth, rng: Random, _world: World) -> ShipTruth:
    """Give a hidden ship another hull, other damage and other lost systems."""
    # A hull of few boxes makes overkill likely, of which nobody may be told.
    hull = rng.choice((rng.randint(1, 3), rng.randint(2, 40)))
    return _replace(
        ship,
        type=_replace(ship.type, hull=hull, thrust=rng.randint(1, 6)),
        damage=rng.randrange(hull),
        lost=tuple(weapon.id for weapon in ship.type.weapons if rng.random() < 0.4),
        drive_losses=rng.randint(0, 1),
    )


@of_noticed(_hidden)
def change_class(ship: ShipTruth, rng: Random, _world: World) -> ShipTruth:
    """Give a hidden ship another class of the same size, worth other points."""
    name = rng.choice(("sloop", "barge"))
    kind = _replace(ship.type, name=name, family=name, points=ship.type.points + rng.randint(1, 9))
    return _replace(ship, type=kind)


def change_variant(world: World, rng: Random) -> MatchState | None:
    """Let a hidden ship be another class of the same family, as hot and as hurt as may be.

    What an identification tells too much shows only when it is made.
    """
    coming = world.coming_spots
    if not coming and rng.random() >= UNNOTICED:
        return None
    ship = pick(rng, coming or world.hidden)
    if ship is None:
        return None
    kind = _replace(ship.type, name=f"variant {rng.randint(1, 99)}", family=ship.type.type_shown)
    damage = rng.randrange(ship.type.hull)
    return world.with_ship(_replace(ship, type=kind, heat=rng.randint(0, 4), damage=damage))


@of_noticed(lambda world: [ship for ship in world.hidden if ship.ecm is not None])
def switch_ecm(ship: ShipTruth, _rng: Random, _world: World) -> ShipTruth:
    """Switch the jammer of a hidden ship."""
    return _replace(ship, ecm_on=not ship.ecm_on)


def _vague(world: World) -> list[ShipTruth]:
    """Return the ships that a coming probe of the audience can't make out."""
    truth = world.truth
    return [
        truth.ships[target]
        for scanner, target in requests(world.state, world.orders)
        if world.is_own(truth.ships[scanner].side)
        if answer_of(truth, (scanner, target)) == (Outcome.INCONCLUSIVE, True)
    ]


@of_one(_vague)
def stealth_for_jammed(ship: ShipTruth, _rng: Random, _world: World) -> ShipTruth:
    """Let a ship that the audience's probe cannot make out be stealthy, or else jammed."""
    kind = _replace(ship.type, specials=stealthy_or_jammed(ship.type.specials))
    return _replace(ship, type=kind, ecm_on=True)


def stealthy_or_jammed(specials: Specials) -> Specials:
    """Return the specials with a jammer for what makes stealthy, or else the other way round."""
    plain = tuple(special for special in specials if not is_stealthy((special,)))
    return (*plain, Special.AECM if len(plain) < len(specials) else Special.STL)


@of_noticed(lambda world: [ship for ship in world.hidden if not ship.is_remote])
def change_abilities(ship: ShipTruth, rng: Random, _world: World) -> ShipTruth:
    """Give a hidden ship other abilities: jammers, probes, stealth."""
    jammer = rng.choice(((), (Special.ECM,), (Special.AECM,), (Special.LECM,)))
    probe = rng.choice(((), (Special.LPRB,), (Special.PRB,), (Special.BH,)))
    armour = rng.choice(((), (), (Special.STL,), (Special.MAS,)))
    return _replace(ship, type=_replace(ship.type, specials=(*jammer, *probe, *armour)))


@of_noticed(lambda world: [ship for ship in world.hidden if ship.type.weapons])
def change_weapons(ship: ShipTruth, rng: Random, _world: World) -> ShipTruth:
    """Give a hidden ship other weapons and screens."""
    weapons = tuple(_other_weapon(rng, weapon) for weapon in ship.type.weapons)
    kept = weapons[: rng.randint(1, len(weapons))]
    return _replace(ship, type=_replace(ship.type, weapons=kept, screens=rng.randint(0, 2)))


def _other_weapon(rng: Random, weapon: Weapon) -> Weapon:
    arc = None if weapon.arc is None else rng.choice((Arc.FRONT, Arc.REAR, Arc.FULL_FRONT))
    return _replace(weapon, rank=rng.randint(1, 4), arc=arc)


def change_power(world: World, rng: Random) -> MatchState | None:
    """Switch a hidden ship's plant, sensors and exhaust, so that the same signatures give it away.

    Which they are is told of a contact; how strong they are is not.
    """
    ship = world.noticed(rng, [foreign for foreign in world.hidden if not foreign.cloaked])
    if ship is None:
        return None
    others = [world.with_ship(_switched(rng, ship)) for _ in range(8)]
    told, strong = _names_and_signals(world)
    found = [(other, _names_and_signals(_replace(world, state=other))) for other in others]
    alike = [(other, signals) for other, (names, signals) in found if names == told]
    stronger = [other for other, signals in alike if signals != strong]
    if not stronger and rng.random() >= UNNOTICED:
        return None
    return next(iter(stronger or [other for other, _ in alike]), None)


def _names_and_signals(world: World) -> tuple[list[object], list[int | None]]:
    """Return what the audience's coming scans tell of their contacts, and how strong those are."""
    looks = world.coming_contacts
    return [(look.piece, look.names) for look in looks], [look.signal for look in looks]


def _switched(rng: Random, ship: ShipTruth) -> ShipTruth:
    can_pop = ship.landing is None and "sensors" not in ship.lost
    return _replace(
        ship,
        powered=rng.random() < 0.5,
        starting=False,
        popped_out=can_pop and rng.random() < 0.5,
        thrust_spent=rng.randint(0, 4),
        thrust_used=rng.randint(0, 4),
    )


@of_noticed(_hidden)
def change_crew(ship: ShipTruth, rng: Random, _world: World) -> ShipTruth:
    """Put other agents aboard a hidden ship; the commander, who rolls initiative, stays."""
    crew = CrewData(
        pilot=rng.randint(0, 2),
        operator=rng.randint(0, 3),
        commander=ship.crew.commander,
        gunnery=rng.randint(0, 9),
    )
    return _replace(ship, crew=crew)


@of_noticed(_hidden)
def change_habit(ship: ShipTruth, rng: Random, world: World) -> ShipTruth:
    """Let a hidden ship have scanned something else last turn."""
    habit = ScanHabit(
        turn=world.truth.turn - 1,
        square=ship.square,
        type=rng.choice(list(ScanType)),
        size=rng.choice(list(ScanSize)),
        at=ship.square,
        streak=rng.randint(0, 3),
    )
    return _replace(ship, habit=habit)


@of_one(lambda world: [foreign for foreign in world.hidden if foreign.turrets])
def rotate_hidden(ship: ShipTruth, rng: Random, _world: World) -> ShipTruth:
    """Turn the turrets of a hidden ship."""
    return _replace(ship, turrets=tuple(_turned(rng, turret) for turret in ship.turrets))


def _turned(rng: Random, turret: TurretTruth) -> TurretTruth:
    pairs = ((Arc.FRONT, Arc.REAR), (Arc.LEFT, Arc.RIGHT))
    places = pairs if len(turret.arcs) > 1 else tuple((arc,) for arc in STANDARD_ARCS)
    return _replace(turret, arcs=rng.choice([place for place in places if place != turret.arcs]))


def _unasked_by_name(world: World) -> list[ShipTruth]:
    setups = world.state.scenario.sides.values()
    wanted = {objective.piece for side in setups for objective in side.objectives}
    return [foreign for foreign in world.hidden if foreign.name not in wanted]


@of_noticed(_unasked_by_name)
def rename(ship: ShipTruth, rng: Random, _world: World) -> ShipTruth:
    """Give a hidden ship another name, unless an objective asks for it by name."""
    return _replace(ship, name=f"canary {rng.randrange(10 ** rng.randint(1, 9))}")


def add_silent(world: World, rng: Random) -> MatchState | None:
    """Add a small cold ship to a hidden side."""
    added = stowaway(world, rng, OwnId("S9"))
    return None if added is None else world.with_ship(added)


def remove_silent(world: World, rng: Random) -> MatchState | None:
    """Take away a hidden ship that nobody holds; what was launched never leaves the truth."""
    truth = world.truth
    loose = [ship for ship in world.loose() if ship.launcher is None]
    ship = pick(rng, [ship for ship in loose if not is_hunted(truth, ship)])
    if ship is None or _is_missed(world, ship):
        return None
    carriers = [unit.aboard for unit in truth.ground.values()]
    carriers += [agent.aboard for agent in truth.agents.values()]
    carriers += [other.launcher for other in truth.ships.values()]
    # What it has fired is still on its way.
    carriers += [nova.piece for nova in truth.novas]
    carriers += [missile.piece for missile in truth.missiles]
    if ship.id in carriers:
        return None
    return world.with_truth(
        ships={piece: left for piece, left in truth.ships.items() if piece != ship.id}
    )


@of_one(lambda world: world.loose())
def gone_unseen(ship: ShipTruth, rng: Random, world: World) -> ShipTruth | None:
    """Let an unheld ship have been lost, or have left, where nobody saw it."""
    return _gone(ship, rng, world)


@of_one(lambda world: world.coasting)
def coasting_gone(ship: ShipTruth, rng: Random, world: World) -> ShipTruth | None:
    """Let a ship be gone that is held as a coasting track: destroyed unseen, or only missed."""
    return _gone(ship, rng, world)


def _gone(ship: ShipTruth, rng: Random, world: World) -> ShipTruth | None:
    if _is_missed(world, ship):
        return None
    return _replace(ship, fate=rng.choice((Fate.DESTROYED, Fate.ESCAPED)))


def _is_missed(world: World, ship: ShipTruth) -> bool:
    """Return whether all would be told that a ship is gone: the last, or one that ends a match."""
    is_last = [left.side for left in world.truth.in_play()].count(ship.side) < 2
    goals = world.state.scenario.sides[ship.side].objectives
    return is_last or any(goal.ends_after and goal.piece == ship.name for goal in goals)
