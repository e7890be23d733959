"""The orders that are legal now: examples of every kind, and all of them where they are finite.

Source: none of its own; whatever comes from here is allowed by `check`.
"""

from collections.abc import Iterator

import msgspec

from sunglare_protocol import orders
from sunglare_protocol.geometry import Square, box_named
from sunglare_protocol.ids import OwnId
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.armament import DefencePolicy, Launchable, SystemAim, WeaponKind
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.check.launch import launchers
from sunglare_rules.advice.check.scan import BOX_SIZES, place_name, scan_problem
from sunglare_rules.advice.legal.agents import agents_examples
from sunglare_rules.advice.legal.bombard import bombards_of, unit_bombards_of
from sunglare_rules.advice.legal.ground import attacks_of, ground_examples
from sunglare_rules.advice.legal.plans import move_examples, plots, power_examples
from sunglare_rules.advice.legal.probe import requests_of
from sunglare_rules.advice.legal.shots import aimed_shots
from sunglare_rules.advice.seen.lookup import place_of, ships_in_play, targets
from sunglare_rules.advice.seen.plotting import after_plot
from sunglare_rules.arcs.turrets import turret_positions
from sunglare_rules.sensors.areas import scan_area
from sunglare_rules.sensors.sectors import standing_square

__all__ = [
    "attacks",
    "bombardments",
    "centres",
    "examples",
    "holds",
    "legal",
    "ordnance",
    "plots",
    "probes",
    "scans",
    "shots",
]

_AHEAD = 5
"""How many squares ahead of its ship the example of an aim lies."""


def legal(view: View, piece: OwnId | None = None) -> tuple[orders.Order, ...]:
    """Return legal orders of the open window, each good on its own; of one own piece if named.

    PLOT: deployments in the middle of each box of the zone, turns, thrust into one direction,
    switches, rotations, landings, launches and aims at what is held or remembered, and straight
    ahead. SCAN: every type and size around the ship itself. DETECT: not to listen, to
    sweep, and every request for data that is in reach. ENGAGE: every shot, a needle beam's also
    at its target's drive, fire at points, every weapon that may be held, and a point defence
    that holds.
    """
    return tuple(order for order in examples(view, piece) if check(view, (order,)) is None)


def examples(view: View, piece: OwnId | None = None) -> Iterator[orders.Order]:
    """Yield orders of the open window, some of which `check` may refuse; of one piece if named."""
    for ship in ships_in_play(view):
        if piece in (None, ship.id):
            yield from _examples(view, ship)
    yield from ground_examples(view, piece)
    yield from agents_examples(view, piece)


def scans(view: View, ship: OwnView) -> Iterator[orders.Scan]:
    """Yield every scan the ship may make in the open slot, asking for the Sense roll.

    By type, then size, then place, row after row from the north.
    """
    stands = standing_square(view.board, place_of(ship))
    for scan_type in ScanType:
        for size in ScanSize:
            made = (_scan(ship, scan_type, size, at) for at in centres(view, size, stands))
            found = [order for order in made if scan_problem(view, ship, order) is None]
            # All else that forbids a scan does so wherever its centre lies.
            if found and check(view, (found[0],)) is None:
                yield from found


def shots(view: View) -> Iterator[orders.Fire]:
    """Yield every legal shot: ship after ship, weapon after weapon, target after target.

    Then those of the ground units.
    """
    yield from (aimed.order for aimed in aimed_shots(view))
    yield from attacks(view)


def attacks(view: View) -> Iterator[orders.Fire]:
    """Yield every legal shot of the ground units: unit after unit, weapon after weapon."""
    for unit in view.ground:
        for order in attacks_of(view, unit):
            if check(view, (order,)) is None:
                yield order


def probes(view: View) -> Iterator[orders.Probe]:
    """Yield every request for data that is in reach: ship after ship, target after target.

    Then those of the ground units.
    """
    askers: tuple[OwnView | GroundView, ...] = (*ships_in_play(view), *view.ground)
    for asker in askers:
        for request in requests_of(view, asker):
            if check(view, (request,)) is None:
                yield request


def bombardments(view: View) -> Iterator[orders.Bombard]:
    """Yield legal fire at points: of every ship, then of every ground unit.

    The points are the tokens held on a map, of a map without any its middle.
    """
    of_ships = (order for ship in ships_in_play(view) for order in bombards_of(view, ship))
    of_units = (order for unit in view.ground for order in unit_bombards_of(view, unit))
    for order in (*of_ships, *of_units):
        if check(view, (order,)) is None:
            yield order


def ordnance(view: View, ship: OwnView) -> Iterator[orders.Order]:
    """Yield legal launches and aims of one piece: examples of squares, every launcher."""
    for order in _ordnance_examples(view, ship):
        if check(view, (order,)) is None:
            yield order


def holds(view: View) -> Iterator[orders.Hold]:
    """Yield every weapon that may be held for a cloaked ship that fires, ship after ship."""
    for ship in ships_in_play(view):
        for order in _holds_of(ship):
            if check(view, (order,)) is None:
                yield order


def _examples(view: View, ship: OwnView) -> Iterator[orders.Order]:
    match view.stage.phase:
        case Phase.PLOT:
            yield from _plot_examples(view, ship)
        case Phase.SCAN:
            stands = standing_square(view.board, place_of(ship))
            for scan_type in ScanType:
                for size in ScanSize:
                    yield _scan(ship, scan_type, size, stands)
        case Phase.ENGAGE:
            yield from _shots_of(view, ship)
            yield from _needles_of(view, ship)
            yield from _holds_of(ship)
            yield from bombards_of(view, ship)
            yield orders.Defend(ship=ship.id, policy=DefencePolicy.HOLD)
        case Phase.DETECT:
            yield orders.Listen(ship=ship.id, on=False)
            yield orders.Sweep(ship=ship.id)
            yield from requests_of(view, ship)
        case Phase.OVER:
            return


def _plot_examples(view: View, ship: OwnView) -> Iterator[orders.Order]:
    for name in view.zone:
        yield orders.Deploy(ship=ship.id, at=box_named(name).centre)
    yield from move_examples(view, ship)
    yield from power_examples(ship)
    yield orders.Sensors(ship=ship.id, out=not ship.popped_out)
    yield orders.Cloak(ship=ship.id, on=not ship.cloaked)
    for turret in ship.turrets:
        for position in turret_positions(turret.kind):
            yield orders.Rotate(ship=ship.id, turret=turret.id, to=position[0])
    yield from _ordnance_examples(view, ship)


def _ordnance_examples(view: View, ship: OwnView) -> Iterator[orders.Order]:
    for at in _aims(view, ship):
        yield orders.Aim(ship=ship.id, at=at)
        for weapon in launchers(ship):
            for cold in (False, True):
                what = Launchable.MISSILES
                yield orders.Launch(ship=ship.id, what=what, weapon=weapon.id, at=at, cold=cold)
    yield orders.Launch(ship=ship.id, what=Launchable.FIGHTER)
    yield orders.Launch(ship=ship.id, what=Launchable.REMOTE)


def _aims(view: View, ship: OwnView) -> tuple[Square, ...]:
    """Return squares to send missiles to: of every piece known, and one ahead of the ship."""
    ahead = after_plot(view, ship, ()).square
    for _ in range(_AHEAD):
        ahead = ahead.moved(ship.facing.step)
    known = (contact.square for contact in view.contacts if contact.fate is Fate.IN_PLAY)
    return tuple(dict.fromkeys((*known, ahead)))


def _needles_of(view: View, ship: OwnView) -> Iterator[orders.Fire]:
    """Yield the shots at drives, which `check` refuses to all but needle beams."""
    for shot in _shots_of(view, ship):
        yield msgspec.structs.replace(shot, system=SystemAim.DRIVE)


def _shots_of(view: View, ship: OwnView) -> Iterator[orders.Fire]:
    for weapon in ship.weapons:
        if weapon.kind is WeaponKind.NOVA:
            yield orders.Fire(ship=ship.id, weapon=weapon.id)
        else:
            for target in targets(view):
                yield orders.Fire(ship=ship.id, weapon=weapon.id, at=target.handle)


def _holds_of(ship: OwnView) -> Iterator[orders.Hold]:
    for weapon in ship.weapons:
        yield orders.Hold(ship=ship.id, weapon=weapon.id)


def _scan(ship: OwnView, scan_type: ScanType, size: ScanSize, centre: Square) -> orders.Scan:
    at = place_name(size, centre)
    return orders.Scan(ship=ship.id, type=scan_type, size=size, at=at, sense=True)


def centres(view: View, size: ScanSize, stands: Square) -> Iterator[Square]:
    """Yield where a scan of that size may be centred, and few squares more."""
    if size in BOX_SIZES:
        yield from (box.centre for box in view.board.boxes())
        return
    # The own box and those adjacent to it are what a scan of all of them covers.
    yield from scan_area(view.board, ScanSize.BOXES, stands).squares()
