"""An invasion: a fight for a planet by a fleet with troops, agents and fire from above."""

from collections.abc import Iterable, Iterator

import msgspec

from sunglare_client.advice import Advice
from sunglare_client.bot import Bot, BotMatch
from sunglare_client.bots.battle import BattleFleet
from sunglare_client.bots.fire.bombarding import bombardments
from sunglare_client.bots.fire.sieges import silenced
from sunglare_client.bots.ground.agent_plan import network_orders, watch_orders
from sunglare_client.bots.ground.agent_tasks import standing_orders
from sunglare_client.bots.ground.expedition import Expedition
from sunglare_client.bots.ground.garrison import FOOT, is_raider, lies_low, stations
from sunglare_client.bots.ground.searches import attacks, searches
from sunglare_client.bots.ground.standoff import comes_out, standing_off
from sunglare_client.bots.outcome.beaten import is_broken
from sunglare_protocol.ids import OwnId
from sunglare_protocol.notices import Notice
from sunglare_protocol.orders import Bombard, Fire, Order
from sunglare_protocol.orders.ground import Station
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.ladder import Phase


class Invasion(Bot):
    """Leads a battle fleet, and lands, shells and overflies where things lie."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._fleet = BattleFleet(seed)
        self._expedition = Expedition()
        self._coming_out: tuple[OwnId, ...] = ()

    def on_start(self, match: BotMatch) -> None:
        """Note what the fleet needs to know."""
        self._fleet.on_start(match)

    def on_notice(self, notice: Notice) -> None:
        """Take in signs of enemies."""
        self._fleet.on_notice(notice)

    def gives_up(self, view: View) -> bool:
        """Return whether the fleet is beaten: troops alone win nothing."""
        return is_broken(view) or self._fleet.gives_up(view)

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
        """Return the fleet's orders, with those of the planet in their place where there are."""
        fleet = tuple(self._fleet.on_window(view, advice))
        if view.stage.phase is Phase.PLOT:
            return self._plotted(view, advice, fleet)
        if view.stage.phase is Phase.ENGAGE and (view.agents or view.ground):
            return self._engaged(view, advice, fleet)
        return fleet

    def _engaged(self, view: View, advice: Advice, fleet: tuple[Order, ...]) -> tuple[Order, ...]:
        """Return shots in space, fire at the ground with what guides it, and all on the ground."""
        ours = [unit.id for unit in view.ground]
        shots = [order for order in fleet if isinstance(order, Fire) and order.ship not in ours]
        rest = [order for order in fleet if not isinstance(order, Fire | Bombard)]
        ground: Iterator[Order] = iter((*attacks(view, self._is_quiet), *searches(view)))
        return advice.legal_part([*shots, *bombardments(view, advice), *ground, *rest])

    def _is_quiet(self, view: View, unit: GroundView) -> bool:
        """Return whether a unit holds its fire: its first shot reveals all of what it is."""
        return unit.id in self._coming_out or lies_low(view, unit)

    def _plotted(self, view: View, advice: Advice, fleet: tuple[Order, ...]) -> tuple[Order, ...]:
        self._expedition.see(view)
        self._coming_out = tuple(unit.id for unit in view.ground if unit.aboard is not None)
        ships = [
            order for ship in advice.ships() for order in self._ship(view, advice, ship, fleet)
        ]
        troops = self._stations(view) if view.stage.turn == 1 else ()
        ashore = self._expedition.landings.moves(view)
        launches = self._expedition.launches(view, advice)
        moves = advice.legal_part([*ships, *launches, *troops, *ashore, *standing_off(view)])
        agents = (*(network_orders(view, moves) if is_raider(view) else watch_orders(view)),)
        spies = silenced(view, self._expedition.spying(view, agents))
        return advice.legal_part([*moves, *standing_orders(view), *spies, *agents])

    def _stations(self, view: View) -> Iterator[Station]:
        """Yield the set-up of the troops; no foot goes to where the side only wants something.

        Units that are to meet a landing do not hide: leaving a hide in sight reveals the unit, and
        in the open it is a blip.
        """
        areas = tuple(area for area in view.areas if area.site != self._expedition.site)
        foot = tuple(unit for unit in view.ground if unit.kind in FOOT)
        others = tuple(unit for unit in view.ground if unit.kind not in FOOT)
        comes = [unit.id for unit in view.ground if comes_out(unit)]
        for ground, within in ((foot, areas), (others, view.areas)):
            part = msgspec.structs.replace(view, ground=ground, areas=within)
            for order in stations(part, self.rng):
                is_hidden = order.ship not in comes
                yield msgspec.structs.replace(order, hidden=is_hidden)

    def _ship(
        self, view: View, advice: Advice, ship: OwnView, fleet: tuple[Order, ...]
    ) -> tuple[Order, ...]:
        """Return the plan of a ship: what it does around the planet, else the fleet's."""
        plan = self._expedition.plan(view, advice, ship)
        return tuple(order for order in fleet if order.ship == ship.id) if plan is None else plan
