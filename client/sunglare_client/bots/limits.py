"""A bot without some abilities, which are switched off where they work by themselves.

Theory of operation. The bot sees its own pieces as if they lacked the sensors, weapons, jammers or
cloaks in question, and is advised as if the rules did not let it use the rest (`Advice`); so it
plans without them. Some things happen without an order: ships listen, jammers jam, point defence
fires, ships start under their cloaks. For these the orders that end them are added.
"""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from sunglare_client.abilities import OF_SCANS, Ability, taken_by
from sunglare_client.advice import Advice
from sunglare_client.bot import Bot, as_orders
from sunglare_client.bots.wrapped import Wrapped
from sunglare_client.errors import BotError
from sunglare_protocol.orders import Cloak, Defend, Deploy, Listen, Order, Power
from sunglare_protocol.views import ContactView, OwnView, View, WeaponView
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.armament import DefencePolicy, WeaponKind
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.pieces import Arc, PieceKind
from sunglare_protocol.words.specials import Special
from sunglare_protocol.words.victory import ObjectiveKind

DESIGNATORS = (Special.TAG, Special.LTAG)
JAMMERS = (Special.ECM, Special.AECM, Special.LECM)

OF_WEAPONS = {WeaponKind.NOVA: Ability.NOVA, WeaponKind.SALVO: Ability.MISSILES}

Without = tuple[Ability, ...]


class Limited(Wrapped):
    """Plays as another bot would that does without some abilities.

    Whether it resigns it asks of all that its side has.
    """

    name = "limited"

    def __init__(self, kind: Callable[[int], Bot], without: Without, seed: int = 0) -> None:
        super().__init__(kind, seed)
        self._without = without

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
        """Return what the bot orders, and what else the side must do without."""
        shown = view_without(view, self._without)
        given = as_orders(self.bot.on_window(shown, Advice(shown, self._without)))
        for order in given:
            missing = [ability for ability in taken_by(order) if ability in self._without]
            if missing:
                raise BotError(f"{order} takes {missing[0].value}, which the side does without")
        held_back = tuple(_held_back(view, order, self._without) for order in given)
        return advice.legal_part((*held_back, *_switched_off(view, held_back, self._without)))


def view_without(view: View, without: Without) -> View:
    """Return a view in which the own pieces lack what the side does without.

    A side that sends no agents on missions has none to do: objectives that take one are left out.
    """
    objectives = tuple(
        goal
        for goal in view.objectives
        if Ability.MISSIONS not in without or goal.kind is not ObjectiveKind.DELIVER
    )
    return msgspec.structs.replace(
        view,
        own=tuple(_ship_without(ship, without) for ship in view.own),
        ground=tuple(_unit_without(unit, without) for unit in view.ground),
        contacts=tuple(_contact_without(contact, without) for contact in view.contacts),
        objectives=objectives,
    )


def _contact_without(contact: ContactView, without: Without) -> ContactView:
    """Return a contact that no shot may aim at which the side does without."""
    fix = contact.fix
    if fix is Fix.SOLUTION and Ability.SOLUTIONS in without:
        # A solution is fired at like a detected ship, at long range.
        fix = Fix.DETECTED
    elif fix is Fix.DETECTED and Ability.DETECTED_FIRE in without:
        fix = Fix.MEMORY
    return msgspec.structs.replace(contact, fix=fix)


def _ship_without(ship: OwnView, without: Without) -> OwnView:
    has_cloak = Ability.CLOAKS not in without
    is_silent = ship.cloaked and Ability.CLOAKED_FIRE in without
    return msgspec.structs.replace(
        ship,
        sensors={
            kind: 0 if OF_SCANS[kind] in without else rating
            for kind, rating in ship.sensors.items()
        },
        weapons=tuple(gun for gun in ship.weapons if not (is_silent or _is_missing(gun, without))),
        cloak=ship.cloak and has_cloak,
        cloaked=ship.cloaked and has_cloak,
        ecm=None if Ability.JAMMERS in without else ship.ecm,
        dispensers=0 if Ability.REMOTES in without else ship.dispensers,
        point_defence=0 if Ability.POINT_DEFENCE in without else ship.point_defence,
    )


def _unit_without(unit: GroundView, without: Without) -> GroundView:
    missing = DESIGNATORS if Ability.TAG in without else ()
    return msgspec.structs.replace(
        unit,
        specials=tuple(special for special in unit.specials if special not in missing),
        dispensers=0 if Ability.REMOTES in without else unit.dispensers,
    )


def _is_missing(gun: WeaponView, without: Without) -> bool:
    if gun.arc is Arc.BULLSEYE:
        return Ability.BULLSEYE in without
    return OF_WEAPONS.get(gun.kind) in without


def _held_back(view: View, order: Order, without: Without) -> Order:
    """Return an order so that what the side does without is not switched on by it."""
    by_id = {ship.id: ship for ship in view.own}
    ship = by_id.get(order.ship)
    if isinstance(order, Deploy) and ship is not None and ship.cloaked:
        if Ability.CLOAKS in without:
            return msgspec.structs.replace(order, cloaked=False)
    elif isinstance(order, Power) and ship is not None and ship.ecm and Ability.JAMMERS in without:
        return msgspec.structs.replace(order, ecm=False)
    return order


def _switched_off(view: View, given: tuple[Order, ...], without: Without) -> Iterator[Order]:
    """Yield the orders that end what works without an order, apart from those that are given."""
    ships = [ship for ship in view.own if ship.fate is Fate.IN_PLAY]
    busy = [(type(order), order.ship) for order in given]
    for order in _ended(view, ships, without):
        if (type(order), order.ship) not in busy:
            yield order


def _ended(view: View, ships: list[OwnView], without: Without) -> Iterator[Order]:
    match view.stage.phase:
        case Phase.PLOT:
            if Ability.CLOAKS in without:
                yield from (Cloak(ship=ship.id, on=False) for ship in ships if ship.cloaked)
            if Ability.JAMMERS in without:
                yield from _unjammed(view, ships)
        case Phase.DETECT if Ability.LISTENING in without:
            yield from (Listen(ship=ship.id, on=False) for ship in ships)
        case Phase.ENGAGE if Ability.POINT_DEFENCE in without:
            yield from (
                Defend(ship=ship.id, policy=DefencePolicy.HOLD)
                for ship in ships
                if ship.kind is PieceKind.STARSHIP
            )
        case _:
            pass


def _unjammed(view: View, ships: list[OwnView]) -> Iterator[Power]:
    for ship in ships:
        if ship.ecm:
            yield Power(ship=ship.id, on=ship.powered or ship.starting, ecm=False)
    for unit in view.ground:
        if unit.ecm_on and any(special in JAMMERS for special in unit.specials):
            yield Power(ship=unit.id, on=True, ecm=False)
