"""Effects of damage on a ship: rows of hull boxes, threshold checks and lost systems.

Source: Full Thrust hull rows and threshold checks; fire of our rule book §6.
"""

ROWS = 4
"""A hull is drawn in this many rows."""

THRESHOLDS = {1: 6, 2: 5, 3: 4}
"""The lowest die that loses a system, by the row whose end was crossed."""


def hull_rows(hull: int) -> tuple[int, int, int, int]:
    """Return how many boxes of a hull stand in each row; the first rows take the odd boxes."""
    boxes, odd = divmod(hull, ROWS)
    return (boxes + (odd > 0), boxes + (odd > 1), boxes + (odd > 2), boxes)


def rows_crossed(hull: int, before: int, after: int) -> int:
    """Return the worst row (1 to 3) whose end this turn's damage crossed, or 0 for none.

    `before` and `after` are all damage points taken before and after this turn's attacks. A row's
    end is crossed by the point that takes its last box; a hull of fewer boxes than rows ends
    several rows with one box. A destroyed ship has crossed them all.
    """
    worst = end = 0
    for row, boxes in enumerate(hull_rows(hull)[:-1], start=1):
        end += boxes
        if before < end <= after:
            worst = row
    return worst


def threshold_needs(row: int) -> int:
    """Return the lowest die that loses a system after the end of `row` (1 to 3) was crossed."""
    return THRESHOLDS[row]


def system_lost(die: int, needs: int) -> bool:
    """Return whether a threshold check that rolled `die` loses the system."""
    return die >= needs


def drive_after_losses(rating: int, losses: int) -> int:
    """Return the thrust left: the first loss halves it, rounding down; the second ends it."""
    return {0: rating, 1: rating // 2}.get(losses, 0)
