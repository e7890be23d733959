"""Espionage: agents, garrisons and what supports them from above, on either side."""

from collections.abc import Iterator

from sunglare_client.advice import Advice
from sunglare_client.bots.combined_arms import CombinedArms
from sunglare_client.bots.fleet import Fleet
from sunglare_client.bots.ground.agent_plan import network_orders, watch_orders
from sunglare_client.bots.ground.agent_tasks import standing_orders
from sunglare_client.bots.ground.counter_attack import pointers, sallies
from sunglare_client.bots.ground.flotilla import Flotilla
from sunglare_client.bots.ground.garrison import holds, is_raider, stations
from sunglare_client.bots.ground.passages import Passages
from sunglare_client.bots.ground.sowing import sown
from sunglare_client.bots.outcome.reckoning import has_failed
from sunglare_protocol.orders import Order
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fate


class Espionage(CombinedArms):
    """Steals and frees through agents who hide well, lands, shells and holds what they need."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(Fleet(seed), seed)
        self._flotilla = Flotilla()
        self._passages = Passages()

    def gives_up(self, view: View) -> bool:
        """Return whether a raid failed, or nothing is left that could win, on the ground too."""
        if has_failed(view):
            return True
        fates = [*(unit.fate for unit in view.ground), *(agent.fate for agent in view.agents)]
        return Fate.IN_PLAY not in fates and self.fleet.gives_up(view)

    def plot(self, view: View, advice: Advice, fleet: tuple[Order, ...]) -> tuple[Order, ...]:
        """Return the plans of ships, troops and agents; `fleet` are those of a fleet alone."""
        self._flotilla.see(view)
        self._passages.see(view)
        ships = self.ships(view, advice, fleet)
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

    def plan(self, view: View, advice: Advice, ship: OwnView) -> tuple[Order, ...] | None:
        """Return what a ship does around planets; None for the fleet of who raids and holds."""
        if self._passages.are_wanted:
            return self._passages.plan(view, advice, ship)
        if is_raider(view) and not holds(view):
            return self._flotilla.raids(view, advice, ship)
        if holds(view) and not is_raider(view):
            return self._flotilla.guards(view, advice, ship)
        return None
