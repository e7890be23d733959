"""Step 0 of a turn: initiative.

Source: turn sequence of our rule book §4, row 0.
"""

from sunglare_protocol.ids import Side
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.events.space import InitiativeRolled
from sunglare_server.match.truth.truth import Truth


def commander_skill(truth: Truth, side: Side) -> int:
    """Return the best commander skill among the side's ships in play, 0 without any."""
    skills = [ship.crew.commander for ship in truth.ships_of(side) if ship.in_play]
    return max(skills, default=0)


def initiative(truth: Truth, turn: int, dice: Dice) -> InitiativeRolled:
    """Return the initiative of `turn`: two dice and the commander, highest first.

    Equal totals: the lower letter wins on odd turns, the higher on even ones.
    """
    totals = {
        side: sum(dice.two_d6(turn, Purpose.INITIATIVE, side)) + commander_skill(truth, side)
        for side in truth.sides
    }
    letters = sorted(truth.sides, reverse=turn % 2 == 0)
    order = sorted(letters, key=lambda side: -totals[side])
    return InitiativeRolled(turn=turn, order=tuple(order), totals=totals)
