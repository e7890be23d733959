"""A view, a piece and a candidate in numbers: their names, meanings and order.

Every number lies in the range from -1 to 1 and follows from what the side was sent alone.
"""

from typing import Final, get_args

from sunglare_client.bots.movement.steering import distance
from sunglare_client.bots.sightings.belief import Belief
from sunglare_client.choosing.decision import KINDS, Candidate, Decision, Goal, Outlook
from sunglare_client.choosing.moving import FAR, MOST_THRUST
from sunglare_protocol.geometry import Square, box_of
from sunglare_protocol.orders import Order
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_rules.advice.seen.lookup import ships_in_play

MANY = 8
"""Counts of pieces are given in shares of as many."""

MANY_POINTS = 20
"""Points are given in shares of as many."""

FAST = 6
"""Speeds along an axis are given in shares of as many squares a turn."""

VIEW_NUMBERS: Final = {
    "asked": "1 if the window takes orders of this side",
    "turn": "the share of the turns that has come",
    "plot": "1 in PLOT",
    "scan": "1 in SCAN",
    "detect": "1 in DETECT",
    "engage": "1 in ENGAGE",
    "ships": "own ships in play, of 8",
    "hull": "the share of their hull boxes that is whole",
    "points": "own points, of 20",
    "points_up_to": "points that may be own besides, of 20",
    "tracked": "enemies that are live tracks, of 8",
    "contacts": "enemies that are contacts, of 8",
    "memories": "enemies that are remembered alone, of 8",
    "held": "own ships that an enemy holds, of 8",
    "first": "1 if this side has won the initiative of the turn",
    "out": "the share of the sides that have no piece left",
    "belief": "how much of the belief lies in the likeliest box",
}
"""The numbers that describe a view, by name."""

PIECE_NUMBERS: Final = {
    **{kind.value: f"1 if the decision is of the kind `{kind.value}`" for kind in KINDS},
    "x": "how far to the east the piece stands, as a share of the map",
    "y": "how far to the south",
    "dx": "its speed to the east, of 6 squares a turn",
    "dy": "its speed to the south",
    "faces_east": "1, 0 or -1",
    "faces_south": "1, 0 or -1",
    "whole": "the share of its hull, or of what a unit bears, that is whole",
    "thrust": "its thrust, of 6",
    "powered": "1 if its plant runs or starts",
    "popped_out": "1 if its hull sensors are popped out",
    "landed": "1 if it stands on a body",
    "cloaked": "1 if it is cloaked",
    "held_as_contact": "1 if an enemy has it as a contact",
    "held_as_track": "1 if an enemy tracks it",
    "quarry": "1 if it knows an enemy to go for",
    "goal_east": "how far to the east its goal lies, of 40 squares",
    "goal_south": "how far to the south",
    "goal_far": "how far away",
}
"""The numbers that describe a decision and its piece, by name; of what is no ship the last ones
are 0.
"""

CANDIDATE_NUMBERS: Final = {
    "there": "1 if there is a candidate of that number",
    "order": "the place of its first order's kind among all kinds, as a share of them",
    "place": "its place among the candidates of its decision: 1 for the first, towards 0",
    "near": "of a course: how far from the goal it ends, of 20 squares",
    "near_later": "how far it will be from it when it has drifted on for a turn",
    "turned": "by how much it then faces away from it, 1 for backwards",
    "danger": "its danger, 1 for a crash in the turn that follows",
    "effort": "the thrust that it spends, of 6 points",
    "damage": "mean damage, of 4 boxes: of a shot, or of all weapons where a course ends",
    "chance": "of a scan: how likely it finds a typical ship that it covers",
    "share": "the share of the belief that it covers",
    "worth": "its chance times the share that no body hides, as a share of the best one's",
    "wide": "1 if it is a scan of several boxes",
    "sensors": "1 if hull sensors are popped out by it, -1 if they are pulled in",
    "plant": "1 if it starts the plant, -1 if it stops it",
    "on": "1 if it switches jammer or cloak on, -1 for off; 1 for a sweep, -1 not to listen",
}
"""The numbers that describe a candidate, by name; what its kind has nothing to do with is 0."""

_TAGS: Final = tuple(str(kind.__struct_config__.tag) for kind in get_args(Order))
_HELD: Final = {Fix.TRACKED: "tracked", Fix.SOLUTION: "tracked", Fix.CONTACT: "contacts"}

Numbers = tuple[float, ...]


def of_view(outlook: Outlook, side: str, *, asked: bool) -> Numbers:
    """Return the numbers of a view, in the order of `VIEW_NUMBERS`."""
    view = outlook.advice.view
    stage, ships = view.stage, ships_in_play(view)
    found = {
        "asked": float(asked),
        "turn": stage.turn / stage.turns,
        stage.phase.value: 1.0,
        "ships": len(ships) / MANY,
        "hull": _whole(ships),
        "points": view.points / MANY_POINTS,
        "points_up_to": view.points_up_to / MANY_POINTS,
        "held": sum(bool(ship.exposed) for ship in ships) / MANY,
        "first": float(stage.initiative[:1] == (side,)),
        "out": len(stage.out) / max(1, len(stage.sides)),
        "belief": _peak(outlook.belief, ships[0].square) if ships else 0.0,
        **_contacts(view),
    }
    return _in_order(VIEW_NUMBERS, found)


def of_piece(outlook: Outlook, decision: Decision) -> Numbers:
    """Return the numbers of a decision and its piece, in the order of `PIECE_NUMBERS`."""
    found = {decision.kind.value: 1.0}
    piece = decision.piece
    if isinstance(piece, OwnView):
        found |= _of_ship(outlook, piece)
    elif isinstance(piece, GroundView):
        found["whole"] = 1 - piece.damage / max(1, piece.toughness)
    return _in_order(PIECE_NUMBERS, found)


def of_candidates(decision: Decision) -> tuple[Numbers, ...]:
    """Return the numbers of the candidates of a decision, in the order of `CANDIDATE_NUMBERS`."""
    count = len(decision.candidates)
    return tuple(
        [
            _of_candidate(candidate, 1 - number / count)
            for number, candidate in enumerate(decision.candidates)
        ]
    )


def _of_candidate(candidate: Candidate, place: float) -> Numbers:
    tag = str(candidate.orders[0].__struct_config__.tag)
    common = {"there": 1.0, "order": (1 + _TAGS.index(tag)) / len(_TAGS), "place": place}
    return _in_order(CANDIDATE_NUMBERS, common | candidate.numbers)


def _of_ship(outlook: Outlook, ship: OwnView) -> dict[str, float]:
    area, goal = outlook.advice.view.board.area, outlook.goal(ship)
    return {
        "x": ship.square.x / area.east,
        "y": ship.square.y / area.south,
        "dx": ship.vector.dx / FAST,
        "dy": ship.vector.dy / FAST,
        "faces_east": float(ship.facing.step.dx),
        "faces_south": float(ship.facing.step.dy),
        "whole": _whole((ship,)),
        "thrust": ship.thrust / MOST_THRUST,
        "powered": float(ship.powered or ship.starting),
        "popped_out": float(ship.popped_out),
        "landed": float(ship.landed is not None),
        "cloaked": float(ship.cloaked),
        "held_as_contact": float(any(held.fix is Fix.CONTACT for held in ship.exposed)),
        "held_as_track": float(any(held.fix is Fix.TRACKED for held in ship.exposed)),
        **_towards(ship.square, goal),
    }


def _towards(here: Square, goal: Goal) -> dict[str, float]:
    dx, dy = here.to(goal.now)
    return {
        "quarry": float(goal.quarry is not None),
        "goal_east": dx / FAR,
        "goal_south": dy / FAR,
        "goal_far": distance(here, goal.now) / FAR,
    }


def _contacts(view: View) -> dict[str, float]:
    found = dict.fromkeys(("tracked", "contacts", "memories"), 0.0)
    for contact in view.contacts:
        if contact.fate is Fate.IN_PLAY:
            found[_HELD.get(contact.fix, "memories")] += 1 / MANY
    return found


def _whole(ships: tuple[OwnView, ...]) -> float:
    boxes = sum(ship.hull for ship in ships)
    return 1 - sum(ship.damage for ship in ships) / boxes if boxes else 0.0


def _peak(belief: Belief, near: Square) -> float:
    return belief.share_in(box_of(belief.peak(near)).area)


def _in_order(names: dict[str, str], found: dict[str, float]) -> Numbers:
    return tuple([max(-1.0, min(1.0, found.get(name, 0.0))) for name in names])
