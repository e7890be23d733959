"""Espionage: agents, garrisons and what supports them from above, on either side.

The ships are flown by a fleet wherever the planet has nothing for them to do.
"""

from collections.abc import Iterable, Iterator

from sunglare_client.advice import Advice
from sunglare_client.bot import Bot, BotMatch
from sunglare_client.bots.fire.bombarding import bombardments
from sunglare_client.bots.fleet import Fleet
from sunglare_client.bots.ground.agent_plan import network_orders, watch_orders
from sunglare_client.bots.ground.agent_tasks import standing_orders
from sunglare_client.bots.ground.counter_attack import pointers, sallies
from sunglare_client.bots.ground.flotilla import Flotilla
from sunglare_client.bots.ground.garrison import holds, is_raider, lies_low, stations
from sunglare_client.bots.ground.passages import Passages
from sunglare_client.bots.ground.searches import attacks, searches
from sunglare_client.bots.ground.sowing import sown
from sunglare_client.bots.outcome.reckoning import has_failed
from sunglare_protocol.notices import Notice
from sunglare_protocol.orders import Bombard, Fire, Order
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fate, Phase


class Espionage(Bot):
    """Steals and frees through agents who hide well, lands, shells and holds what they need."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._fleet = Fleet(seed)
        self._flotilla = Flotilla()
        self._passages = Passages()

    def on_start(self, match: BotMatch) -> None:
        """Note what the fleet needs to know."""
        self._fleet.on_start(match)

    def on_notice(self, notice: Notice) -> None:
        """Take in signs of enemies."""
        self._fleet.on_notice(notice)

    def gives_up(self, view: View) -> bool:
        """Return whether a raid failed, or nothing is left that could win, on the ground too."""
        if has_failed(view):
            return True
        fates = [*(unit.fate for unit in view.ground), *(agent.fate for agent in view.agents)]
        return Fate.IN_PLAY not in fates and self._fleet.gives_up(view)

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
        """Return the fleet's orders, with those of the planet in their place where there are."""
        fleet = tuple(self._fleet.on_window(view, advice))
        if not view.agents and not view.ground:
            return fleet
        if view.stage.phase is Phase.PLOT:
            return self._plotted(view, advice, fleet)
        if view.stage.phase is Phase.ENGAGE:
            return _engaged(view, advice, fleet)
        return fleet

    def _plotted(self, view: View, advice: Advice, fleet: tuple[Order, ...]) -> tuple[Order, ...]:
        self._flotilla.see(view)
        self._passages.see(view)
        ships = [
            order for ship in advice.ships() for order in self._ship(view, advice, ship, fleet)
        ]
        troops = stations(view, self.rng) if view.stage.turn == 1 else ()
        ashore = (
            self._flotilla.landings.moves(view)
            if is_raider(view)
            else (*sallies(view), *sown(view))
        )
        moves = advice.legal_part([*ships, *troops, *ashore, *pointers(view, advice)])
        return advice.legal_part([*moves, *standing_orders(view), *self._agents(view, moves)])

    def _agents(self, view: View, moves: tuple[Order, ...]) -> Iterator[Order]:
        """Return what agents do: raid, on one planet or between two, or look for others."""
        if self._passages.are_wanted:
            return self._passages.steps(view, moves)
        if is_raider(view):
            return network_orders(view, moves, self._flotilla.landings.ferry(view))
        return watch_orders(view)

    def _ship(
        self, view: View, advice: Advice, ship: OwnView, fleet: tuple[Order, ...]
    ) -> tuple[Order, ...]:
        """Return the plan of a ship: what it does around planets, else the fleet's."""
        plan = self._planned(view, advice, ship)
        return tuple(order for order in fleet if order.ship == ship.id) if plan is None else plan

    def _planned(self, view: View, advice: Advice, ship: OwnView) -> tuple[Order, ...] | None:
        """Return what a ship does around planets; None for the fleet of who raids and holds."""
        if self._passages.are_wanted:
            return self._passages.plan(view, advice, ship)
        if is_raider(view) and not holds(view):
            return self._flotilla.raids(view, advice, ship)
        if holds(view) and not is_raider(view):
            return self._flotilla.guards(view, advice, ship)
        return None


def _engaged(view: View, advice: Advice, fleet: tuple[Order, ...]) -> tuple[Order, ...]:
    """Return shots in space, fire at the ground with what guides it, and all on the ground."""
    ours = [unit.id for unit in view.ground]
    shots = [order for order in fleet if isinstance(order, Fire) and order.ship not in ours]
    rest = [order for order in fleet if not isinstance(order, Fire | Bombard)]
    ground: Iterator[Order] = iter((*attacks(view, lies_low), *searches(view)))
    return advice.legal_part([*shots, *bombardments(view, advice), *ground, *rest])
