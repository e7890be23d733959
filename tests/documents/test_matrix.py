"""The matrix of bots on their page: all shipped ones against all, of every scenario it is for."""

import re

from documents.doctables import BOTS, text_of
from documents.matrix import PLACE, SCENARIOS
from sunglare_client.bots import BOTS as SHIPPED


def tables() -> list[list[list[str]]]:
    """Return the tables of the matrix, row by row, cell by cell."""
    (place,) = PLACE.finditer(text_of(BOTS))
    return [
        [[cell.strip() for cell in row.strip("| ").split("|")] for row in table.splitlines()]
        for table in re.findall(r"(?:^\|.*\n)+", place[0], re.MULTILINE)
    ]


def test_every_shipped_bot_has_met_every_other_one_in_every_scenario_of_the_matrix() -> None:
    found = {heads[0]: (heads[1:-1], rows) for heads, _, *rows in tables()}
    assert set(found) == {f"`{name}`" for name in SCENARIOS}
    for names, rows in found.values():
        assert set(names) == {f"`{name}`" for name in SHIPPED}, "run make matrix"
        assert [row[0] for row in rows] == names


def test_what_one_bot_has_of_a_hundred_points_the_other_one_has_not() -> None:
    for heads, _, *rows in tables():
        points = {
            (row[0], name): cell
            for row in rows
            for name, cell in zip(heads[1:], row[1:], strict=True)
        }
        for one in heads[1:-1]:
            assert points[one, one] == ""
            for other in heads[1:-1]:
                if one != other:
                    assert abs(int(points[one, other]) + int(points[other, one]) - 100) <= 1
