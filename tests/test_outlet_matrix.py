"""Outlet by audience by stage: every cell of the matrix gives what it says, over real sockets."""

from collections import Counter
from collections.abc import AsyncIterator
from typing import get_args

import pytest
import pytest_asyncio

from outletchecks import CHECKS
from outletmatrix import (
    ANY,
    ROWS,
    SENDS,
    Cell,
    Gives,
    listed_cells,
    wanted_cells,
)
from outletplaces import Place, places
from outletvisit import Visit
from sunglare_protocol.refusals import Code
from sunglare_protocol.replies import ServerMessage

CELLS = [(cell, gives) for cell, gives in listed_cells() if gives is not Gives.ABSENT]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def made(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[dict[str, Place]]:
    async with places(tmp_path_factory.mktemp("outlets")) as running:
        yield running


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(("cell", "gives"), CELLS, ids=[" / ".join(cell) for cell, _ in CELLS])
async def test_a_cell_of_the_matrix_gives_what_it_says(
    made: dict[str, Place], cell: Cell, gives: Gives | Code
) -> None:
    outlet, audience, stage = cell
    visit = Visit(made["plot" if stage == ANY else stage], audience, gives)
    await CHECKS[outlet](visit)
    assert {type(each) for each in visit.heard} <= set(SENDS[outlet])


def test_the_matrix_has_every_cell_once() -> None:
    listed = Counter(cell for cell, _ in listed_cells())
    assert set(listed) == set(wanted_cells())
    assert set(listed.values()) == {1}


def test_every_message_of_the_server_leaves_through_an_outlet_of_the_matrix() -> None:
    sent = {kind for kinds in SENDS.values() for kind in kinds}
    assert sent == set(get_args(ServerMessage))


def test_what_does_not_exist_says_why() -> None:
    assert all(row.reason for row in ROWS if row.gives is Gives.ABSENT)
