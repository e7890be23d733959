"""A view as lists: own ships with their plan, contacts, the pieces of the truth; words, no colour.

The state of a piece is always a word. Names go through `printable`.
"""

from sunglare_client.text.lists.agents import agents_order_text
from sunglare_client.text.lists.ground import draw_true_ground, ground_order_text, power_text
from sunglare_client.text.notices.blips import dossier_text
from sunglare_client.text.printable import printable, spoken
from sunglare_protocol.geometry import Landing, Square, Vector, box_of
from sunglare_protocol.orders import (
    Aim,
    Bombard,
    Cloak,
    Defend,
    Deploy,
    DetectOrder,
    Fire,
    Hold,
    Land,
    Launch,
    Lift,
    Listen,
    Order,
    Power,
    Probe,
    Rotate,
    Scan,
    Sensors,
    Sweep,
    Thrust,
    Turn,
)
from sunglare_protocol.orders.agents import AgentOrder
from sunglare_protocol.orders.ground import GroundOrder
from sunglare_protocol.views import (
    ContactView,
    HuntView,
    OwnView,
    PieceView,
    TrackersView,
    TruthView,
    View,
    VolleyView,
)
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.scans import ScanType
from sunglare_protocol.words.specials import NUMBERED
from sunglare_rules.advice.cards.trails import pips
from sunglare_rules.advice.seen.plotting import after_plot
from sunglare_rules.fire.missiles import MOVEMENTS
from sunglare_rules.fire.weapons import has_arc
from sunglare_rules.turn.movement import Flight

NOTHING_HELD = "contacts: none"
"""What stands where no foreign piece is held or remembered."""


def draw_own(view: View, plan: tuple[Order, ...] = ()) -> list[str]:
    """Return two rows for each own ship, its state and its arms, and a third for its plan."""
    if not view.own:
        return ["own ships: none"]
    rows = ["own ships:"]
    for ship in view.own:
        rows.extend(_own_rows(view, ship, plan))
    return [printable(row) for row in rows]


def draw_contacts(view: View) -> list[str]:
    """Return a row for each foreign piece held or remembered, with its state as a word."""
    if not view.contacts:
        return [NOTHING_HELD]
    return ["contacts:", *(printable(_contact_row(each)) for each in view.contacts)]


def draw_pieces(view: TruthView) -> list[str]:
    """Return a row for each piece of the truth: what it is, where, and which side holds it how."""
    rows = [printable(_piece_row(piece)) for piece in view.pieces]
    return ["pieces:", *rows, *draw_true_ground(view)]


def order_text(order: Order) -> str:
    """Return an order as the command that writes it."""
    if isinstance(order, GroundOrder | AgentOrder):
        return _on_the_ground_text(order)
    match order:
        case Turn() | Thrust() | Lift():
            return _flight_order_text(order)
        case Power():
            return power_text(order)
        case Sensors():
            return f"sensors {order.ship} {'out' if order.out else 'in'}"
        case Launch() | Aim() | Fire() | Bombard() | Defend():
            return _ordnance_text(order)
        case Cloak() | Listen() | Sweep() | Hold():
            return _hunt_order_text(order)
        case _:
            return _longer_order_text(order)


def _on_the_ground_text(order: GroundOrder | AgentOrder) -> str:
    if isinstance(order, GroundOrder):
        return ground_order_text(order)
    return agents_order_text(order)


def _flight_order_text(order: Turn | Thrust | Lift) -> str:
    match order:
        case Turn():
            return f"turn {order.ship} {order.steps:+d}"
        case Thrust():
            return f"thrust {order.ship} {' '.join(to.value for to in order.to)}"
        case Lift():
            return f"lift {order.ship}"


def _hunt_order_text(order: Cloak | Listen | Sweep | Hold) -> str:
    match order:
        case Cloak():
            return f"cloak {order.ship} {'on' if order.on else 'off'}"
        case Listen():
            return f"listen {order.ship} {'on' if order.on else 'off'}"
        case Sweep():
            return f"sweep {order.ship}"
        case Hold():
            return f"hold {order.ship}.{one_word(order.weapon)}"


def place_text(square: Square) -> str:
    """Return a square with the box it lies in, as in `7,27 B6`."""
    return f"{square.x},{square.y} {box_of(square).name}" if min(square) >= 0 else _bare(square)


def vector_text(vector: Vector) -> str:
    """Return a vector, as in `v(+1,-4)`."""
    return f"v({','.join(f'{part:+d}' if part else '0' for part in vector)})"


def one_word(name: str) -> str:
    """Return a name as it is typed: without blanks."""
    return name.replace(" ", "")


def _ordnance_text(order: Launch | Aim | Fire | Bombard | Defend) -> str:
    match order:
        case Bombard():
            site = f"{one_word(order.at.body)} {order.at.environs}"
            return f"bombard {order.ship}.{one_word(order.weapon)} {site} {order.cell.name}"
        case Launch():
            if order.at is None:
                return f"launch {order.ship} {order.what.value}"
            cold = " cold" if order.cold else ""
            return f"launch {order.ship}.{one_word(order.weapon)} {_bare(order.at)}{cold}"
        case Aim():
            return f"aim {order.ship} {_bare(order.at)}"
        case Defend():
            return f"defend {order.ship} {order.policy.value}"
        case Fire():
            return _fire_text(order)


def _fire_text(order: Fire) -> str:
    target = order.at or (order.point.name if order.point else "")
    system = order.system.value if order.system is not None else ""
    words = ("fire", f"{order.ship}.{one_word(order.weapon)}", target, system)
    return " ".join(word for word in words if word)


def _longer_order_text(order: Deploy | Rotate | Land | Scan | Probe) -> str:
    match order:
        case Probe():
            return f"probe {order.ship} {order.at}"
        case Deploy():
            text = f"deploy {order.ship} {_bare(order.at)}"
            text += f" vector {order.vector.dx},{order.vector.dy} facing {order.facing.value}"
            text += "" if order.landed is None else f" landed {_typed(order.landed)}"
            states = {None: "", True: " cloaked", False: " shown"}
            return text + states[order.cloaked]
        case Rotate():
            return f"rotate {order.ship} {one_word(order.turret)} {order.to.value}"
        case Land():
            cell = None if order.cell is None else order.cell.name
            places = (order.sector.value if order.sector else None, order.environs, cell)
            named = "".join(f" {each}" for each in places if each is not None)
            return f"land {order.ship} {one_word(order.body)}{named}"
        case Scan():
            at = order.at if isinstance(order.at, str) else _bare(order.at)
            sense = " sense" if order.sense else ""
            return f"scan {order.ship} {order.type.value} {order.size.value} {at}{sense}"


def _own_rows(view: View, ship: OwnView, plan: tuple[Order, ...]) -> list[str]:
    rows = _state_rows(ship)
    mine = [order for order in plan if order.ship == ship.id]
    if mine and ship.fate is Fate.IN_PLAY:
        texts = "; ".join(order_text(order) for order in mine)
        rows.append(f"     plan: {texts}{_outcome(view, ship, plan)}")
    return rows


def _state_rows(ship: OwnView) -> list[str]:
    if ship.fate is not Fate.IN_PLAY:
        return [f"  {ship.id} {ship.name}  {ship.type}  {_fate(ship.fate)}"]
    if ship.volley is not None:
        return [_volley_row(ship, ship.volley)]
    power = "on" if ship.powered else "starting" if ship.starting else "off"
    state = (
        f"  {ship.id} {ship.name}  {ship.type}  hull {ship.hull - ship.damage}/{ship.hull}"
        f"  {place_text(ship.square)}  {vector_text(ship.vector)}  facing {ship.facing.value}"
        f"  {'CLOAKED' if ship.cloaked else _standing(ship.landed)}"
        f"{'  DETECTED' if ship.detected else ''}{_exposed(ship)}"
    )
    means = (
        f"     thrust {ship.thrust}  power {power}  sensors {'out' if ship.popped_out else 'in'}"
        f" {_ratings(ship.sensors)}{'' if ship.hull_sensors_work else ' HULL SENSORS LOST'}"
        f"{_cloak(ship)}"
        f"  {_arms(ship)}{_carried(ship)}{_abilities(ship)}"
    )
    means_of_ship = [] if ship.kind is PieceKind.REMOTE else [means]
    return [state, *means_of_ship, *(f"     {_hunted(each)}" for each in ship.hunted)]


def _volley_row(ship: OwnView, volley: VolleyView) -> str:
    left = MOVEMENTS - volley.movements
    return (
        f"  {ship.id} {volley.missiles} missiles  {place_text(ship.square)}"
        f"  sent to {place_text(volley.aim)}  {left} movements left{_exposed(ship)}"
    )


def _carried(ship: OwnView) -> str:
    defence = f"; point defence {ship.point_defence}" if ship.point_defence else ""
    return f"{defence}; fighters aboard {ship.flights}" if ship.flights else defence


def _outcome(view: View, ship: OwnView, plan: tuple[Order, ...]) -> str:
    still = Scan | DetectOrder | Fire | Hold | Bombard | Defend
    if all(isinstance(order, still) for order in plan if order.ship == ship.id):
        return ""
    return f" -> {flight_text(after_plot(view, ship, plan))}"


def flight_text(flight: Flight) -> str:
    """Return where a flight stands, with vector and facing."""
    vector = vector_text(flight.vector)
    return f"{place_text(flight.square)} {vector} facing {flight.facing.value}"


def _contact_row(contact: ContactView) -> str:
    parts = [
        f"  {contact.label:<4} {contact.fix.value.upper():<9}",
        place_text(contact.square),
        *([vector_text(contact.vector)] if contact.vector is not None else []),
        *([f"facing {contact.facing.value}"] if contact.facing is not None else []),
        *([f"{contact.size.value} echo"] if contact.size is not None else []),
        *([f"side {contact.side}"] if contact.side is not None else []),
        *([contact.type] if contact.type is not None else []),
        *([dossier_text(contact.dossier)] if contact.dossier is not None else []),
        *([f"by {', '.join(map(spoken, contact.signatures))}"] if contact.signatures else []),
        *([f"landed {_landing(contact.landed)}"] if contact.landed is not None else []),
        *(["AGENTS NEAR"] if contact.alert else []),
        *([_fate(contact.fate)] if contact.fate is not Fate.IN_PLAY else []),
        f"turn {contact.turn}",
        *([trackers_text(contact.trackers)] if contact.trackers is not None else []),
    ]
    return "  ".join(parts)


def trackers_text(trackers: TrackersView) -> str:
    """Return both trackers of a hunt: the remembered turns, then the dice COUNT/TURNS."""
    pair, alone = trackers.multi, trackers.single
    return (
        f"heard by several {pips(pair)} {pair.count}/{pair.turns}, "
        f"by one {pips(alone)} {alone.count}/{alone.turns}"
    )


def _hunted(hunt: HuntView) -> str:
    state = "not found" if hunt.fix is Fix.MEMORY else hunt.fix.value.upper()
    return f"HUNTED: {state}  {trackers_text(hunt.trackers)}"


def _cloak(ship: OwnView) -> str:
    if not ship.cloak:
        return ""
    return f"  cloak {'on' if ship.cloaked else 'off'}" if ship.cloak_works else "  CLOAK LOST"


def _piece_row(piece: PieceView) -> str:
    flies = "cloaked" if piece.cloaked else _standing(piece.landed)
    state = flies if piece.fate is Fate.IN_PLAY else _fate(piece.fate)
    holders = ", ".join(f"{each.side} {each.fix.value.upper()}" for each in piece.held)
    return (
        f"  {piece.side}.{piece.id} {piece.name}  {piece.type}"
        f"  hull {piece.hull - piece.damage}/{piece.hull}  {place_text(piece.square)}"
        f"  {vector_text(piece.vector)}  facing {piece.facing.value}  {state}"
        f"  power {'on' if piece.powered else 'off'}  held by: {holders or 'nobody'}"
    )


def _fate(fate: Fate) -> str:
    return spoken(fate.value).upper()


def _standing(landing: Landing | None) -> str:
    return "flying" if landing is None else f"landed {_landing(landing)}"


def _landing(landing: Landing) -> str:
    place = landing.sector.value if landing.environs is None else f"environs {landing.environs}"
    cell = "" if landing.cell is None else f" {landing.cell.name}"
    return f"on {landing.body} {place}{cell}"


def _typed(landing: Landing) -> str:
    place = landing.sector.value if landing.environs is None else str(landing.environs)
    cell = "" if landing.cell is None else f" {landing.cell.name}"
    return f"{one_word(landing.body)} {place}{cell}"


def _exposed(ship: OwnView) -> str:
    known = ", ".join(f"{each.side} as {each.fix.value.upper()}" for each in ship.exposed)
    return f"  KNOWN TO {known}" if known else ""


def _ratings(sensors: dict[ScanType, int]) -> str:
    return " ".join(f"{each.value[0].upper()}{sensors.get(each, 0)}" for each in ScanType)


def _arms(ship: OwnView) -> str:
    pointing = {each.id: "/".join(arc.value for arc in each.arcs) for each in ship.turrets}
    arms = []
    for weapon in ship.weapons:
        arc = weapon.arc.value if weapon.arc is not None else None
        aim = arc or f"{weapon.turret}:{pointing.get(weapon.turret or '', '?')}"
        lost = "" if weapon.works else " SPENT" if weapon.spent else " LOST"
        aimed = f" {aim}" if has_arc(weapon.kind) else ""
        aimed += "" if weapon.needs is None else f" {weapon.needs.value}"
        size = weapon.rank if weapon.damage is None else " " + "/".join(map(str, weapon.damage))
        arms.append(f"{weapon.id} {spoken(weapon.kind.value)}{size}{aimed}{lost}")
    return "; ".join(arms) or "unarmed"


def _abilities(ship: OwnView) -> str:
    words = [special.value for special in ship.specials if special not in NUMBERED]
    words += [f"RSD {ship.dispensers}"] if ship.dispensers else []
    words += ["ecm off"] if ship.ecm is False else []
    return f"  {' '.join(words)}" if words else ""


def _bare(square: Square) -> str:
    return f"{square.x},{square.y}"
