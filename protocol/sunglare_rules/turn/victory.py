"""What objectives and losses are worth.

Source: victory; turn of our rule book §8 (OWN throughout).
"""

from collections.abc import Mapping

from sunglare_protocol.ids import Side

ESCAPE_FACTOR = 2
"""OWN: an escape over the edge named is worth this many times the ship's points."""

IDENTIFY_POINTS = 3
"""OWN: what an identified piece named by an objective is worth."""

SURVIVE_POINTS = 3
"""OWN: what a surviving piece named by an objective is worth."""

DELIVER_POINTS = 5
"""OWN: what an item or character is worth that was brought where an objective wants it."""

HOLD_POINTS = 3
"""OWN: what an environs is worth with own troops and none of an enemy's at the end."""

CHARACTER_POINTS = 2
"""OWN: what a character is worth to the side that kills or captures him."""


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
