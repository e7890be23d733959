"""Points for objectives and losses.

Source: victory; turn of our rule book §8 (OWN throughout).
"""

import enum
from collections.abc import Mapping
from typing import final

import msgspec

from sunglare_protocol.ids import Side
from sunglare_protocol.words.victory import ObjectiveKind


class Named(enum.Enum):
    """Which piece an objective names, from where the side stands that has it."""

    OWN = "an own ship or agent"
    FOREIGN = "a ship of another side"
    BROUGHT = "an item or an own agent"


@final
class Terms(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What an objective must name, what it is worth, and the sentence that says so.

    The sentence has places for `edge`, `piece`, `at`, `body` (all as they are named) and `points`.
    """

    points: int
    sentence: str
    edge: bool = False
    piece: Named | None = None
    site: bool = False
    asteroid: bool = False


OBJECTIVES: dict[ObjectiveKind, Terms] = {
    ObjectiveKind.ESCAPE: Terms(
        edge=True,
        points=2,
        sentence="Leave over the {edge} edge with a ship: {points} times its points",
    ),
    ObjectiveKind.IDENTIFY: Terms(
        piece=Named.FOREIGN,
        points=3,
        sentence="Identify {piece}: {points} points",
    ),
    ObjectiveKind.SURVIVE: Terms(
        piece=Named.OWN,
        points=3,
        sentence="Keep {piece} from being destroyed: {points} points at the end",
    ),
    ObjectiveKind.DELIVER: Terms(
        piece=Named.BROUGHT,
        site=True,
        points=5,
        sentence="Bring {piece} to {at}: {points} points",
    ),
    ObjectiveKind.HOLD: Terms(
        site=True,
        points=3,
        sentence="Hold {at} at the end, with no enemy troops there: {points} points",
    ),
    ObjectiveKind.COLLECT: Terms(
        asteroid=True,
        points=3,
        sentence="Collect at {body}, at rest in its square with a ship: {points} points",
    ),
}
"""OWN: the objectives that a scenario may give a side; when they are met, see scoring."""

AGENT_POINTS = 2
"""OWN: the points of an agent for the side that kills or captures it."""


def winner_of(points: Mapping[Side, int], standing: tuple[Side, ...]) -> Side | None:
    """Return the side with the most points of those `standing`; None if several have them."""
    best = max(points[side] for side in standing)
    leaders = [side for side in standing if points[side] == best]
    return leaders[0] if len(leaders) == 1 else None


def shares(points: int, boxes: Mapping[Side, int]) -> dict[Side, int]:
    """Return what each side gets of a destroyed piece's points, by the damage boxes it did.

    Largest remainder; of equal remainders the one that stands earlier in `boxes` is the larger:
    they are given in the order of that turn's initiative. OWN: where no boxes were done, as by a
    touch or by sabotage, all sides count alike.
    """
    total = sum(boxes.values())
    parts = boxes if total else dict.fromkeys(boxes, 1)
    total = total or len(parts)
    found = {side: points * part // total for side, part in parts.items()}
    rest = sorted(parts, key=lambda side: -(points * parts[side] % total))
    for side in rest[: points - sum(found.values())]:
        found[side] += 1
    return found
