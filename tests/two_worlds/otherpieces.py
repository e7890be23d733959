"""Other worlds in which a hidden piece is of another make or state, or is not there."""

from random import Random

import msgspec

from second_reading.spots import answer_of
from sunglare_protocol.ids import Audience, OwnId, audience_of
from sunglare_protocol.words.dossiers import Outcome
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.pieces import Arc
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_protocol.words.specials import Special
from sunglare_rules.arcs.arcs import STANDARD_ARCS
from sunglare_rules.blips.spotting import is_stealthy
from sunglare_rules.sensors.scans import ScanHabit
from sunglare_server.match.data.scenario import CrewData, Ratings, Weapon
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.truth import ShipTruth, TurretTruth
from two_worlds.parts import (
    UNNOTICED,
    Orders,
    coming_contacts,
    coming_spots,
    hidden,
    is_hunted,
    loose,
    pick,
    pick_noticed,
    requests,
    stowaway,
    with_ship,
    with_truth,
)

_replace = msgspec.structs.replace


def change_rating(
    state: MatchState, rng: Random, audience: Audience, orders: Orders
) -> MatchState | None:
    """Give a hidden ship other sensors."""
    ship = pick_noticed(rng, state, audience, orders, hidden(state.truth, audience))
    if ship is None:
        return None
    words = [scan_type.value for scan_type in ScanType]
    ratings = {word: rng.randint(0, 4) for word in words}
    kind = _replace(ship.type, sensors=Ratings(**ratings))
    return with_ship(state, _replace(ship, type=kind))


def change_hull_and_damage(
    state: MatchState, rng: Random, audience: Audience, orders: Orders
) -> MatchState | None:
    """Give a hidden ship another hull, other damage and other lost systems."""
    ship = pick_noticed(rng, state, audience, orders, hidden(state.truth, audience))
    if ship is None:
        return None
    # A hull of few boxes makes overkill likely, of which nobody may be told.
    hull = rng.choice((rng.randint(1, 3), rng.randint(2, 40)))
    weapons = [weapon.id for weapon in ship.type.weapons]
    return with_ship(
        state,
        _replace(
            ship,
            type=_replace(ship.type, hull=hull, thrust=rng.randint(1, 6)),
            damage=rng.randrange(hull),
            lost=tuple(weapon for weapon in weapons if rng.random() < 0.4),
            drive_losses=rng.randint(0, 1),
        ),
    )


def change_class(
    state: MatchState, rng: Random, audience: Audience, orders: Orders
) -> MatchState | None:
    """Give a hidden ship another class of the same size, worth other points."""
    ship = pick_noticed(rng, state, audience, orders, hidden(state.truth, audience))
    if ship is None:
        return None
    name = rng.choice(("sloop", "barge"))
    kind = _replace(ship.type, name=name, family=name, points=ship.type.points + rng.randint(1, 9))
    return with_ship(state, _replace(ship, type=kind))


def change_variant(
    state: MatchState, rng: Random, audience: Audience, orders: Orders
) -> MatchState | None:
    """Let a hidden ship be another class of the same family, as hot and as hurt as may be.

    What an identification tells too much shows only when it is made.
    """
    coming = coming_spots(state, audience, orders)
    if not coming and rng.random() >= UNNOTICED:
        return None
    ships = coming or hidden(state.truth, audience)
    ship = pick(rng, ships)
    if ship is None:
        return None
    kind = _replace(ship.type, name=f"variant {rng.randint(1, 99)}", family=ship.type.type_shown)
    damage = rng.randrange(ship.type.hull)
    return with_ship(state, _replace(ship, type=kind, heat=rng.randint(0, 4), damage=damage))


def switch_ecm(
    state: MatchState, rng: Random, audience: Audience, orders: Orders
) -> MatchState | None:
    """Switch the jammer of a hidden ship."""
    jammers = [ship for ship in hidden(state.truth, audience) if ship.ecm is not None]
    ship = pick_noticed(rng, state, audience, orders, jammers)
    return None if ship is None else with_ship(state, _replace(ship, ecm_on=not ship.ecm_on))


def stealth_for_jammed(
    state: MatchState, rng: Random, audience: Audience, orders: Orders
) -> MatchState | None:
    """Let a ship that the audience's probe cannot make out be stealthy, or else jammed."""
    vague = [
        state.truth.ships[target]
        for scanner, target in requests(state, orders)
        if audience_of(state.truth.ships[scanner].side) == audience
        if answer_of(state.truth, (scanner, target)) == (Outcome.INCONCLUSIVE, True)
    ]
    if not vague:
        return None
    ship = rng.choice(vague)
    plain = tuple(special for special in ship.type.specials if not is_stealthy((special,)))
    stealthy = len(plain) < len(ship.type.specials)
    kind = _replace(ship.type, specials=(*plain, Special.AECM if stealthy else Special.STL))
    return with_ship(state, _replace(ship, type=kind, ecm_on=True))


def change_abilities(
    state: MatchState, rng: Random, audience: Audience, orders: Orders
) -> MatchState | None:
    """Give a hidden ship other abilities: jammers, probes, stealth."""
    ships = [ship for ship in hidden(state.truth, audience) if not ship.is_remote]
    ship = pick_noticed(rng, state, audience, orders, ships)
    if ship is None:
        return None
    jammer = rng.choice(((), (Special.ECM,), (Special.AECM,), (Special.LECM,)))
    probe = rng.choice(((), (Special.LPRB,), (Special.PRB,), (Special.BH,)))
    armour = rng.choice(((), (), (Special.STL,), (Special.MAS,)))
    kind = _replace(ship.type, specials=(*jammer, *probe, *armour))
    return with_ship(state, _replace(ship, type=kind))


def change_weapons(
    state: MatchState, rng: Random, audience: Audience, orders: Orders
) -> MatchState | None:
    """Give a hidden ship other weapons and screens."""
    armed = [ship for ship in hidden(state.truth, audience) if ship.type.weapons]
    ship = pick_noticed(rng, state, audience, orders, armed)
    if ship is None:
        return None
    weapons = tuple(_other_weapon(rng, weapon) for weapon in ship.type.weapons)
    kept = weapons[: rng.randint(1, len(weapons))]
    kind = _replace(ship.type, weapons=kept, screens=rng.randint(0, 2))
    return with_ship(state, _replace(ship, type=kind))


def _other_weapon(rng: Random, weapon: Weapon) -> Weapon:
    arc = None if weapon.arc is None else rng.choice((Arc.FRONT, Arc.REAR, Arc.FULL_FRONT))
    return _replace(weapon, rank=rng.randint(1, 4), arc=arc)


def change_power(
    state: MatchState, rng: Random, audience: Audience, orders: Orders
) -> MatchState | None:
    """Switch a hidden ship's plant, sensors and exhaust, so that the same signatures give it away.

    Which they are is told of a contact; how strong they are is not.
    """
    shown = [foreign for foreign in hidden(state.truth, audience) if not foreign.cloaked]
    ship = pick_noticed(rng, state, audience, orders, shown)
    if ship is None:
        return None
    others = (with_ship(state, _switched(rng, ship)) for _ in range(8))
    told, strong = _names_and_signals(state, audience, orders)
    alike = [
        (other, signals)
        for other in others
        for names, signals in (_names_and_signals(other, audience, orders),)
        if names == told
    ]
    stronger = [other for other, signals in alike if signals != strong]
    if not stronger and rng.random() >= UNNOTICED:
        return None
    return next(iter(stronger or [other for other, _ in alike]), None)


def _names_and_signals(
    state: MatchState, audience: Audience, orders: Orders
) -> tuple[list[object], list[int | None]]:
    """Return what the audience's coming scans tell of their contacts, and how strong those are."""
    looks = coming_contacts(state, audience, orders)
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


def change_crew(
    state: MatchState, rng: Random, audience: Audience, orders: Orders
) -> MatchState | None:
    """Put other agents aboard a hidden ship; the commander, who rolls initiative, stays."""
    ship = pick_noticed(rng, state, audience, orders, hidden(state.truth, audience))
    if ship is None:
        return None
    crew = CrewData(
        pilot=rng.randint(0, 2),
        operator=rng.randint(0, 3),
        commander=ship.crew.commander,
        gunnery=rng.randint(0, 9),
    )
    return with_ship(state, _replace(ship, crew=crew))


def change_habit(
    state: MatchState, rng: Random, audience: Audience, orders: Orders
) -> MatchState | None:
    """Let a hidden ship have scanned something else last turn."""
    ship = pick_noticed(rng, state, audience, orders, hidden(state.truth, audience))
    if ship is None:
        return None
    habit = ScanHabit(
        turn=state.truth.turn - 1,
        square=ship.square,
        type=rng.choice(list(ScanType)),
        size=rng.choice(list(ScanSize)),
        at=ship.square,
        streak=rng.randint(0, 3),
    )
    return with_ship(state, _replace(ship, habit=habit))


def rotate_hidden(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Turn the turrets of a hidden ship."""
    ship = pick(rng, [foreign for foreign in hidden(state.truth, audience) if foreign.turrets])
    if ship is None:
        return None
    turrets = tuple(_turned(rng, turret) for turret in ship.turrets)
    return with_ship(state, _replace(ship, turrets=turrets))


def _turned(rng: Random, turret: TurretTruth) -> TurretTruth:
    pairs = ((Arc.FRONT, Arc.REAR), (Arc.LEFT, Arc.RIGHT))
    places = pairs if len(turret.arcs) > 1 else tuple((arc,) for arc in STANDARD_ARCS)
    return _replace(turret, arcs=rng.choice([place for place in places if place != turret.arcs]))


def rename(
    state: MatchState, rng: Random, audience: Audience, orders: Orders
) -> MatchState | None:
    """Give a hidden ship another name, unless an objective asks for it by name."""
    wanted = {
        objective.piece for side in state.scenario.sides.values() for objective in side.objectives
    }
    named = [foreign for foreign in hidden(state.truth, audience) if foreign.name not in wanted]
    ship = pick_noticed(rng, state, audience, orders, named)
    if ship is None:
        return None
    return with_ship(
        state, _replace(ship, name=f"canary {rng.randrange(10 ** rng.randint(1, 9))}")
    )


def add_silent(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Add a small cold ship to a hidden side."""
    added = stowaway(state, rng, audience, OwnId("S9"))
    return None if added is None else with_ship(state, added)


def remove_silent(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Take away a hidden ship that nobody holds."""
    free = [ship for ship in loose(state.truth, audience) if not is_hunted(state.truth, ship)]
    return _without(state, pick(rng, free))


def _without(state: MatchState, ship: ShipTruth | None) -> MatchState | None:
    if ship is None or _is_last(state, ship):
        return None
    carriers = [unit.aboard for unit in state.truth.ground.values()]
    carriers += [agent.aboard for agent in state.truth.agents.values()]
    carriers += [other.launcher for other in state.truth.ships.values()]
    # What it has fired is still on its way.
    carriers += [nova.piece for nova in state.truth.novas]
    carriers += [missile.piece for missile in state.truth.missiles]
    if ship.id in carriers:
        return None
    ships = {piece: left for piece, left in state.truth.ships.items() if piece != ship.id}
    return with_truth(state, _replace(state.truth, ships=ships))


def gone_unseen(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Let an unheld ship have been lost, or have left, where nobody saw it."""
    return _gone(state, rng, loose(state.truth, audience))


def coasting_gone(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Let a ship be gone that is held as a coasting track: destroyed unseen, or only missed."""
    truth = state.truth
    coasting = [
        ship
        for ship in loose(truth, audience, Fix.COASTING)
        if truth.holders(ship.id, Fix.COASTING)
    ]
    return _gone(state, rng, coasting)


def _gone(state: MatchState, rng: Random, ships: list[ShipTruth]) -> MatchState | None:
    ship = pick(rng, ships)
    if ship is None or _is_last(state, ship):
        return None
    fate = rng.choice((Fate.DESTROYED, Fate.ESCAPED))
    return with_ship(state, _replace(ship, fate=fate))


def _is_last(state: MatchState, ship: ShipTruth) -> bool:
    return [left.side for left in state.truth.in_play()].count(ship.side) < 2
