"""The fire of a piece: shots at what is held, fire at points, attacks on the ground.

Source: fire of our rule book, turn §6; arcs of our rule book §2; capital weapons of it §1 to §3.
"""

from collections.abc import Iterator

import msgspec

from sunglare_protocol.messages.answers import BombardOdds, GroundOdds, ShotOdds
from sunglare_protocol.messages.sheets import BombardReach, ListedShot, WeaponArcs
from sunglare_protocol.orders import Bombard, Fire
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import GroundView
from sunglare_rules.advice.cards.ground import ground_odds
from sunglare_rules.advice.check.ground import stands as landed_on
from sunglare_rules.advice.check.ground_bodies import tokens
from sunglare_rules.advice.legal.ground import attacks_of
from sunglare_rules.advice.legal.shots import LegalShot, aimed_shots_of
from sunglare_rules.advice.odds.capital import landing_turn
from sunglare_rules.advice.odds.fire import odds_of_bombardment, odds_so, shot_odds
from sunglare_rules.advice.seen.bearing import weapon_arcs
from sunglare_rules.advice.sheets.beside import Plan, stands
from sunglare_rules.advice.sheets.ground import cells_of
from sunglare_rules.capital.capital import CLASS_OF_ARM, CLASS_OF_KIND
from sunglare_rules.ground.attacks import GROUND_ARMS


def arcs_of(ship: OwnView) -> tuple[WeaponArcs, ...]:
    """Return the arcs through which the working weapons of a ship fire now."""
    return tuple(
        [
            WeaponArcs(weapon=weapon.id, arcs=weapon_arcs(ship, weapon))
            for weapon in ship.weapons
            if weapon.works
        ]
    )


def shots_of(view: View, ship: OwnView, plan: Plan) -> tuple[ListedShot, ...]:
    """Return the shots that the ship may fire, weapon after weapon, target after target."""
    aimed = (
        one for one in aimed_shots_of(view, ship) if not plan or stands(view, plan, one.order)
    )
    return tuple([shot for one in aimed if (shot := _shot(view, one)) is not None])


def _shot(view: View, aimed: LegalShot) -> ListedShot | None:
    bearing, odds = aimed.bearing, None
    if bearing is None:
        odds = shot_odds(view, aimed.order)
    else:
        odds = odds_so(aimed.ship, aimed.weapon, aimed.target, bearing)
    if not isinstance(odds, ShotOdds):
        return None
    return ListedShot(
        weapon=odds.weapon,
        at=odds.at,
        arc=None if bearing is None else bearing.arc,
        band=odds.band,
        range=0 if bearing is None else bearing.base_range,
        relation=odds.relation,
        mean_hundredths=odds.mean_hundredths,
    )


def attacks(view: View, unit: GroundView, plan: Plan) -> tuple[GroundOdds, ...]:
    """Return the odds of the attacks of a ground unit on tokens, and of its batteries' fire."""
    # A beam on a point hits nothing by itself.
    aimed = [order for order in attacks_of(view, unit) if order.point is None]
    aimed += [order for order in _risky(view, unit) if order not in aimed]
    odds = [ground_odds(view, unit, order) for order in aimed if stands(view, plan, order)]
    return tuple([one for one in odds if isinstance(one, GroundOdds)])


def _risky(view: View, unit: GroundView) -> Iterator[Fire]:
    """Yield attacks on all tokens of the unit's map, also where a low target spoils one."""
    for weapon in unit.weapons:
        for token in () if unit.site is None else tokens(view, unit.site):
            if weapon.kind in GROUND_ARMS:
                yield Fire(ship=unit.id, weapon=weapon.id, at=token.handle)


def bombards_of(view: View, piece: OwnView | GroundView, plan: Plan) -> tuple[BombardReach, ...]:
    """Return the fire of a piece at points, weapon after weapon, map after map."""
    sites = [
        Site(planet.name, environs.number)
        for planet in view.board.planets
        for environs in planet.environs
    ]
    return tuple(
        [
            reach
            for weapon in _point_weapons(piece)
            for site in sites
            for reach in _reaches(view, piece, weapon, site, plan)
        ]
    )


def _point_weapons(piece: OwnView | GroundView) -> list[str]:
    if isinstance(piece, GroundView):
        return [arm.id for arm in piece.weapons if arm.kind in CLASS_OF_ARM]
    return [gun.id for gun in piece.weapons if gun.works and gun.kind in CLASS_OF_KIND]


def _reaches(
    view: View, piece: OwnView | GroundView, weapon: str, site: Site, plan: Plan
) -> Iterator[BombardReach]:
    environs = view.board.environs_at(site)
    if environs is None:
        return
    order = Bombard(ship=piece.id, weapon=weapon, at=site, cell=environs.middle)
    odds = odds_of_bombardment(view, order) if stands(view, plan, order) else None
    if not isinstance(odds, BombardOdds):
        return
    start = (piece.site, piece.cell) if isinstance(piece, GroundView) else _stands_on(view, piece)
    if odds.lands is None or start[0] != site or start[1] is None:
        yield _reach(odds)
        return
    # The farther it flies over the same map, the later it comes down.
    turns: dict[int, list[Cell]] = {}
    for cell in cells_of(environs):
        aimed = msgspec.structs.replace(order, cell=cell)
        turns.setdefault(landing_turn(view, aimed, site, start[1]), []).append(cell)
    for turn, cells in turns.items():
        lands = msgspec.structs.replace(odds, lands=turn)
        yield _reach(lands, tuple(cells) if len(turns) > 1 else ())


def _stands_on(view: View, ship: OwnView) -> tuple[Site | None, Cell | None]:
    return landed_on(view, ship) or (None, None)


def _reach(odds: BombardOdds, cells: tuple[Cell, ...] = ()) -> BombardReach:
    return BombardReach(
        weapon=odds.weapon,
        at=odds.at,
        cells=cells,
        needed=odds.needed,
        hundredths=odds.hundredths,
        guided_hundredths=odds.guided_hundredths,
        damage=odds.damage,
        lands=odds.lands,
    )
