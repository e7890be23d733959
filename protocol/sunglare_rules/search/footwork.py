"""The steps of characters: walk, join and leave troops, board, step out, take the shuttle.

Source: Freedom in the Galaxy 10.1b (stacking with troops and landing by shuttle); search of our
rule book §2, "Steps", OWN. Every step is atomic: it is closed before the next is taken.
"""

import enum
from typing import TypeAlias, assert_never, final

import msgspec

from sunglare_rules.search.agents import Aboard, Character, InOrbit, OnGround, Scene, Vessel
from sunglare_rules.search.contagion import closed

STEPS_MOST = 2
"""OWN: how many steps a character makes in a turn."""


@final
class Walk(msgspec.Struct, frozen=True, gc=False):
    """Walk to an adjacent environs of the same planet, by its number."""

    environs: int


@final
class Join(msgspec.Struct, frozen=True, gc=False):
    """Join the own troops in the same environs."""


@final
class Leave(msgspec.Struct, frozen=True, gc=False):
    """Leave the troops, but not the environs."""


@final
class Board(msgspec.Struct, frozen=True, gc=False):
    """Board a vessel landed in the same environs, or by its shuttle a starship in orbit."""

    vessel: str


@final
class Debark(msgspec.Struct, frozen=True, gc=False):
    """Step out of a landed vessel, or take the shuttle of a starship in orbit to an environs."""

    environs: int


Step: TypeAlias = Walk | Join | Leave | Board | Debark
"""Everything that a character can do in one step."""


class StepProblem(enum.Enum):
    """Why a character cannot make a step."""

    NOT_ON_GROUND = "not_on_ground"
    NOT_ADJACENT = "not_adjacent"
    STACKED = "stacked"
    NOT_STACKED = "not_stacked"
    NO_TROOPS = "no_troops"
    NO_SUCH_VESSEL = "no_such_vessel"
    NOT_THERE = "not_there"
    NOT_ABOARD = "not_aboard"
    NO_SHUTTLE = "no_shuttle"
    CLOAKED = "cloaked"
    NO_SUCH_ENVIRONS = "no_such_environs"


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
) -> StepProblem | None:
    """Return why that character cannot make the step now, if so.

    `numbers` are those of the environs of the planet that it is at. OWN: a character leaves the
    troops by a step of its own before it walks or boards.
    """
    character = scene.character(name)
    if isinstance(step, Debark):
        return _debark_problem(scene, character, step, numbers)
    if not isinstance(character.at, OnGround):
        return StepProblem.NOT_ON_GROUND
    if isinstance(step, Leave):
        return None if character.stacked else StepProblem.NOT_STACKED
    if character.stacked:
        return StepProblem.STACKED
    return _ground_problem(scene, character, character.at, step, numbers)


def _ground_problem(
    scene: Scene,
    character: Character,
    at: OnGround,
    step: Walk | Join | Board,
    numbers: tuple[int, ...],
) -> StepProblem | None:
    match step:
        case Walk():
            near = adjacent(numbers, at.environs, step.environs)
            return None if near else StepProblem.NOT_ADJACENT
        case Join():
            return None if (character.owner, at) in scene.troops else StepProblem.NO_TROOPS
        case Board():
            return _board_problem(scene, character, at, step)
        case _:
            assert_never(step)


def _board_problem(
    scene: Scene, character: Character, at: OnGround, step: Board
) -> StepProblem | None:
    for vessel in scene.vessels:
        if vessel.name == step.vessel and vessel.owner == character.owner:
            return _gangway_problem(vessel, at)
    return StepProblem.NO_SUCH_VESSEL


def _gangway_problem(vessel: Vessel, ground: OnGround) -> StepProblem | None:
    """Return why nobody can pass between a vessel and an environs."""
    if vessel.cloaked:
        return StepProblem.CLOAKED
    if vessel.at == ground:
        return None
    if vessel.at != InOrbit(ground.planet):
        return StepProblem.NOT_THERE
    by_shuttle = vessel.has_shuttle and not vessel.is_character_spaceship
    return None if by_shuttle else StepProblem.NO_SHUTTLE


def _debark_problem(
    scene: Scene, character: Character, step: Debark, numbers: tuple[int, ...]
) -> StepProblem | None:
    if not isinstance(character.at, Aboard):
        return StepProblem.NOT_ABOARD
    vessel = scene.vessel(character.at.vessel)
    if not isinstance(vessel.at, OnGround | InOrbit):
        return StepProblem.NOT_THERE
    if step.environs not in numbers:
        return StepProblem.NO_SUCH_ENVIRONS
    return _gangway_problem(vessel, OnGround(vessel.at.planet, step.environs))


def stepped(scene: Scene, name: str, step: Step) -> Scene:
    """Return the scene, closed, after that character made a step that has no problem.

    Joining troops and landing by shuttle detect it; boarding and stepping out do not. Raise
    `ValueError` for a walk or a debarking from where there is no ground.
    """
    before = scene.character(name)
    after = _after(scene, before, step)
    characters = tuple(after if each is before else each for each in scene.characters)
    return closed(msgspec.structs.replace(scene, characters=characters))


def _after(scene: Scene, character: Character, step: Step) -> Character:
    change = msgspec.structs.replace
    match step:
        case Walk():
            planet = _planet(scene, character)
            return change(character, at=OnGround(planet, step.environs))
        case Join():
            return change(character, stacked=True)
        case Leave():
            return change(character, stacked=False)
        case Board():
            return change(character, at=Aboard(step.vessel))
        case Debark():
            ground = OnGround(_planet(scene, character), step.environs)
            by_shuttle = isinstance(scene.place_of(character), InOrbit)
            return change(character, at=ground, detected=character.detected or by_shuttle)
        case _:
            assert_never(step)


def _planet(scene: Scene, character: Character) -> str:
    place = scene.place_of(character)
    if not isinstance(place, OnGround | InOrbit):
        raise ValueError(f"no ground lies under {place}")
    return place.planet
