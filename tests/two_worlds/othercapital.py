"""Other worlds in which hidden capital weapons, and missiles on their way, are otherwise."""

from random import Random

import msgspec

from sunglare_protocol.ids import Audience, audience_of
from sunglare_protocol.surface import Cell
from sunglare_rules.capital.capital import CLASS_OF_KIND
from sunglare_server.match.data.scenario import Weapon
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.truth import ShipTruth, Truth
from two_worlds.parts import Orders, hidden, pick, pick_noticed, with_ship, with_truth

_replace = msgspec.structs.replace


def change_guns(
    state: MatchState, rng: Random, audience: Audience, orders: Orders
) -> MatchState | None:
    """Give a hidden ship's capital weapons another damage, and its gunner another skill."""
    ship = pick_noticed(rng, state, audience, orders, _armed(state.truth, audience))
    if ship is None:
        return None

    def other(weapon: Weapon) -> Weapon:
        if weapon.damage is None:
            return weapon
        short, medium, long, extreme = (
            rng.randint(1, 9) if damage else 0 for damage in weapon.damage
        )
        return _replace(weapon, damage=(short, medium, long, extreme))

    kind = _replace(ship.type, weapons=tuple(map(other, ship.type.weapons)))
    crew = _replace(ship.crew, gunnery=rng.randint(2, 7))
    return with_ship(state, _replace(ship, type=kind, crew=crew))


def silence_guns(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Let a hidden ship have lost its capital weapons, so that it fires none of them."""
    ship = pick(rng, _armed(state.truth, audience))
    if ship is None:
        return None
    guns = [weapon.id for weapon in ship.type.weapons if weapon.kind in CLASS_OF_KIND]
    lost = tuple(dict.fromkeys((*ship.lost, *guns)))
    return with_ship(state, _replace(ship, lost=lost))


def change_flight(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Let a foreign missile be on its way to another cell, land later, or not be there at all."""
    flights = [
        missile for missile in state.truth.missiles if audience_of(missile.side) != audience
    ]
    if not flights:
        return None
    old = rng.choice(flights)
    environs = state.truth.board.environs_at(old.at)
    if environs is None:
        return None
    cell = Cell(rng.randrange(environs.columns), rng.randrange(environs.rows))
    new = _replace(old, cell=cell, lands=old.lands + rng.randint(0, 1), damage=rng.randint(1, 9))
    kept = () if rng.random() < 0.3 else (new,)
    missiles = tuple(
        other
        for missile in state.truth.missiles
        for other in (kept if missile is old else (missile,))
    )
    return with_truth(state, _replace(state.truth, missiles=missiles))


def _armed(truth: Truth, audience: Audience) -> list[ShipTruth]:
    return [
        ship
        for ship in hidden(truth, audience)
        if any(weapon.kind in CLASS_OF_KIND for weapon in ship.type.weapons)
    ]
