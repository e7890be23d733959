"""Outlet by audience by stage: every cell of the matrix gives what it says, over real sockets."""

from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import get_args

import pytest
import pytest_asyncio

from builders.plants import Plant
from canary.plants import (
    classes_of_another,
    frames_of_another,
    public_sees_a_side,
    refusal_with_a_name,
    rooms_of_all,
    staged_of_another,
)
from outlets.checks import CHECKS
from outlets.matrix import ANY, ROWS, SENDS, Cell, Gives, listed_cells, wanted_cells
from outlets.places import Place, places
from outlets.visit import Visit
from sunglare_protocol.messages.replies import ServerMessage
from sunglare_protocol.refusals import Code

PLANTED: dict[str, tuple[Plant, Cell]] = {
    "the list shows private rooms": (rooms_of_all, ("list", "nobody", "private")),
    "the cards are those of another side": (classes_of_another, ("snapshot", "B", "lobby")),
    "who comes back gets the staged orders of another": (
        staged_of_another,
        ("snapshot", "A", "plot"),
    ),
    "the export holds the frames of another seat": (
        frames_of_another,
        ("record", "out", "detect"),
    ),
    "the public sees what a side sees": (public_sees_a_side, ("watch public", "nobody", "plot")),
    "a refusal names a hidden ship": (refusal_with_a_name, ("orders", "B", "plot")),
}
"""Faults, and the cell of the matrix in which each must show."""

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
    assert {type(message) for message in visit.heard} <= set(SENDS[outlet])


@pytest.mark.parametrize(("plant", "cell"), PLANTED.values(), ids=PLANTED)
async def test_a_planted_fault_shows_in_its_cell(
    tmp_path: Path, plant: Plant, cell: Cell, monkeypatch: pytest.MonkeyPatch
) -> None:
    outlet, audience, stage = cell
    async with places(tmp_path / "sound", (stage,)) as made:
        await CHECKS[outlet](Visit(made[stage], audience, dict(CELLS)[cell]))
    async with places(tmp_path / "planted", (stage,)) as made:
        plant(monkeypatch)
        with pytest.raises(AssertionError):
            await CHECKS[outlet](Visit(made[stage], audience, dict(CELLS)[cell]))


def test_the_matrix_has_every_cell_once() -> None:
    listed = Counter(cell for cell, _ in listed_cells())
    assert set(listed) == set(wanted_cells())
    assert set(listed.values()) == {1}


def test_every_message_of_the_server_leaves_through_an_outlet_of_the_matrix() -> None:
    sent = {kind for kinds in SENDS.values() for kind in kinds}
    assert sent == set(get_args(ServerMessage))


def test_what_does_not_exist_says_why() -> None:
    assert all(row.reason for row in ROWS if row.gives is Gives.ABSENT)
