"""Fire of every weapon that bears, each at the target that it damages most on average.

Source: none of its own; the odds are those of `advice.odds`, a nova gun fires alone (turn §6).
Whatever comes from here is allowed by `check` with the plan.
"""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Bombard, Fire, Hold, Order
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View
from sunglare_protocol.words.armament import SystemAim, WeaponKind
from sunglare_rules.advice.cards.ground import ground_odds
from sunglare_rules.advice.check.ground import unit_named
from sunglare_rules.advice.legal.legal import attacks
from sunglare_rules.advice.legal.shots import LegalShot, aimed_shots
from sunglare_rules.advice.odds.fire import odds_so, shot_odds
from sunglare_rules.advice.plans.again import beside
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.fire.nova import touches

Weighed = tuple[int, Fire]
"""A shot, behind its mean damage in hundredths."""


def fire_all(view: View, plan: tuple[Order, ...] = ()) -> tuple[Order, ...]:
    """Return the best shot of every weapon that the plan leaves free, as far as they can stand.

    A weapon that can do no damage stays silent, and so do hidden units and cloaked ships, which
    a shot would give away. A ship with a nova gun fires that alone, or all the rest, whichever
    does more; with a shot of its own in the plan it fires the rest. A needle beam names the drive.
    Designators are left to the player.
    """
    covered = _under_cover(view)
    shots = (shot for shot in _best_free(view, plan) if shot.ship not in covered)
    return beside(view, plan, (order for shot in shots for order in _named(view, shot)))


def shots_from_cover(view: View, plan: tuple[Order, ...] = ()) -> tuple[Fire, ...]:
    """Return the best shot of each piece that `fire_all` leaves out, as it would give it away."""
    covered = _under_cover(view)
    found: dict[OwnId, Fire] = {}
    for shot in _best_free(view, plan):
        if shot.ship in covered:
            found.setdefault(shot.ship, shot)
    return tuple(found.values())


def _under_cover(view: View) -> tuple[OwnId, ...]:
    """Return the own pieces that are hidden or cloaked."""
    units = tuple(unit.id for unit in view.ground if unit.hidden)
    return (*units, *(ship.id for ship in ships_in_play(view) if ship.cloaked))


def _best_free(view: View, plan: tuple[Order, ...]) -> tuple[Fire, ...]:
    """Return the best shot of every weapon that the plan leaves free."""
    busy = [
        (order.ship, order.weapon) for order in plan if isinstance(order, Fire | Hold | Bombard)
    ]
    shooting = [ship for ship, _ in busy]
    weighed = (*_of_ships(view), *_of_units(view))
    return best_of(
        (mean, shot)
        for mean, shot in weighed
        if (shot.ship, shot.weapon) not in busy and not (_is_nova(shot) and shot.ship in shooting)
    )


def best_of(weighed: Iterable[Weighed], least_hundredths: int = 1) -> tuple[Fire, ...]:
    """Return for every weapon its shot with the highest mean damage, if that is enough.

    Of equal ones the first counts. Of a ship with a nova gun that alone is left, or the rest.
    """
    best: dict[tuple[OwnId, str], Weighed] = {}
    for mean, shot in weighed:
        key = (shot.ship, shot.weapon)
        if mean >= least_hundredths and mean > best.get(key, (0, shot))[0]:
            best[key] = (mean, shot)
    found = tuple(best.values())
    return tuple(shot for _, shot in found if _is_nova(shot) is _nova_is_better(found, shot.ship))


def spares_own(view: View, shot: Fire) -> bool:
    """Return whether no own piece lies in the first sweep of a nova gun; other shots spare all."""
    if not _is_nova(shot):
        return True
    ships = ships_in_play(view)
    gun = next(ship for ship in ships if ship.id == shot.ship)
    return not any(touches(gun.square, gun.facing, 0, ship.square) for ship in ships)


def _of_ships(view: View) -> Iterator[Weighed]:
    for aimed in aimed_shots(view):
        if spares_own(view, aimed.order):
            yield _mean(view, aimed), aimed.order


def _mean(view: View, aimed: LegalShot) -> int:
    if aimed.bearing is not None:
        return odds_so(aimed.ship, aimed.weapon, aimed.target, aimed.bearing).mean_hundredths
    odds = shot_odds(view, aimed.order)
    return 0 if isinstance(odds, Rejected) else odds.mean_hundredths


def _of_units(view: View) -> Iterator[Weighed]:
    for shot in attacks(view):
        unit = unit_named(view, shot.ship)
        odds = None if unit is None else ground_odds(view, unit, shot)
        if odds is not None and not isinstance(odds, Rejected):
            yield odds.hundredths * odds.damage, shot


def _named(view: View, shot: Fire) -> tuple[Fire, ...]:
    """Return how the shot may be given, the best first: a needle beam's at the drive too."""
    guns = (gun for ship in view.own if ship.id == shot.ship for gun in ship.weapons)
    is_needle = any(gun.id == shot.weapon and gun.kind is WeaponKind.NEEDLE for gun in guns)
    return (replace(shot, system=SystemAim.DRIVE), shot) if is_needle else (shot,)


def _is_nova(shot: Fire) -> bool:
    return shot.at is None and shot.point is None


def _nova_is_better(found: tuple[Weighed, ...], ship: OwnId) -> bool:
    mine = [(mean, shot) for mean, shot in found if shot.ship == ship]
    nova = sum(mean for mean, shot in mine if _is_nova(shot))
    return nova > sum(mean for mean, shot in mine if not _is_nova(shot))
