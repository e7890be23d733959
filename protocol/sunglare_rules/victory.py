"""What objectives and losses are worth.

Source: victory; turn of our rule book §8 (OWN throughout).
"""

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
