"""The raider: slips past the guns to its edge; where it has none it stalks cloaked ships."""

from collections.abc import Iterable

from sunglare_client.advice import Advice
from sunglare_client.bot import BotMatch
from sunglare_client.bots.belief import Belief
from sunglare_client.bots.hunter import WATCH_TURNS, Hunter
from sunglare_client.bots.prowling import enemies, run_of
from sunglare_client.bots.raiding import Raid
from sunglare_client.bots.stalking import Stalk
from sunglare_protocol.ids import Side
from sunglare_protocol.notices import Notice
from sunglare_protocol.orders import Listen, Order, Sweep
from sunglare_protocol.views import OwnView, View


class Raider(Hunter):
    """Slips past the guns to its edge; where it has none stands in the way of who can cloak."""

    name = "raider"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._raid, self._stalk = Raid(Side("")), Stalk()

    def on_start(self, match: BotMatch) -> None:
        """Note the zones in which the enemy starts."""
        super().on_start(match)
        self._raid, self._stalk = Raid(match.side, self._enemy_zone), Stalk(self._enemy_zone)

    def on_notice(self, notice: Notice) -> None:
        """Keep what tells of enemies, and of how they look for cloaked ships."""
        super().on_notice(notice)
        self._raid.heard(notice)

    def plot(self, view: View, advice: Advice, ship: OwnView, belief: Belief) -> tuple[Order, ...]:
        """Return a raider's run or wait, or a picket's watch; elsewhere what a hunter does."""
        is_set_up = view.stage.turn == 1 and bool(view.zone)
        run = run_of(view)
        if run is not None and ship.volley is None:
            if is_set_up:
                return self._raid.deployed(view, ship, run)
            return self._raid.plot(advice, ship, run)
        is_idle = view.stage.turn > WATCH_TURNS and not enemies(view)
        if not stalks(view) or ship.volley is not None or ship.landed is not None or is_idle:
            return super().plot(view, advice, ship, belief)
        if is_set_up:
            return self._stalk.deployed(view, ship)
        return self._stalk.plot(advice, ship)

    def lookouts(self, advice: Advice) -> Iterable[OwnView]:
        """Return the ships that shall scan: of raiders and stalkers any that can."""
        if raids(advice.view) or stalks(advice.view):
            return advice.ships()
        return super().lookouts(advice)

    def scan(self, view: View, advice: Advice, ship: OwnView, belief: Belief) -> tuple[Order, ...]:
        """Return the scan of a ship: where somebody is expected, or else is likely."""
        if stalks(view):
            scans = tuple(self._stalk.scans(advice))
            if scans:
                return tuple(scan for scan in scans if scan.ship == ship.id)
        return super().scan(view, advice, ship, belief)

    def requests(self, advice: Advice) -> Iterable[Order]:
        """Return who listens, who sweeps, and what the ships ask about what they hold."""
        asked = tuple(super().requests(advice))
        if not raids(advice.view) and not stalks(advice.view):
            return asked
        search = self._stalk.searches(advice) if stalks(advice.view) else ()
        return (*search, *(one for one in asked if not isinstance(one, Listen | Sweep)))

    def shots(self, advice: Advice) -> tuple[Order, ...]:
        """Return shots at one target; none of raiders, who would rather not be known."""
        return () if raids(advice.view) else super().shots(advice)


def raids(view: View) -> bool:
    """Return whether the side has an edge to run for."""
    return run_of(view) is not None


def stalks(view: View) -> bool:
    """Return whether others may be cloaked, but no ship of a side that has no edge to run for."""
    hunts = view.cloak_rules.cloaks and not raids(view)
    return hunts and not any(ship.cloak for ship in view.own)
