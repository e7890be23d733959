"""What is asked of agents only where it matters: alerts of the detected, flags of the tracked."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.agents import DEEP, ORBIT, agent, agents_truth, down, shuttler, yacht
from builders.ground import SITE
from builders.truths import A, B, applied, holding
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Site
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_rules.search.agents import Scene
from sunglare_rules.search.detection import alerts, tracked
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.agents_scene import detected_scene, scene_of
from sunglare_server.match.resolve.detection import closures, trackings
from sunglare_server.match.truth.agents import AgentTruth
from sunglare_server.match.truth.truth import ShipTruth, Truth

AFAR = Square(30, 5)


@st.composite
def carriers(draw: st.DrawFn, side: Side, number: int) -> ShipTruth:
    """Draw a ship that may have agents aboard: in orbit, landed or in space, perhaps gone."""
    kind = draw(st.sampled_from((yacht, shuttler)))
    made = kind(side, number, draw(st.sampled_from((ORBIT, DEEP, AFAR))))
    if draw(st.booleans()):
        made = down(made)
    fate = draw(st.sampled_from((Fate.IN_PLAY, Fate.IN_PLAY, Fate.ESCAPED)))
    return replace(made, detected=made.type.agent_spaceship and draw(st.booleans()), fate=fate)


@st.composite
def truths(draw: st.DrawFn) -> Truth:
    """Draw a truth of two sides with three ships and up to three agents each."""
    ships: list[ShipTruth] = []
    folk: list[AgentTruth] = []
    for side in (A, B):
        fleet = [draw(carriers(side, number)) for number in range(1, 4)]
        places: list[Site | str] = [SITE, *(str(ship.id) for ship in fleet if ship.in_play)]
        captors = (None, None, B if side == A else A)
        ships += fleet
        folk += [
            agent(
                side,
                number,
                draw(st.sampled_from(places)),
                detected=draw(st.booleans()),
                captor=draw(st.sampled_from(captors)),
            )
            for number in range(draw(st.integers(0, 3)))
        ]
    return agents_truth(*folk, ships=tuple(ships))


def flags(scene: Scene) -> dict[str, bool]:
    """Return who is detected, by name."""
    agents = {agent.name: agent.detected for agent in scene.agents}
    return agents | {vessel.name: vessel.detected for vessel in scene.vessels}


@given(truths())
def test_the_alerts_of_the_detected_are_those_of_all(truth: Truth) -> None:
    assert alerts(detected_scene(truth)) == alerts(scene_of(truth))


@given(truths(), st.sets(st.sampled_from(("B/S1", "B/S2", "B/S3"))))
def test_trackings_detect_as_the_rules_of_the_whole_scene_do(
    truth: Truth, names: set[str]
) -> None:
    spread = applied(truth, closures(truth))
    for piece in sorted(names):
        spread = holding(spread, A, PieceId(piece), Fix.TRACKED)
    found = [piece for piece in sorted(names) if spread.ships[PieceId(piece)].in_play]
    scene = tracked(scene_of(spread), *found)
    after = scene_of(applied(spread, trackings(spread)))
    assert flags(after) == flags(scene)
