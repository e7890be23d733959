"""The ways to act with a ship on the map of space, those that are used most first."""

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from sunglare_client.command import Plan
from sunglare_client.fullscreen.pointing.ways import WayToAct, anywhere, may_stand
from sunglare_client.map.marks import RANKS
from sunglare_client.text.places import square_text
from sunglare_client.text.printable import one_word
from sunglare_client.verbs.aids import facings_for, steps_between
from sunglare_protocol.geometry import Asteroid, Square, box_named, box_of
from sunglare_protocol.orders import (
    Aim,
    Deploy,
    Fire,
    Land,
    Launch,
    Probe,
    Scan,
    Thrust,
    Turn,
)
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.check.plot import rotations
from sunglare_rules.advice.legal.legal import ordnance
from sunglare_rules.advice.legal.reach import burn_ends, without
from sunglare_rules.advice.seen.lookup import targets
from sunglare_rules.advice.seen.plotting import after_plot
from sunglare_rules.fire.missiles import heading
from sunglare_rules.turn.movement import MoveEnding, ending

Ways = Iterator[WayToAct[Square]]

_BOX_SIZES = (ScanSize.BOX, ScanSize.BOXES)


def ship_ways(view: View, ship: OwnView, given: Plan, size: ScanSize) -> Ways:
    """Yield how a ship may act in the open window; scans are of this size.

    The names do not depend on what was `given`: a key that comes before an order is carried out
    means what it means after it. Thrust is added to where a deployment and a turn leave the ship.
    """
    match view.stage.phase:
        case Phase.PLOT:
            yield from _of_plot(view, ship, given)
        case Phase.SCAN:
            yield from _of_scan(view, ship, size)
        case Phase.DETECT:
            yield from _of_detect(view, ship)
        case Phase.ENGAGE:
            yield from _of_engage(view, ship)
        case Phase.OVER:
            return


def contact_at(view: View, square: Square) -> ContactView | None:
    """Return the foreign piece on a square that is held best."""
    there = [one for one in view.contacts if one.square == square and one.fate is Fate.IN_PLAY]
    return min(there, key=lambda one: RANKS.index(one.fix), default=None)


def _of_plot(view: View, ship: OwnView, given: Plan) -> Ways:
    own = ship.id
    zone = [box_named(name).centre for name in view.zone]
    if any(may_stand(view, Deploy(ship=own, at=square)) for square in zone):
        faced = f"facing {ship.facing.value}"
        yield WayToAct("deploy", lambda at: f"deploy {own} {square_text(at)} {faced}")
    if burn_ends(view, ship):
        yield WayToAct("burn", _burning(view, ship, given), burn_ends(view, ship, given))
    if may_stand(view, Turn(ship=own, steps=1)):
        yield WayToAct("face", lambda square: _face(view, ship, square))
    yield from _landings(view, ship)
    yield from anywhere(view, [("lift", f"lift {own}")] if ship.landed else [])
    yield from _ordnance(view, ship)
    yield from anywhere(view, _switches(ship))
    yield from anywhere(view, _rotations(ship))


def _burning(view: View, ship: OwnView, given: Plan) -> Callable[[Square], str]:
    adrift = after_plot(view, ship, without(given, ship.id, Thrust)).square

    def line(square: Square) -> str:
        if square == adrift:
            return f"drift {ship.id}"
        change = adrift.to(square)
        is_safe = ending(view.board, square) is MoveEnding.FLIES
        # Some turn or other may come before it.
        may_burn = is_safe and bool(facings_for(change))
        return f"burn {ship.id} {change.dx:+d},{change.dy:+d}" if may_burn else ""

    return line


def _face(view: View, ship: OwnView, square: Square) -> str:
    """Return the turn towards a square, as far as the ship can turn."""
    steps = steps_between(ship.facing, heading(ship.square.to(square), ship.facing))
    for fewer in range(abs(steps), 0, -1):
        turned = fewer if steps > 0 else -fewer
        if may_stand(view, Turn(ship=ship.id, steps=turned)):
            return f"face {ship.id} {ship.facing.turned(turned).value}"
    return ""


def _landings(view: View, ship: OwnView) -> Ways:
    own = ship.id
    for planet in view.board.planets:
        word = one_word(planet.name)
        numbers = [
            environs.number
            for environs in planet.environs
            if may_stand(view, Land(ship=own, body=planet.name, environs=environs.number))
        ]
        yield from anywhere(
            view, [(f"land {word} {n}", f"land {own} {word} {n}") for n in numbers]
        )
    for asteroid in view.board.asteroids:
        land = Land(ship=own, body=asteroid.name, sector=ship.facing)
        if may_stand(view, land):
            yield WayToAct(f"land {one_word(asteroid.name)}", _towards(ship, asteroid))


def _towards(ship: OwnView, asteroid: Asteroid) -> Callable[[Square], str]:
    """Return what lands a ship on the side of an asteroid on which a place lies."""
    begun = f"land {ship.id} {one_word(asteroid.name)}"
    return lambda square: f"{begun} {heading(asteroid.at.to(square), ship.facing).value}"


def _at(begun: str) -> Callable[[Square], str]:
    """Return what ends a command with a square."""
    return lambda square: f"{begun} {square_text(square)}"


def _ordnance(view: View, ship: OwnView) -> Ways:
    found = [order for order in ordnance(view, ship) if may_stand(view, order)]
    if any(isinstance(order, Aim) for order in found):
        yield WayToAct("aim", _at(f"aim {ship.id}"))
    launches = [order for order in found if isinstance(order, Launch)]
    for weapon in dict.fromkeys(one_word(order.weapon) for order in launches if order.weapon):
        yield WayToAct(f"launch {weapon}", _at(f"launch {ship.id}.{weapon}"))
    others = dict.fromkeys(order.what.value for order in launches if not order.weapon)
    lines = [(f"launch {what}", f"launch {ship.id} {what}") for what in others]
    yield from anywhere(view, lines)


def _switches(ship: OwnView) -> Iterator[tuple[str, str]]:
    """Yield what may be switched, to what it is not."""
    states = [
        ("sensors", "in" if ship.popped_out else "out", ship.volley is None),
        ("cloak", "off" if ship.cloaked else "on", ship.cloak),
        ("power", "off" if ship.powered or ship.starting else "on", ship.volley is None),
        ("ecm", "off" if ship.ecm else "on", ship.ecm is not None),
    ]
    for verb, state, is_fitted in states:
        if is_fitted:
            yield f"{verb} {state}", f"{verb} {ship.id} {state}"


def _rotations(ship: OwnView) -> Iterator[tuple[str, str]]:
    for turret in ship.turrets:
        word = one_word(turret.id)
        for arc in rotations(turret):
            yield f"rotate {word} {arc}", f"rotate {ship.id} {word} {arc}"


def _of_scan(view: View, ship: OwnView, size: ScanSize) -> Ways:
    here = Scan(ship=ship.id, type=ScanType.IR, size=ScanSize.SQUARE, at=ship.square)
    for kind in ScanType:
        if may_stand(view, replace(here, type=kind)):
            yield WayToAct(
                kind.value, _scanning(f"scan {ship.id} {kind.value} {size.value}", size)
            )


def _scanning(begun: str, size: ScanSize) -> Callable[[Square], str]:
    if size in _BOX_SIZES:
        return lambda square: f"{begun} {box_of(square).name}"
    return _at(begun)


def _of_detect(view: View, ship: OwnView) -> Ways:
    own = ship.id
    lines = [("listen", f"listen {own}"), ("sweep", f"sweep {own}")]
    yield from anywhere(view, lines)
    asked = [held.handle for held in targets(view) if held.handle is not None]
    if any(may_stand(view, Probe(ship=own, at=handle)) for handle in asked):
        yield WayToAct("probe", _aiming(view, f"probe {own}"))
    yield from anywhere(view, [("listen off", f"listen {own} off")])


def _of_engage(view: View, ship: OwnView) -> Ways:
    own, held = ship.id, targets(view)
    for weapon in ship.weapons:
        word = one_word(weapon.id)
        fired = f"fire {own}.{word}"
        if weapon.kind is WeaponKind.NOVA:
            yield from anywhere(view, [(f"fire {word}", fired)])
        elif any(
            may_stand(view, Fire(ship=own, weapon=weapon.id, at=target.handle)) for target in held
        ):
            yield WayToAct(f"fire {word}", _aiming(view, fired))
    words = [one_word(weapon.id) for weapon in ship.weapons if weapon.works]
    yield from anywhere(view, [(f"hold {word}", f"hold {own}.{word}") for word in words])
    policies = ("hold", "all") if ship.point_defence else ()
    yield from anywhere(view, [(f"defend {how}", f"defend {own} {how}") for how in policies])


def _aiming(view: View, begun: str) -> Callable[[Square], str]:
    """Return what ends a command with the contact on a square; nothing is aimed at a memory."""

    def line(square: Square) -> str:
        contact = contact_at(view, square)
        is_held = contact is not None and contact.handle is not None
        return f"{begun} {contact.label}" if contact is not None and is_held else ""

    return line
