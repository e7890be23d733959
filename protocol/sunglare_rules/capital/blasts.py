"""Effects of capital fire around the point where it comes down, on friend and foe alike.

Source: Alpha Strike, artillery falloff; capital weapons of our rule book §1 (K12) and §2. All
numbers are OWN, for the source only refers to rules that it does not print.
"""

from sunglare_protocol.words.capital import CapitalClass
from sunglare_rules.ground.attacks import Bracket
from sunglare_rules.turn.metric import Span

FULL_INCHES = 2
"""OWN: how far the full damage reaches."""

HALF_INCHES = {
    CapitalClass.CAP: 6,
    CapitalClass.SDS_C: 6,
    CapitalClass.SCAP: 4,
    CapitalClass.MSL: 4,
    CapitalClass.SDS_SC: 4,
    CapitalClass.SDS_CM: 4,
}
"""OWN: how far half the damage reaches, by the class of weapon."""

GROUND_BRACKET = Bracket.SHORT
"""OWN: fire at the ground has no bracket; its damage is that of short range."""


def blast_damage(weapon: CapitalClass, damage: int, distance: Span) -> int:
    """Return the damage to a unit so far from the impact.

    Half is rounded down but is at least 1, of a weapon that does any damage at all.
    """
    if distance.within(FULL_INCHES):
        return damage
    if distance.within(HALF_INCHES[weapon]):
        return max(min(damage, 1), damage // 2)
    return 0
