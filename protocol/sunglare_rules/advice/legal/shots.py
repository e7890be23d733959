"""The shots at pieces in space that are legal now, with how each bears.

Source: none of its own; whatever comes from here is allowed by `check`.
"""

from collections.abc import Iterator
from typing import NamedTuple

from sunglare_protocol.orders import Fire
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import ContactView, OwnView, View, WeaponView
from sunglare_protocol.words.armament import WeaponKind
from sunglare_rules.advice.check.check import check, takes
from sunglare_rules.advice.check.fire import guns_on, shot_range_rule
from sunglare_rules.advice.seen.bearing import Bearing, bear_so, sighted
from sunglare_rules.advice.seen.lookup import ships_in_play, targets


class LegalShot(NamedTuple):
    """A legal shot of a ship: the weapon, and what it is aimed at so; a nova gun has no target."""

    order: Fire
    ship: OwnView
    weapon: WeaponView
    target: ContactView | None
    bearing: Bearing | None


def aimed_shots(view: View) -> Iterator[LegalShot]:
    """Yield every legal shot of the ships: ship after ship, weapon after weapon, target by target.

    How a ship sees a target is looked at once for all of its weapons.
    """
    if takes(view, Fire):
        for ship in ships_in_play(view):
            yield from aimed_shots_of(view, ship)


def aimed_shots_of(view: View, ship: OwnView) -> Iterator[LegalShot]:
    """Yield the shots of one ship that are legal in a window for fire."""
    bearings: dict[str, list[LegalShot]] = {weapon.id: [] for weapon in ship.weapons}
    for target in targets(view):
        for aimed in _at(view, ship, target):
            bearings[aimed.weapon.id].append(aimed)
    for weapon in ship.weapons:
        if weapon.kind is WeaponKind.NOVA:
            order = Fire(ship=ship.id, weapon=weapon.id)
            if check(view, (order,)) is None:
                yield LegalShot(order, ship, weapon, None, None)
        yield from bearings[weapon.id]


def _at(view: View, ship: OwnView, target: ContactView) -> Iterator[LegalShot]:
    guns = guns_on(view, ship, target)
    sight = sighted(view.board, ship, target) if guns else None
    if sight is None or isinstance(sight, Rejected):
        return
    for gun in guns:
        bearing = bear_so(ship, gun, sight, shot_range_rule(gun, target))
        if bearing is not None:
            order = Fire(ship=ship.id, weapon=gun.id, at=target.handle)
            yield LegalShot(order, ship, gun, target, bearing)
