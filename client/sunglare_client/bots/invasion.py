"""An invasion: a fight for a planet by a fleet with troops, agents and fire from above."""

from collections.abc import Iterator

import msgspec

from sunglare_client.advice import Advice
from sunglare_client.bots.battle import BattleFleet
from sunglare_client.bots.combined_arms import CombinedArms
from sunglare_client.bots.fire.sieges import silenced
from sunglare_client.bots.ground.agent_plan import network_orders, watch_orders
from sunglare_client.bots.ground.agent_tasks import standing_orders
from sunglare_client.bots.ground.expedition import Expedition
from sunglare_client.bots.ground.garrison import FOOT, is_raider, lies_low, stations
from sunglare_client.bots.ground.standoff import comes_out, standing_off
from sunglare_client.bots.outcome.beaten import is_broken
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Order
from sunglare_protocol.orders.ground import Station
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import GroundView


class Invasion(CombinedArms):
    """Leads a battle fleet, and lands, shells and overflies where things lie."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(BattleFleet(seed), seed)
        self._expedition = Expedition()
        self._coming_out: tuple[OwnId, ...] = ()

    def gives_up(self, view: View) -> bool:
        """Return whether the fleet is beaten: troops alone win nothing."""
        return is_broken(view) or self.fleet.gives_up(view)

    def is_quiet(self, view: View, unit: GroundView) -> bool:
        """Return whether a unit holds its fire: its first shot reveals all of what it is."""
        return unit.id in self._coming_out or lies_low(view, unit)

    def plot(self, view: View, advice: Advice, fleet: tuple[Order, ...]) -> tuple[Order, ...]:
        """Return the plans of ships, troops and agents; `fleet` are those of a fleet alone."""
        self._expedition.see(view)
        self._coming_out = tuple(unit.id for unit in view.ground if unit.aboard is not None)
        ships = self.ships(view, advice, fleet)
        troops = self._stations(view) if view.stage.turn == 1 else ()
        ashore = self._expedition.landings.moves(view)
        launches = self._expedition.launches(view, advice)
        moves = advice.legal_part([*ships, *launches, *troops, *ashore, *standing_off(view)])
        agents = (*(network_orders(view, moves) if is_raider(view) else watch_orders(view)),)
        spies = silenced(view, self._expedition.spying(view, agents))
        return advice.legal_part([*moves, *standing_orders(view), *spies, *agents])

    def plan(self, view: View, advice: Advice, ship: OwnView) -> tuple[Order, ...] | None:
        """Return what a ship does around the planet; None for the fleet's plan."""
        return self._expedition.plan(view, advice, ship)

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
