"""An occupation: troops land where they are to hold the ground, and all ships hunt.

Theory of operation. A match for a piece of ground is won by the side that alone has troops on it,
and by what is shot on the way there. So a ship with troops goes down as soon as it can, under its
cloak if it has one, out of sight of who is there; when they are out it lifts off and fights. Ships
fight as a battle fleet's do, but listen oftener and sweep less, for a sweep shows all sides where
they are. What has no drive does not even turn, so that all hear. The troops attack all others on
their map, and look for foes if they see none. Who has lost what could still turn the score
resigns.
"""

from collections.abc import Iterable

from sunglare_client.abilities import Ability
from sunglare_client.advice import Advice
from sunglare_client.bots.battle import BattleFleet
from sunglare_client.bots.cloak.prowling import enemies
from sunglare_client.bots.ground.flotilla import Beachhead, beachhead, foes_on, has_troops, landing
from sunglare_client.bots.ground.ground_sweep import combed
from sunglare_client.bots.movement.landers import start_of, way_down
from sunglare_client.bots.movement.measures import inches_apart
from sunglare_client.bots.outcome.resignation import is_for_ground, is_lost
from sunglare_client.bots.seeker import powered_on, switched_on
from sunglare_client.bots.sightings.belief import Belief
from sunglare_protocol.orders import Listen, Order, Sweep
from sunglare_protocol.surface import Cell, Mode
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.ground.terrain import may_stand, terrain_at

LANDS_OFF = 16.0
"""So far from the nearest foe, or from the middle of the map, a ship wants to land, in inches."""

ABOUT = 5.0
"""It lands up to so many inches nearer or farther, on a cell drawn by chance."""

SWEEP_EVERY = 3
"""While no cloaked ship is hunted, there is a sweep on every turn that is a multiple of this."""


class Occupation(BattleFleet):
    """Lands troops to hold the ground, listens for who comes cloaked, knows when it has lost."""

    def gives_up(self, view: View) -> bool:
        """Return whether nothing is left that could still turn the score."""
        return is_lost(view) if is_for_ground(view) else super().gives_up(view)

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
        """Return a battle fleet's orders; troops that have found no foe comb their map."""
        given = tuple(super().on_window(view, advice))
        if view.stage.phase is not Phase.PLOT:
            return given
        return advice.legal_part((*given, *combed(view, given, self.rng)))

    def plot(self, view: View, advice: Advice, ship: OwnView, belief: Belief) -> tuple[Order, ...]:
        """Return the plan of a ship: down if it has troops for the ground, else the fleet's."""
        head = wanted(view)
        if head is not None and advice.may(Ability.LANDING) and has_troops(view, ship.id):
            return self._down(view, advice, ship, head)
        if keeps_still(view, ship):
            return switched_on(ship)
        return super().plot(view, advice, ship, belief)

    def lifts_off(self, view: View, ship: OwnView) -> bool:
        """Return whether a landed ship goes back to space: when its troops are out."""
        return not has_troops(view, ship.id)

    def requests(self, advice: Advice) -> Iterable[Order]:
        """Return what a battle fleet asks; ships sweep in turn, or for who is hunted.

        Never one with troops aboard: the sweep would show all sides where it is.
        """
        is_due = sweeps(advice.view)
        for order in super().requests(advice):
            is_quiet = has_troops(advice.view, order.ship) or not is_due
            yield Listen(ship=order.ship) if is_quiet and isinstance(order, Sweep) else order

    def _down(
        self, view: View, advice: Advice, ship: OwnView, head: Beachhead
    ) -> tuple[Order, ...]:
        """Return the plan of a ship with troops: it lands, and lets them out."""
        if ship.landed is not None:
            return ()
        if view.stage.turn == 1 and view.zone:
            return (*start_of(view, ship, head), *switched_on(ship))
        cells = landing_cells(view, head)
        cell = self.rng.choice(cells) if cells else None
        down = landing(advice, ship, head, (cell,))
        return down or (*powered_on(ship), *way_down(advice, ship, head))


def keeps_still(view: View, ship: OwnView) -> bool:
    """Return whether a ship stays as it lies: without a drive, as its turns would deafen all."""
    return not ship.thrust and view.cloak_rules.cloaks and view.stage.turn > 1


def sweeps(view: View) -> bool:
    """Return whether it is time to sweep, though that shows all sides where one is."""
    is_hunting = any(enemy.trackers is not None for enemy in enemies(view))
    return is_hunting or view.stage.turn % SWEEP_EVERY == 0


def wanted(view: View) -> Beachhead | None:
    """Return the first environs that the viewer is to hold and has no unit in, else the first."""
    sites = [goal.at for goal in view.objectives if goal.kind is ObjectiveKind.HOLD and goal.at]
    ours = [unit.site for unit in view.ground if unit.fate is Fate.IN_PLAY]
    sites.sort(key=lambda site: site in ours)
    return next((head for site in sites if (head := beachhead(view, site))), None)


def landing_cells(view: View, head: Beachhead) -> list[Cell]:
    """Return the cells on which a ship wants to land: near a foe, out of its sight."""
    environs = head.environs
    foes = foes_on(view, head)
    cells = [
        Cell(column, row) for column in range(environs.columns) for row in range(environs.rows)
    ]
    able = [cell for cell in cells if may_stand(Mode.TRACKED, terrain_at(environs, cell))]

    def off(cell: Cell) -> float:
        return abs(min(inches_apart(cell, foe) for foe in foes) - LANDS_OFF)

    near = [cell for cell in able if off(cell) <= ABOUT]
    return near or sorted(able, key=off)[:1]
