"""The random bot: any legal orders that do not kill it; the measure that every bot must beat."""

from collections.abc import Iterable

from sunglare_client.advice import Advice
from sunglare_client.bot import Bot
from sunglare_client.bots.steering import CRASH_NEXT, danger, deployment
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId
from sunglare_protocol.ladder import Phase
from sunglare_protocol.orders import Fire, Order, Power, Rotate, Sensors
from sunglare_protocol.views import OwnView, View
from sunglare_rules.advice.legal import legal
from sunglare_rules.advice.plotting import after_plot
from sunglare_rules.arcs import STANDARD_ARCS

FIRES = 0.9
"""How often a weapon that can fire does."""

SWITCHES_OFF = 0.05
"""How often a plan that switches the power plant is left standing."""

LAUNCHES = 0.4
"""How often a ship that can launch something does, and a volley is sent elsewhere."""

ACTS = 0.6
"""How often a ground unit or character does anything."""

ROTATES = 0.25
"""How often a turret is rotated."""


class RandomLegal(Bot):
    """Moves, switches, launches, scans, asks and fires at random."""

    name = "random"

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
        """Return random legal orders of the kinds that the window takes."""
        if view.stage.phase is Phase.PLOT:
            orders = [order for ship in advice.ships() for order in self._plot(view, advice, ship)]
        elif view.stage.phase is Phase.SCAN:
            orders = [order for ship in advice.ships() for order in self._scan(advice, ship)]
        elif view.stage.phase is Phase.DETECT:
            orders = list(self._probes(advice))
        elif view.stage.phase is Phase.ENGAGE:
            orders = list(self._shots(advice))
        else:
            orders = []
        return advice.legal_part([*orders, *self._on_the_ground(view)])

    def _plot(self, view: View, advice: Advice, ship: OwnView) -> Iterable[Order]:
        if view.stage.turn == 1 and view.zone:
            return (
                deployment(view, ship, self.rng, self._anywhere(view)),
                Sensors(ship=ship.id, out=self.rng.random() < FIRES),
            )
        plans = [
            plan
            for plan in advice.plots(ship)
            if danger(view.board, after_plot(view, ship, plan)) < CRASH_NEXT
        ] or [()]
        if self.rng.random() >= SWITCHES_OFF:
            plans = [p for p in plans if not any(isinstance(each, Power) for each in p)] or [()]
        return (*self.rng.choice(plans), *self._rotations(ship), *self._ordnance(advice, ship))

    def _ordnance(self, advice: Advice, ship: OwnView) -> Iterable[Order]:
        found = list(advice.ordnance(ship))
        return (self.rng.choice(found),) if found and self.rng.random() < LAUNCHES else ()

    def _rotations(self, ship: OwnView) -> Iterable[Order]:
        for turret in ship.turrets:
            others = [arc for arc in STANDARD_ARCS if arc not in turret.arcs]
            if others and self.rng.random() < ROTATES:
                yield Rotate(ship=ship.id, turret=turret.id, to=self.rng.choice(others))

    def _scan(self, advice: Advice, ship: OwnView) -> Iterable[Order]:
        scans = list(advice.scans(ship))
        return (self.rng.choice(scans),) if scans else ()

    def _on_the_ground(self, view: View) -> Iterable[Order]:
        """Return one order at random, or none, for each ground unit and character."""
        pieces = {each.id for each in view.own}
        choices: dict[str, list[Order]] = {}
        for order in legal(view) if view.ground or view.people else ():
            if order.ship not in pieces:
                choices.setdefault(order.ship, []).append(order)
        for orders in choices.values():
            if self.rng.random() < ACTS:
                yield self.rng.choice(orders)

    def _shots(self, advice: Advice) -> Iterable[Fire]:
        by_weapon: dict[tuple[OwnId, str], list[Fire]] = {}
        for shot in advice.shots():
            by_weapon.setdefault((shot.ship, shot.weapon), []).append(shot)
        for shots in by_weapon.values():
            if self.rng.random() < FIRES:
                yield self.rng.choice(shots)

    def _probes(self, advice: Advice) -> Iterable[Order]:
        by_ship: dict[OwnId, list[Order]] = {}
        for request in advice.probes():
            by_ship.setdefault(request.ship, []).append(request)
        for requests in by_ship.values():
            if self.rng.random() < FIRES:
                yield self.rng.choice(requests)

    def _anywhere(self, view: View) -> Square:
        area = view.board.area
        return Square(
            self.rng.randint(area.west, area.east), self.rng.randint(area.north, area.south)
        )
