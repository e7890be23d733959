"""Combined arms: the frame of a bot that leads a fleet together with the troops of its side.

The ships are flown by the fleet wherever the planets have nothing for them to do.
"""

from collections.abc import Iterable, Iterator

from sunglare_client.advice import Advice
from sunglare_client.bot import Bot, BotMatch
from sunglare_client.bots.fire.bombarding import bombardments
from sunglare_client.bots.fleet import Fleet
from sunglare_client.bots.ground.garrison import lies_low
from sunglare_client.bots.ground.searches import attacks, searches
from sunglare_protocol.notices import Notice
from sunglare_protocol.orders import Bombard, Fire, Order
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.ladder import Phase


class CombinedArms(Bot):
    """Leads a fleet, with orders for planets in the place of the fleet's where there are any."""

    def __init__(self, fleet: Fleet, seed: int = 0) -> None:
        super().__init__(seed)
        self.fleet = fleet

    def on_start(self, match: BotMatch) -> None:
        """Note what the fleet needs to know."""
        self.fleet.on_start(match)

    def on_notice(self, notice: Notice) -> None:
        """Take in signs of enemies."""
        self.fleet.on_notice(notice)

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
        """Return the fleet's orders, or those of all arms while there are troops or agents."""
        fleet = tuple(self.fleet.on_window(view, advice))
        if not view.agents and not view.ground:
            return fleet
        if view.stage.phase is Phase.PLOT:
            return self.plot(view, advice, fleet)
        if view.stage.phase is Phase.ENGAGE:
            return self._engage(view, advice, fleet)
        return fleet

    def plot(self, view: View, advice: Advice, fleet: tuple[Order, ...]) -> tuple[Order, ...]:
        """Return the plans of ships, troops and agents; `fleet` are those of a fleet alone."""
        raise NotImplementedError

    def plan(self, view: View, advice: Advice, ship: OwnView) -> tuple[Order, ...] | None:
        """Return what a ship does around planets; None if the fleet has a better plan for it."""
        raise NotImplementedError

    def is_quiet(self, view: View, unit: GroundView) -> bool:
        """Return whether a unit holds its fire: here one that lies low."""
        return lies_low(view, unit)

    def ships(self, view: View, advice: Advice, fleet: tuple[Order, ...]) -> Iterator[Order]:
        """Yield the plan of each ship: what it does around planets, else the fleet's."""
        for ship in advice.ships():
            plan = self.plan(view, advice, ship)
            yield from (o for o in fleet if o.ship == ship.id) if plan is None else plan

    def _engage(self, view: View, advice: Advice, fleet: tuple[Order, ...]) -> tuple[Order, ...]:
        """Return shots in space, fire at the ground with what guides it, and all on the ground."""
        ours = [unit.id for unit in view.ground]
        shots = [order for order in fleet if isinstance(order, Fire) and order.ship not in ours]
        rest = [order for order in fleet if not isinstance(order, Fire | Bombard)]
        ground: Iterator[Order] = iter((*attacks(view, self.is_quiet), *searches(view)))
        return advice.legal_part([*shots, *bombardments(view, advice), *ground, *rest])
