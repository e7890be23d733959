"""The steps of agents: walk, join and leave troops, board, step out, take the shuttle.

Source: Freedom in the Galaxy 10.1b (stacking with troops and landing by shuttle); search of our
rule book §2, "Steps", OWN. Every step is atomic: it is closed before the next is taken.
"""

from typing import TypeAlias, assert_never, final

import msgspec

from sunglare_protocol.words.search import StepFault
from sunglare_rules.search.agents import Aboard, Agent, InOrbit, OnGround, Scene, Vessel
from sunglare_rules.search.detection import closed

STEPS_MOST = 2
"""OWN: how many steps an agent makes in a turn."""


@final
class WalkAcross(msgspec.Struct, frozen=True, gc=False):
    """Walk to an adjacent environs of the same planet, by its number."""

    environs: int


@final
class JoinUnits(msgspec.Struct, frozen=True, gc=False):
    """Join the own troops in the same environs."""


@final
class LeaveUnits(msgspec.Struct, frozen=True, gc=False):
    """Leave the troops, but not the environs."""


@final
class Embark(msgspec.Struct, frozen=True, gc=False):
    """Board a vessel landed in the same environs, or by its shuttle a starship in orbit."""

    vessel: str


@final
class Debark(msgspec.Struct, frozen=True, gc=False):
    """Step out of a landed vessel, or take the shuttle of a starship in orbit to an environs."""

    environs: int


Step: TypeAlias = WalkAcross | JoinUnits | LeaveUnits | Embark | Debark
"""Everything that an agent can do in one step."""


def adjacent(numbers: tuple[int, ...], one: int, other: int) -> bool:
    """Return whether two different environs of a planet with those numbers lie side by side.

    They lie in a ring in the order of their numbers.
    """
    ring = sorted(numbers)
    if one == other or one not in ring or other not in ring:
        return False
    return (ring.index(one) - ring.index(other)) % len(ring) in (1, len(ring) - 1)


def step_problem(
    scene: Scene, name: str, step: Step, numbers: tuple[int, ...]
) -> StepFault | None:
    """Return why that agent cannot make the step now, if so.

    `numbers` are those of the environs of the planet that it is at. OWN: an agent leaves the
    troops by a step of its own before it walks or boards.
    """
    agent = scene.agent(name)
    if isinstance(step, Debark):
        return _debark_problem(scene, agent, step, numbers)
    if not isinstance(agent.at, OnGround):
        return StepFault.NOT_ON_GROUND
    if isinstance(step, LeaveUnits):
        return None if agent.stacked else StepFault.NOT_STACKED
    if agent.stacked:
        return StepFault.STACKED
    return _ground_problem(scene, agent, agent.at, step, numbers)


def _ground_problem(
    scene: Scene,
    agent: Agent,
    at: OnGround,
    step: WalkAcross | JoinUnits | Embark,
    numbers: tuple[int, ...],
) -> StepFault | None:
    match step:
        case WalkAcross():
            near = adjacent(numbers, at.environs, step.environs)
            return None if near else StepFault.NOT_ADJACENT
        case JoinUnits():
            return None if (agent.owner, at) in scene.troops else StepFault.NO_TROOPS
        case Embark():
            return _board_problem(scene, agent, at, step)
        case _:
            assert_never(step)


def _board_problem(scene: Scene, agent: Agent, at: OnGround, step: Embark) -> StepFault | None:
    for vessel in scene.vessels:
        if vessel.name == step.vessel and vessel.owner == agent.owner:
            return _gangway_problem(vessel, at)
    return StepFault.NO_SUCH_VESSEL


def _gangway_problem(vessel: Vessel, ground: OnGround) -> StepFault | None:
    """Return why there is no way between a vessel and an environs."""
    if vessel.cloaked:
        return StepFault.CLOAKED
    if vessel.at == ground:
        return None
    if vessel.at != InOrbit(ground.planet):
        return StepFault.NOT_THERE
    by_shuttle = vessel.has_shuttle and not vessel.is_agent_spaceship
    return None if by_shuttle else StepFault.NO_SHUTTLE


def _debark_problem(
    scene: Scene, agent: Agent, step: Debark, numbers: tuple[int, ...]
) -> StepFault | None:
    if not isinstance(agent.at, Aboard):
        return StepFault.NOT_ABOARD
    vessel = scene.vessel(agent.at.vessel)
    if not isinstance(vessel.at, OnGround | InOrbit):
        return StepFault.NOT_THERE
    if step.environs not in numbers:
        return StepFault.NO_SUCH_ENVIRONS
    return _gangway_problem(vessel, OnGround(vessel.at.planet, step.environs))


def stepped(scene: Scene, name: str, step: Step) -> Scene:
    """Return the scene, closed, after that agent made a step that has no problem.

    Joining troops and landing by shuttle detect it; boarding and stepping out do not. Raise
    `ValueError` for a walk or a debarking from where there is no ground.
    """
    before = scene.agent(name)
    after = _after(scene, before, step)
    agents = tuple(after if agent is before else agent for agent in scene.agents)
    return closed(msgspec.structs.replace(scene, agents=agents))


def _after(scene: Scene, agent: Agent, step: Step) -> Agent:
    change = msgspec.structs.replace
    match step:
        case WalkAcross():
            planet = _planet(scene, agent)
            return change(agent, at=OnGround(planet, step.environs))
        case JoinUnits():
            return change(agent, stacked=True)
        case LeaveUnits():
            return change(agent, stacked=False)
        case Embark():
            return change(agent, at=Aboard(step.vessel))
        case Debark():
            ground = OnGround(_planet(scene, agent), step.environs)
            by_shuttle = isinstance(scene.place_of(agent), InOrbit)
            return change(agent, at=ground, detected=agent.detected or by_shuttle)
        case _:
            assert_never(step)


def _planet(scene: Scene, agent: Agent) -> str:
    place = scene.place_of(agent)
    if not isinstance(place, OnGround | InOrbit):
        raise ValueError(f"no ground lies under {place}")
    return place.planet
