"""ENGAGE: the attacks of volleys, and how volleys end.

Source: Full Thrust salvo missiles and point defence; fire of our rule book §6.
"""

from collections.abc import Iterator

from sunglare_protocol.words.ladder import Fix
from sunglare_rules.capital.pointdefence import volley_left
from sunglare_rules.fire.missiles import lives_on, nearest_targets
from sunglare_rules.fire.weapons import roll_weapon
from sunglare_rules.sensors.sectors import line_of_sight
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.events.space import ShipDestroyed, ShotFired
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.defending import Spent
from sunglare_server.match.resolve.firing import Attack
from sunglare_server.match.truth.truth import ShipTruth, Truth


def aims(truth: Truth, attacks: tuple[Attack, ...], dice: Dice) -> dict[PieceId, PieceId]:
    """Return the target of every volley that has one, named by its owner or the nearest."""
    named = {attack.shooter: attack.target for attack in attacks}
    targets: dict[PieceId, PieceId] = {}
    for volley in truth.in_play():
        if volley.volley is not None:
            target = named.get(volley.id) or _nearest(truth, volley, dice)
            if target is not None:
                targets[volley.id] = target
    return targets


def strikes(
    truth: Truth, targets: dict[PieceId, PieceId], spent: Spent, dice: Dice
) -> Iterator[ShotFired]:
    """Yield the attack of every volley at its target, after the points spent on it."""
    for piece, target in targets.items():
        yield _strike(truth, truth.ships[piece], truth.ships[target], spent[piece], dice)


def endings(before: Truth, truth: Truth, fired: tuple[ShotFired, ...]) -> Iterator[ShipDestroyed]:
    """Yield the volleys that are gone without having been shot down; `before` is without damage.

    OWN: a side that holds a volley that has attacked, or has no movement left, learns of its end
    as of that of any destroyed piece.
    """
    struck = {shot.piece for shot in fired}
    for ship in before.in_play():
        if ship.volley is None or truth.ships[ship.id].damage >= ship.type.hull:
            continue
        if ship.id in struck:
            yield ShipDestroyed(piece=ship.id, cause="spent", killers=())
        elif not lives_on(ship.volley.movements):
            yield ShipDestroyed(piece=ship.id, cause="burnt out", killers=())


def _nearest(truth: Truth, volley: ShipTruth, dice: Dice) -> PieceId | None:
    """Return the nearest enemy that the volley's side tracks or has a solution on.

    It must be in reach and in sight.
    """
    side = volley.side
    tracked = [
        truth.ships[piece] for piece, hold in truth.holds[side].items() if hold.fix is Fix.TRACKED
    ]
    hunted = dict.fromkeys([hunt.piece for hunt in truth.hunts_of(side).values()])
    tracked += [
        truth.ships[piece]
        for piece in hunted
        if truth.hunt_fix(side, truth.ships[piece]) is Fix.SOLUTION
    ]
    seen = [
        ship
        for ship in tracked
        if ship.in_play and line_of_sight(truth.board, volley.place, ship.place)
    ]
    nearest = nearest_targets(volley.square, tuple([ship.square for ship in seen]))
    tied = [seen[index].id for index in nearest]
    return min(tied, key=lambda piece: dice.tie(truth.turn, volley.id, piece), default=None)


def _strike(
    truth: Truth, ship: ShipTruth, target: ShipTruth, points: int, dice: Dice
) -> ShotFired:
    weapon = ship.type.weapons[0]
    came = 0 if ship.volley is None else ship.volley.missiles
    through = volley_left(came, points)
    distance = ship.square.distance_squared(target.square)
    roll = dice.stream(truth.turn, Purpose.FIRE, f"{ship.id}/{weapon.id}")
    shot = roll_weapon(weapon.kind, through, distance, target.screens, roll)
    return ShotFired(
        piece=ship.id,
        weapon=weapon.id,
        kind=weapon.kind,
        target=target.id,
        arc=None,
        dice=shot.dice,
        damage=shot.damage,
        stopped=came - through,
    )
