"""The cards on an own ship: what it is and does, and by which rule it may be noticed.

Source: the rules it names; sensors, arcs and movement of our rule book.
"""

from sunglare_protocol.geometry import Square, box_of
from sunglare_protocol.orders import Order
from sunglare_protocol.views import OwnView, View, WeaponView
from sunglare_protocol.word import spoken
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.specials import NUMBERED
from sunglare_rules.advice.cards.trails import tracker_lines
from sunglare_rules.advice.seen.bearing import weapon_arcs
from sunglare_rules.advice.seen.emissions import own_signatures, shadows_larger
from sunglare_rules.advice.seen.plotting import after_plot
from sunglare_rules.blips.in_space import sight_inches
from sunglare_rules.blips.spotting import SENSOR_INCHES, is_stealthy
from sunglare_rules.fire.missiles import MOVEMENTS
from sunglare_rules.fire.weapons import has_arc
from sunglare_rules.sensors.sectors import in_well, sector, wells_of
from sunglare_rules.sensors.signatures import SIGNATURE_WORDS
from sunglare_rules.sensors.sunlight import in_shadow
from sunglare_rules.turn.movement import MoveEnding, ending, gravity

_NO_ORDERS: tuple[Order, ...] = ()


def place_words(square: Square) -> str:
    """Return a square with its box, as in `7,27 (box B6)`."""
    return f"{square.x},{square.y} (box {box_of(square).name})"


def own_facts(view: View, ship: OwnView) -> tuple[str, ...]:
    """Return what the ship is, where it stands, what it gives and where it drifts, a line each."""
    if ship.fate is not Fate.IN_PLAY:
        return (f"{ship.type}: {ship.fate.value}.",)
    plant = "on" if ship.powered else "starting" if ship.starting else "off"
    sensors = "out" if ship.popped_out else "folded" if ship.hull_sensors_work else "destroyed"
    return (
        f"{ship.type}, {ship.echo.value}, worth {ship.points}{_fitted_words(ship)}.",
        f"At {place_words(ship.square)}, vector {ship.vector.dx:+d},{ship.vector.dy:+d}.",
        f"Facing {ship.facing.value}, thrust {ship.thrust}, plant {plant}.",
        f"Hull {ship.hull - ship.damage} of {ship.hull}, screens {ship.screens}.",
        f"Hull sensors {sensors}, heat {ship.heat}.",
        *_cloak_words(ship),
        *_special_words(ship),
        *_ground_words(ship),
        *_agents_words(view, ship),
        *(_weapon_words(ship, weapon) for weapon in ship.weapons),
        *_arc_words(ship),
        *_ordnance_words(ship),
        *_drift_words(view, ship),
    )


def own_reasons(view: View, ship: OwnView) -> tuple[str, ...]:
    """Return what gives the ship away and who holds it, each line with its rule."""
    if ship.fate is not Fate.IN_PLAY:
        return (f"It is out of the match: {ship.fate.value}. Movement and fire (turn §5 and §6).",)
    values = own_signatures(view, ship)
    given = ", ".join(
        f"{SIGNATURE_WORDS[signature]} {value:+d}" for signature, value in values.items()
    )
    rule = "A scan whose strength and one of these come to 0 or more finds it."
    return (
        f"It gives off {given or 'nothing'}. {rule} Intercept sensors, scan 1 (sensors §5).",
        _light_words(view, ship),
        _spotting_words(view, ship),
        *_well_lines(view, ship),
        *_exposed_lines(ship),
        *_hunted_lines(ship),
    )


def _fitted_words(ship: OwnView) -> str:
    """Return what the ship carries others by."""
    shuttle = ", shuttle" if ship.shuttle else ""
    return f"{shuttle}, bays for {ship.bays} ground units" if ship.bays else shuttle


def _cloak_words(ship: OwnView) -> tuple[str, ...]:
    if not ship.cloak:
        return ()
    state = "destroyed" if not ship.cloak_works else "on" if ship.cloaked else "off"
    return (f"Cloak {state}.",)


def _special_words(ship: OwnView) -> tuple[str, ...]:
    words = [special.value for special in ship.specials if special not in NUMBERED]
    if ship.ecm is not None:
        words.append(f"jammer {'on' if ship.ecm else 'off'}")
    if ship.dispensers:
        words.append(f"{ship.dispensers} remote sensors a turn")
    if ship.controls is not None:
        words.append(f"controlled by {ship.controls}")
    return (f"Abilities: {', '.join(words)}.",) if words else ()


def _spotting_words(view: View, ship: OwnView) -> str:
    """Return from how far an enemy that holds the ship learns its type."""
    seen = sight_inches(view.board, PieceKind.STARSHIP, ship.square)
    if is_stealthy(ship.specials):
        sensed = "sensors do not, for it is stealthy or cold"
    elif ship.ecm:
        sensed = "sensors of a Bloodhound at most do, for it jams them"
    else:
        sensed = f"sensors from {SENSOR_INCHES} inches and probes from farther off do"
    return (
        f"A ship that holds it and sees it from {seen} space inches learns its type; {sensed}. "
        "Alpha Strike, blips (blips §3 and §5)."
    )


def _ground_words(ship: OwnView) -> tuple[str, ...]:
    if ship.landed is None:
        return ()
    environs = "" if ship.landed.environs is None else f", environs {ship.landed.environs}"
    cell = "" if ship.landed.cell is None else f", cell {ship.landed.cell.name}"
    return (f"Landed on {ship.landed.body}, sector {ship.landed.sector.value}{environs}{cell}.",)


def _agents_words(view: View, ship: OwnView) -> tuple[str, ...]:
    aboard = [agent.id for agent in view.agents if agent.aboard == ship.id]
    aboard += [unit.id for unit in view.ground if unit.aboard == ship.id]
    state = "detected" if ship.detected else "undetected"
    return (
        *((f"Agent spaceship, {state}.",) if ship.agent_spaceship else ()),
        *((f"Bound for {ship.bound_for}.",) if ship.bound_for is not None else ()),
        *((f"Aboard: {', '.join(aboard)}.",) if aboard else ()),
    )


def _weapon_words(ship: OwnView, weapon: WeaponView) -> str:
    arcs = ", ".join(map(spoken, weapon_arcs(ship, weapon)))
    mount = f"turret {weapon.turret}: {arcs}" if weapon.turret is not None else f"arc {arcs}"
    if not has_arc(weapon.kind):
        mount = "needs no arc"
    if weapon.needs is not None:
        mount += f", at what is {spoken(weapon.needs)}"
    state = "" if weapon.works else "; spent" if weapon.spent else "; destroyed"
    return f"{weapon.id}: {spoken(weapon.kind)} {weapon.rank}, {mount}{state}."


def _arc_words(ship: OwnView) -> tuple[str, ...]:
    """Return through which arcs the ship can fire; nothing of one whose weapons need none."""
    if not any(has_arc(weapon.kind) for weapon in ship.weapons):
        return ()
    words = ", ".join(map(spoken, ship.firing_arcs))
    return (f"Firing arcs: {words or 'none'}.",)


def _ordnance_words(ship: OwnView) -> tuple[str, ...]:
    words = []
    if ship.point_defence:
        words.append(f"Point defence of {ship.point_defence}.")
    if ship.flights:
        words.append(f"Fighters aboard: {ship.flights}.")
    if ship.volley is not None:
        left = MOVEMENTS - ship.volley.movements
        words.append(
            f"A volley of {ship.volley.missiles}, sent to {place_words(ship.volley.aim)}; "
            f"{left} movements left."
        )
    return tuple(words)


def _drift_words(view: View, ship: OwnView) -> tuple[str, ...]:
    if ship.landed is not None or ship.volley is not None:
        return ()
    end = after_plot(view, ship, _NO_ORDERS).square
    match ending(view.board, end):
        case MoveEnding.FLIES:
            return (f"Without orders it drifts to {place_words(end)}.",)
        case MoveEnding.ESCAPES:
            return ("Without orders it drifts off the map, out of the match.",)
        case MoveEnding.CRASHES:
            return ("Without orders it drifts into a planet and is destroyed.",)


def _light_words(view: View, ship: OwnView) -> str:
    if in_shadow(view.board, ship.square):
        return (
            "It is in a shadow column: sunfactor 0, and no glare in its own scans. "
            "Intercept sensors part 2, shadow column (sensors §2)."
        )
    if shadows_larger(view, ship):
        return (
            "It shadows a larger ship: sunfactor 0, but glare still counts. "
            "Intercept sensors part 2, shadowing (sensors §2)."
        )
    return (
        f"The sun lights it: {view.board.sunfactor:+d} in Visual(Hull), and its visual and IR "
        f"scans lose {view.board.sunfactor} where they touch column {ship.square.x} north of "
        "it. Intercept sensors part 2, sunglare (sensors §2)."
    )


def _well_lines(view: View, ship: OwnView) -> tuple[str, ...]:
    if ship.landed is not None or not in_well(view.board, ship.square):
        return ()
    pull = gravity(view.board, ship.square)
    where = " and ".join(
        f"near {sector(planet.at, ship.square).value} of {planet.name}"
        for planet in wells_of(view.board, ship.square)
    )
    line = (
        f"It stands in the {where}: gravity pulls it {pull.dx:+d},{pull.dy:+d}, and the "
        "opposite near and far sectors are hidden. Intercept sensors part 2, planet LOS sectors "
        "(sensors §2)."
    )
    return (line,)


def _hunted_lines(ship: OwnView) -> tuple[str, ...]:
    lines = []
    if ship.cloaked:
        used = f"it used {ship.thrust_used} thrust"
        lines.append(
            f"It is cloaked and {used}: a ship that used a and where the loudest used b hears it "
            f"on a die below {ship.thrust_used} - a - b. Cloak detection, detection value "
            "(cloak §2)."
        )
    for hunt in ship.hunted:
        state = "not found this turn" if hunt.fix is Fix.MEMORY else hunt.fix.value
        source = "Cloak detection, count and turns (cloak §3)."
        lines.append(f"It is hunted, {state}. {source}")
        lines += [f"{line} {source}" for line in tracker_lines(hunt.trackers)]
    return tuple(lines)


def _exposed_lines(ship: OwnView) -> tuple[str, ...]:
    if not ship.exposed:
        return ("No side is known to hold it. Intercept sensors, who learns what (sensors §6).",)
    return tuple(
        f"Side {holder.side} holds it: {holder.fix.value}. Intercept sensors, contacts and tracks "
        "(turn §3)."
        for holder in ship.exposed
    )
