"""The seeker: the frame of a bot that searches the map, closes in and fires."""

from collections.abc import Iterable
from typing import assert_never

from sunglare_client.abilities import OF_SCANS, Ability
from sunglare_client.advice import Advice
from sunglare_client.bot import Bot, BotMatch
from sunglare_client.bots.fire.ordnance import aimed, launched
from sunglare_client.bots.ground.ground_orders import ground_shots
from sunglare_client.bots.movement.hunting import Quarry, attack, closing, nearest, quarries
from sunglare_client.bots.movement.steering import best_course, best_shots, deployment
from sunglare_client.bots.outcome.beaten import is_beaten
from sunglare_client.bots.scans.data_requests import Requests
from sunglare_client.bots.scans.looking import TYPES, best_look
from sunglare_client.bots.sightings.belief import Belief
from sunglare_client.bots.sightings.beliefmap import BeliefMap
from sunglare_protocol.ids import Handle, Side
from sunglare_protocol.notices import Notice, ShotResult
from sunglare_protocol.orders import Lift, Order, Power, Scan, Sensors
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Phase


class Seeker(Bot):
    """Keeps a map of where the enemy may be; subclasses say how each ship moves and looks.

    The methods without an underscore may be replaced: each answers one question of a turn. `map`
    is its belief map, of which the questions get the weights as `belief`; put another one there in
    `on_start`, after the seeker's own, to give it bounds. `hurt` is the damage that own shots have
    done, by the handle fired at.
    """

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._enemy_zone: tuple[str, ...] = ()
        self.map = BeliefMap(Side(""))
        self.data_requests = Requests()
        self.hurt: dict[Handle, int] = {}

    def on_start(self, match: BotMatch) -> None:
        """Note the zones in which the enemy starts."""
        self.map = BeliefMap.of(match.side, match.card)
        zones = match.card.zones.items()
        self._enemy_zone = tuple(
            name for side, zone in zones if side != match.side for name in zone
        )

    def on_notice(self, notice: Notice) -> None:
        """Keep signs of enemy places, which requests were vain, and the damage of own shots."""
        self.data_requests.heard(notice)
        if isinstance(notice, ShotResult):
            self.hurt[notice.at] = self.hurt.get(notice.at, 0) + notice.damage
        self.map.heard(notice)

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
        """Return the legal part of what each ship should do in the open window."""
        self.map.see(view)
        belief, ships = self.map.weights, advice.ships()
        match view.stage.phase:
            case Phase.PLOT:
                return advice.legal_part(
                    order for ship in ships for order in self.plot(view, advice, ship, belief)
                )
            case Phase.SCAN:
                scanning = self.lookouts(advice)
                return advice.legal_part(
                    order for ship in scanning for order in self.scan(view, advice, ship, belief)
                )
            case Phase.ENGAGE:
                return advice.legal_part((*self.shots(advice), *ground_shots(advice, self.rng)))
            case Phase.DETECT:
                return advice.legal_part(self.requests(advice))
            case Phase.OVER:
                return ()
            case _:
                assert_never(view.stage.phase)

    def gives_up(self, view: View) -> bool:
        """Return whether nothing is left that could win."""
        return is_beaten(view)

    def plot(self, view: View, advice: Advice, ship: OwnView, belief: Belief) -> tuple[Order, ...]:
        """Return the plan of a ship: here its set-up, and after that a hunt."""
        if ship.volley is not None:
            return aimed(view, ship)
        if view.stage.turn == 1 and view.zone:
            peak = belief.peak(ship.square)
            return (deployment(view, ship, self.rng, peak), *switched_on(ship))
        return self.hunt(view, advice, ship, belief)

    def hunt(self, view: View, advice: Advice, ship: OwnView, belief: Belief) -> tuple[Order, ...]:
        """Return a plan with everything on, towards the nearest enemy or where one likely is.

        What can be launched at it is.
        """
        if ship.landed is not None:
            return (*powered_on(ship), Lift(ship=ship.id))
        quarry = self.quarry(view, ship)
        if quarry is not None:
            course = attack(advice, ship, quarry)
        else:
            peak = belief.peak(ship.square)
            course = best_course(advice, ship, closing(view.board, ship, peak, peak))
        return (*switched_on(ship), *course, *launched(view, ship, course))

    def quarry(self, view: View, ship: OwnView) -> Quarry | None:
        """Return the enemy that a ship goes for: here the nearest that is held or was seen."""
        return nearest(ship, quarries(view))

    def lookouts(self, advice: Advice) -> Iterable[OwnView]:
        """Return the ships that shall scan, the first ones first; not all of them may."""
        return advice.ships()

    def scan(self, view: View, advice: Advice, ship: OwnView, belief: Belief) -> tuple[Order, ...]:
        """Return the scan of a ship: here the one most likely to find something."""
        found = best_look(
            view,
            ship,
            belief,
            lambda scan: self.care(advice, scan),
            sense=advice.may(Ability.SENSE),
            types=tuple(kind for kind in TYPES if advice.may(OF_SCANS[kind])),
        )
        if found is None:
            return ()
        look, squares = found
        belief.searched(squares, look.chance)
        return (look.scan,)

    def care(self, advice: Advice, scan: Scan) -> float:  # noqa: ARG002 - for subclasses
        """Return a factor, 0 to 1, that makes a scan less attractive: here none does."""
        return 1.0

    def requests(self, advice: Advice) -> Iterable[Order]:
        """Return what the ships ask about what they hold: here each the first that is in reach."""
        worth_it = tuple(self.data_requests.worth_making(advice))
        return {request.ship: request for request in reversed(worth_it)}.values()

    def shots(self, advice: Advice) -> tuple[Order, ...]:
        """Return what the ships fire; the ground units fire anyway."""
        return best_shots(advice)


def powered_on(ship: OwnView) -> tuple[Order, ...]:
    """Return the order that starts the plant, if it is off."""
    return () if ship.powered or ship.starting else (Power(ship=ship.id, on=True),)


def switched_on(ship: OwnView) -> tuple[Order, ...]:
    """Return the orders that start the plant and pop the hull sensors out, where they are not."""
    sensors = () if ship.popped_out else (Sensors(ship=ship.id, out=True),)
    return (*powered_on(ship), *sensors)


def switched_off(ship: OwnView) -> tuple[Order, ...]:
    """Return the orders that switch the plant off and fold the sensors, where they are not."""
    power = (Power(ship=ship.id, on=False),) if ship.powered or ship.starting else ()
    return (*power, *((Sensors(ship=ship.id, out=False),) if ship.popped_out else ()))
