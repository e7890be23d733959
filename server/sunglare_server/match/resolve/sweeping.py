"""ENGAGE: nova guns that are fired, and the sweeps of those in play.

Source: Full Thrust nova gun; fire of our rule book §6.
"""

from collections.abc import Iterator

from sunglare_protocol.words.armament import WeaponKind
from sunglare_rules.fire.nova import sweep_damage, sweep_number, touches
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.events.space import NovaFired, ShotFired
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.truth import Nova, ShipTruth, Truth


def novas_fired(truth: Truth, guns: tuple[tuple[PieceId, str], ...]) -> Iterator[NovaFired]:
    """Yield the nova guns, given as piece and weapon, that are fired now."""
    for piece, weapon in sorted(guns):
        ship = truth.ships[piece]
        yield NovaFired(piece=piece, weapon=weapon, square=ship.square, facing=ship.facing)


def sweeps(truth: Truth, dice: Dice) -> Iterator[ShotFired]:
    """Yield what this turn's sweeps do to each piece in their way; `truth` holds the new novas.

    OWN: what stands on a body is out of their way.
    """
    for nova in truth.novas:
        number = sweep_number(nova.turn, truth.turn)
        if number is not None:
            for ship in truth.in_play():
                if ship.landing is None and touches(nova.square, nova.facing, number, ship.square):
                    yield _swept(truth.turn, nova, number, ship, dice)


def _swept(turn: int, nova: Nova, number: int, ship: ShipTruth, dice: Dice) -> ShotFired:
    key = f"{nova.piece}/{nova.weapon}/{nova.turn}/{ship.id}"
    shot = sweep_damage(number, dice.stream(turn, Purpose.FIRE, key))
    return ShotFired(
        piece=nova.piece,
        weapon=nova.weapon,
        kind=WeaponKind.NOVA,
        target=ship.id,
        arc=None,
        dice=shot.dice,
        damage=shot.damage,
    )
