"""The answers to questions that cost nothing: each follows from the asker's own view alone."""

from typing import final

import msgspec

from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.messages.sheets import (
    BombardReach,
    CourseEnd,
    LeftOut,
    ListedShot,
    MissionReach,
    ScanPlace,
    ScanStrength,
    StationReach,
    StepReach,
    WeaponArcs,
)
from sunglare_protocol.orders.space import Order
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.words.pieces import Relation
from sunglare_protocol.words.review import IdleKind, LossKind
from sunglare_protocol.words.scans import Answers
from sunglare_protocol.words.search import MissionKind

ANSWER_BYTES = 65_536
"""The longest sheet or list of legal orders, as JSON text."""


class _Answer(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="t", gc=False
):
    pass


@final
class LegalOrders(_Answer, frozen=True, tag="legal"):
    """Orders that this window takes, examples of each kind for each own ship.

    Scans stand for their type and size with one centre; every centre the map has is as good.
    `left_out` counts those at the end that did not fit in an answer.
    """

    orders: tuple[Order, ...] = ()
    left_out: int = 0


@final
class ScanPreview(_Answer, frozen=True, tag="preview"):
    """What all others would learn if this scan were declared now.

    `finds_from` is the weakest signature the scan would turn into a contact. `candidates`
    counts the squares on which the scanner may stand: on the map, then after each question.
    """

    ship: OwnId
    strength: int
    effective: int
    finds_from: int
    answers: Answers
    candidates: tuple[int, int, int, int]


@final
class ShotOdds(_Answer, frozen=True, tag="shot_odds"):
    """How a shot bears: the band through the arc, the relation and the mean damage (x 100).

    The mean leaves the target's screens out of account, since no other side knows them. A nova gun
    names no target; its mean is that of the first sweep, for all together that is held there.
    """

    ship: OwnId
    weapon: str
    at: Handle | None
    band: int
    relation: Relation
    mean_hundredths: int


@final
class GroundOdds(_Answer, frozen=True, tag="ground_odds"):
    """What an attack on the ground needs on two dice, its chance in hundredths, its damage."""

    ship: OwnId
    weapon: str
    at: Handle
    needed: int
    hundredths: int
    damage: int


@final
class BombardOdds(_Answer, frozen=True, tag="bombard_odds"):
    """What fire at a point needs on two dice, its chance in hundredths, its damage on the point.

    `guided_hundredths` is the chance if an own beam is on the point. A miss comes down somewhere
    else. A missile over the ground `lands` in a later turn.
    """

    ship: OwnId
    weapon: str
    at: Site
    cell: Cell
    needed: int
    hundredths: int
    guided_hundredths: int
    damage: int
    lands: int | None = None


@final
class SenseOdds(_Answer, frozen=True, tag="sense_odds"):
    """The chance in hundredths that a contact of signal 0, 1, 2 … is tracked by this ship."""

    ship: OwnId
    hundredths: tuple[int, ...]


@final
class SearchOdds(_Answer, frozen=True, tag="search_odds"):
    """The own search value in an environs, and the chances in hundredths to find who is there.

    `most` is against agents who hide worst, `least` against those who hide best: which of them are
    there, if any, the searcher does not know.
    """

    site: Site
    value: int
    most: int
    least: int


@final
class MissionOdds(_Answer, frozen=True, tag="mission_odds"):
    """The chance in hundredths that a mission succeeds, if there is what it is meant for."""

    ship: OwnId
    kind: MissionKind
    hundredths: int


@final
class AgentPreview(_Answer, frozen=True, tag="agents_preview"):
    """Which own agents and ships will be detected once this step is made, and which newly so."""

    ship: OwnId
    detected: tuple[OwnId, ...] = ()
    anew: tuple[OwnId, ...] = ()


@final
class ListenOdds(_Answer, frozen=True, tag="listen_odds"):
    """The chance in hundredths to hear a cloaked ship that used 1, 2, 3 … thrust, at best.

    `own` is the thrust that the listening ship used, `loudest` the most that an own ship did; a
    louder foreign ship lowers the chances.
    """

    ship: OwnId
    own: int
    loudest: int
    hundredths: tuple[int, ...]


@final
class SweepOdds(_Answer, frozen=True, tag="sweep_odds"):
    """How many cloaked ships a sweep finds on average (x 100) if 1, 2, 3 … are in sight."""

    ship: OwnId
    mean_hundredths: tuple[int, ...]


@final
class Card(_Answer, frozen=True, tag="card"):
    """What is known of one thing, and by which rule, a line each."""

    title: str
    lines: tuple[str, ...]


@final
class Loss(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The loss of one own piece, and in which turn it is lost.

    `square` is where its move ends, beyond `edge` or in `body`; of `lost_next_turn` where it would
    drift in that turn. `pulled`: without gravity the move would end in space. `aboard` are the
    units and agents that go with a ship which is lost in this turn. With a `weapon` it is the
    volley that the piece launches from it now. `not_deployed` has the square of the dice.
    """

    piece: OwnId
    kind: LossKind
    turn: int
    square: Square | None = None
    edge: Compass | None = None
    body: str | None = None
    pulled: bool = False
    aboard: tuple[OwnId, ...] = ()
    weapon: str | None = None


@final
class Idle(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What one own piece leaves undone.

    `at` is what its `weapon` could be fired at, the first of what the view lists, or what it could
    request the data of. `folded`: it would have a sensor that works if they were popped out.
    """

    piece: OwnId
    kind: IdleKind
    weapon: str | None = None
    at: Handle | None = None
    folded: bool = False


@final
class Review(_Answer, frozen=True, tag="review"):
    """What a set of orders would lose, and what it leaves undone.

    `all_idle`: some ship could act in this window, and none has an order; where no ship could,
    the same of ground units and agents. `has_decision`: some order of the window could make a
    difference to the side; a client passes a window without one. `usual` are orders that a client
    adds to these unless its player says otherwise: sensors that go out at set-up.
    """

    losses: tuple[Loss, ...] = ()
    idle: tuple[Idle, ...] = ()
    all_idle: bool = False
    has_decision: bool = False
    usual: tuple[Order, ...] = ()


@final
class Sheet(_Answer, frozen=True, tag="sheet"):
    """All that one own piece may do in the open window, with the `orders` of the question.

    `orders` are those that no other list has, as examples like those of `legal`: a `land` or
    `deploy` on a map without a cell stands for all cells of the map, a `deploy` that says whether
    the ship is `cloaked` for all `deploys`, a `move` with `token` for all `walks`. `deploys` are
    squares, `deploy_speed` how far a vector may go from there in x and in y, `walks` the cheapest
    path to each cell that can be reached, `jumps` cells. `remotes`: how many remote sensors may
    be launched, each by an order of its own. `heard`: the highest chances in
    hundredths that a listener hears the cloaked ship, by the `thrust` that a course uses: 0, 1,
    2 …. `aims` are the squares to which missiles may be sent, for each `launch` and `aim` among
    `orders`. `attacks` are those of a ground unit. `left_out` names the lists that did not fit in
    an answer whole.
    """

    piece: OwnId
    orders: tuple[Order, ...] = ()
    deploys: tuple[Square, ...] = ()
    deploy_speed: int = 0
    courses: tuple[CourseEnd, ...] = ()
    heard: tuple[int, ...] = ()
    aims: tuple[Square, ...] = ()
    scans: tuple[ScanStrength, ...] = ()
    places: tuple[ScanPlace, ...] = ()
    listen: ListenOdds | None = None
    sweep: SweepOdds | None = None
    arcs: tuple[WeaponArcs, ...] = ()
    shots: tuple[ListedShot, ...] = ()
    bombards: tuple[BombardReach, ...] = ()
    attacks: tuple[GroundOdds, ...] = ()
    stations: tuple[StationReach, ...] = ()
    walks: tuple[tuple[Cell, ...], ...] = ()
    jumps: tuple[Cell, ...] = ()
    steps: tuple[StepReach, ...] = ()
    missions: tuple[MissionReach, ...] = ()
    remotes: int = 0
    search: SearchOdds | None = None
    left_out: tuple[LeftOut, ...] = ()


AnswerBody = (
    LegalOrders
    | ScanPreview
    | ShotOdds
    | GroundOdds
    | BombardOdds
    | SenseOdds
    | ListenOdds
    | SweepOdds
    | SearchOdds
    | MissionOdds
    | AgentPreview
    | Review
    | Sheet
    | Card
)
"""Every kind of answer."""
