"""Collecting: ships fetch under their cloaks what lies about, or lie in wait for those that do."""

from collections.abc import Iterable

from sunglare_client.advice import Advice
from sunglare_client.bot import BotMatch
from sunglare_client.bots.cloak.ambush import lies_in_wait, posted, searches
from sunglare_client.bots.cloak.fetching import Fetch, answers, fetches
from sunglare_client.bots.hunter import Hunter
from sunglare_client.bots.sightings.belief import Belief
from sunglare_protocol.orders import Listen, Order, Sweep
from sunglare_protocol.views import OwnView, View


class Collecting(Hunter):
    """Fetches under its cloaks, burns where it is not dear; lies in wait for others who do so."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._fetch = Fetch()

    def on_start(self, match: BotMatch) -> None:
        """Note the zones in which the enemy starts."""
        super().on_start(match)
        self._fetch = Fetch(self._enemy_zone)

    def plot(self, view: View, advice: Advice, ship: OwnView, belief: Belief) -> tuple[Order, ...]:
        """Return a way to what is to be collected, or a wait; elsewhere what a hunter does."""
        is_set_up = view.stage.turn == 1 and bool(view.zone)
        if fetches(view):
            return (
                self._fetch.deployed(advice, ship) if is_set_up else self._fetch.plot(advice, ship)
            )
        if not lies_in_wait(view):
            return super().plot(view, advice, ship, belief)
        return posted(view, ship, self.rng) if is_set_up else ()

    def lookouts(self, advice: Advice) -> Iterable[OwnView]:
        """Return the ships that scan: all of an ambush, none of a side that fetches."""
        if fetches(advice.view):
            return ()
        return advice.ships() if lies_in_wait(advice.view) else super().lookouts(advice)

    def requests(self, advice: Advice) -> Iterable[Order]:
        """Return who listens, who sweeps, and what the ships ask about what they hold."""
        asked = tuple(super().requests(advice))
        if not lies_in_wait(advice.view):
            return asked
        return (*searches(advice), *(one for one in asked if not isinstance(one, Listen | Sweep)))

    def shots(self, advice: Advice) -> tuple[Order, ...]:
        """Return answers to who sweeps; of an ambush shots at one target, as a hunter's are."""
        return answers(advice) if fetches(advice.view) else super().shots(advice)
