"""An answer of every kind as it is explained, and the view of which it was asked."""

from typing import NamedTuple, final

from msgspec.structs import replace

from builders.terminals import GUARD
from builders.views import C1, S1, S2, own_ship, view
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId
from sunglare_protocol.messages.answers import (
    AgentPreview,
    AnswerBody,
    BombardOdds,
    Card,
    GroundOdds,
    Idle,
    LegalOrders,
    ListenOdds,
    Loss,
    MissionOdds,
    Review,
    ScanPreview,
    SearchOdds,
    SenseOdds,
    Sheet,
    ShotOdds,
    SweepOdds,
)
from sunglare_protocol.orders import Lift
from sunglare_protocol.surface import Arm, Cell, Site
from sunglare_protocol.views import Crew, View, WeaponView
from sunglare_protocol.views.ground import ArmView
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import Arc, Relation
from sunglare_protocol.words.review import IdleKind, LossKind
from sunglare_protocol.words.scans import Answers
from sunglare_protocol.words.search import MissionKind

G1, G2, P1, P2 = OwnId("G1"), OwnId("G2"), OwnId("P1"), OwnId("P2")
SITE = Site("Ceres", 1)


def weapon(name: str, kind: WeaponKind) -> WeaponView:
    """Return a weapon of the front arc."""
    return WeaponView(id=name, kind=kind, rank=1, arc=Arc.FRONT)


SEEN: View = replace(
    view(
        Phase.SCAN,
        own_ship(crew=Crew(operator=1), weapons=(weapon("V", WeaponKind.BEAM),)),
        own_ship(
            id=S2,
            crew=Crew(operator=3),
            weapons=(weapon("V", WeaponKind.BEAM), weapon("W", WeaponKind.CAP)),
        ),
    ),
    ground=(
        replace(GUARD, gunnery=5),
        replace(
            GUARD,
            id=G2,
            gunnery=3,
            weapons=(*GUARD.weapons, ArmView(id="C1", kind=Arm.SDS_C, damage=(4, 4, 4, 4))),
        ),
    ),
)

SHOT = ShotOdds(
    ship=S2, weapon="V", at=C1, band=2, relation=Relation.FLANKING, mean_hundredths=133
)
LISTEN = ListenOdds(ship=S1, own=2, loudest=3, hundredths=(0, 17, 33))
BOMBARD = BombardOdds(
    ship=S1,
    weapon="W",
    at=SITE,
    cell=Cell(0, 0),
    needed=7,
    hundredths=58,
    guided_hundredths=83,
    damage=4,
)
ATTACK = GroundOdds(ship=G1, weapon="R1", at=C1, needed=8, hundredths=42, damage=2)
SWEEP = SweepOdds(ship=S1, mean_hundredths=(100, 183))
PREVIEW = ScanPreview(
    ship=S1,
    strength=2,
    effective=-4,
    finds_from=4,
    answers=Answers(glare=True, from_well=False, touches_well=False),
    candidates=(1600, 200, 90, 40),
)
MISSION = MissionOdds(ship=P1, kind=MissionKind.SPY, hundredths=30)
AGENTS = AgentPreview(ship=P1, detected=(P1, P2), anew=(P2,))
REVIEW = Review(
    losses=(Loss(piece=S1, kind=LossKind.NOT_DEPLOYED, turn=1, square=Square(0, 0)),),
    idle=(
        Idle(piece=S1, kind=IdleKind.NO_ORDER),
        Idle(piece=S2, kind=IdleKind.NO_SENSOR, folded=True),
    ),
)


@final
class Sample(NamedTuple):
    """An answer, and the title and the lines of the card that explains it."""

    body: AnswerBody
    title: str
    text: str


SAMPLES = (
    Sample(
        REVIEW,
        "review",
        "1 lost by movement or set-up, 2 left undone; what dice or enemies decide is no part of "
        "it. The turn (turn §4), movement (turn §5).",
    ),
    Sample(
        Sheet(piece=S1, orders=(Lift(ship=S1),)),
        "sheet",
        "All that S1 may do in this window, as far as you know; what only hidden facts forbid is "
        "taken too, and fails. The turn (turn §4).",
    ),
    Sample(
        LegalOrders(orders=(Lift(ship=S1), Lift(ship=S2))),
        "legal",
        "2 orders that this window takes, as far as you know; what only hidden facts forbid "
        "is taken too, and fails. The turn (turn §4).",
    ),
    Sample(
        PREVIEW,
        "preview S1",
        "Strength +2 less 6 for glare is -4; with a signature of +4 or more it comes to 0, a "
        "contact. Intercept sensors, scan 1 (sensors §5).\n"
        "Everybody hears the scan and the answers: of 1600 squares on which you may stand "
        "there are 200 left after the first, 90 and 40 after the others. Intercept sensors "
        "part 2 (sensors §6).",
    ),
    Sample(
        SHOT,
        "shot odds S2",
        "It bears: range 2, target flanking. X-Wing 2.0, arc and range (arcs §2).\n"
        "1.33 of damage on average, against no screens, since screens are not shown. Fire "
        "(turn §6).",
    ),
    Sample(
        replace(SHOT, weapon="W", relation=Relation.IN_FRONT),
        "shot odds S2",
        "It bears: range 2, target in front. X-Wing 2.0, arc and range (arcs §2).\n"
        "1.33 of damage on average, misses included. Alpha Strike, capital weapons (capital "
        "§1 and §2).",
    ),
    Sample(
        replace(SHOT, at=None),
        "shot odds S2",
        "1.33 of damage on average in its first sweep. Fire, nova gun (turn §6).",
    ),
    Sample(
        ATTACK,
        "ground odds G1",
        "Two dice need 8, 42 %, for 2 of damage: gunnery 5, +0 at short, +2 at medium, +4 at "
        "long, +6 at extreme range, +1 for cover; 2 always misses. Alpha Strike, ground "
        "combat (blips §2).",
    ),
    Sample(
        replace(ATTACK, ship=G2, weapon="C1"),
        "ground odds G2",
        "Two dice need 8, 42 %, for 2 of damage; range, size and air count. Alpha Strike, "
        "capital weapons (capital §1 and §2).",
    ),
    Sample(
        BOMBARD,
        "bombard odds S1",
        "Two dice need 7, 58 %; with a beam on the point 83 %. 4 of damage on the point; a "
        "miss comes down elsewhere. Alpha Strike, capital weapons (capital §1 and §2).",
    ),
    Sample(
        SenseOdds(ship=S2, hundredths=(58, 72, 83, 92, 97, 100)),
        "sense odds S2",
        "Two dice + operator 3 + signal must come to 10: 58 % at signal 0, certain at 5. "
        "Intercept sensors, tracking (sensors §5).",
    ),
    Sample(
        LISTEN,
        "listen odds S1",
        "A die below the thrust that it used, less your own 2, less the 3 of the loudest "
        "ship that you know, hears it: 0 % at thrust 1, 33 % at 3. Cloak detection, "
        "listening (cloak §2).",
    ),
    Sample(
        SWEEP,
        "sweep odds S1",
        "A die for each cloaked ship in sight, the lowest for the nearest: each is found by "
        "6, 5, 4, 3, 2, 1 or less in turn, up to the first that is not. Cloak detection, "
        "active sweeps (cloak §4).",
    ),
    Sample(
        SearchOdds(site=SITE, value=6, most=40, least=10),
        "search odds",
        "Search value 6: a die of 10 finds with 40 % who hide with 1 or less, with 10 % who "
        "hide with 9 or more. Freedom in the Galaxy 10.2 (search §2).",
    ),
    Sample(
        MISSION,
        "mission odds P1",
        "A die of 10 + the best intelligence of the group, +1 for 3 or more, has to reach 9: "
        "30 %. Missions (search §2).",
    ),
    Sample(
        replace(MISSION, kind=MissionKind.DELIVER, hundredths=100),
        "mission odds P1",
        "Nothing is rolled to deliver: 100 %. Missions (search §2).",
    ),
    Sample(
        AGENTS,
        "agents preview P1",
        "2 detected after it, P2 anew: by troops, a shuttle, or the company of whoever is. "
        "Freedom in the Galaxy 10.1 (search §1).",
    ),
    Sample(
        Card(title="C1", lines=("a", "b", "c")),
        "card",
        "3 lines on what you have and were told; why gives the rule of each. The ladder of "
        "knowledge (turn §3).",
    ),
)
