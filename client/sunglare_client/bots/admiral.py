"""The admiral: leads a whole fleet with its troops and agents, each ship by what it is for."""

from collections.abc import Iterable

from sunglare_client.advice import Advice
from sunglare_client.bot import BotMatch
from sunglare_client.bots.belief import Belief
from sunglare_client.bots.hunter import Hunter
from sunglare_client.bots.prober import Prober
from sunglare_client.bots.searcher import Searcher
from sunglare_client.bots.shelling import shelling
from sunglare_protocol.notices import Notice
from sunglare_protocol.orders import Bombard, Fire, Listen, Order, Sweep
from sunglare_protocol.views import OwnView, View


class Admiral(Searcher, Prober):
    """Leads troops and agents as a searcher does, ships as a prober, cloaked ones as a hunter."""

    name = "admiral"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._stalker = Hunter(seed)

    def on_start(self, match: BotMatch) -> None:
        """Note zones and classes."""
        super().on_start(match)
        self._stalker.on_start(match)

    def on_notice(self, notice: Notice) -> None:
        """Take in what tells of enemies."""
        super().on_notice(notice)
        self._stalker.on_notice(notice)

    def plot(self, view: View, advice: Advice, ship: OwnView, belief: Belief) -> tuple[Order, ...]:
        """Return the stalk of a ship with a cloak, the hunt of any other."""
        if ship.cloak:
            return self._stalker.plot(view, advice, ship, belief)
        return super().plot(view, advice, ship, belief)

    def leaves(self, view: View) -> bool:  # noqa: ARG002 - a fleet has more to do than to raid
        """Return that a fleet stays, whatever its agents have done."""
        return False

    def requests(self, advice: Advice) -> Iterable[Order]:
        """Return who listens and who sweeps, and what is asked about what is held."""
        search = self._stalker.requests(advice)
        ears = (order for order in search if isinstance(order, Listen | Sweep))
        return (*ears, *super().requests(advice))

    def shots(self, advice: Advice) -> tuple[Order, ...]:
        """Return shots at what promises most, fire at the ground, and what waits for answers."""
        given = (*super().shots(advice), *shelling(advice))
        fired = {
            (order.ship, order.weapon) for order in given if isinstance(order, Fire | Bombard)
        }
        alone = {order.ship for order in given if isinstance(order, Fire) and order.at is None}
        held = (
            hold
            for hold in advice.holds()
            if hold.ship not in alone and (hold.ship, hold.weapon) not in fired
        )
        return (*given, *held)
