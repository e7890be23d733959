"""Outlet by audience by stage: every cell of the matrix gives what it says, over real sockets."""

from collections import Counter
from collections.abc import AsyncIterator
from itertools import groupby
from pathlib import Path
from typing import get_args

import pytest
import pytest_asyncio
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

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
from outlets.loglines import unlisted
from outlets.matrix import ANY, ROWS, SENDS, Cell, Gives, listed_cells, wanted_cells
from outlets.past import PLAYED_ON, check_past, secrets_of, then
from outlets.pastplants import ship_in_the_line, view_of_the_old_seat
from outlets.places import Place, as_heard, places
from outlets.reach import leads, living
from outlets.visit import Visit
from sunglare_protocol.messages.replies import ServerMessage
from sunglare_protocol.refusals import Code
from sunglare_server.api.match_handlers import MatchHandlers
from sunglare_server.gateway.http import HttpHandler
from sunglare_server.gateway.session import Session
from sunglare_server.ops.control.operator import Operator

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
    "a match that is played on is called by a ship of the other one": (
        ship_in_the_line,
        ("info", "nobody", "past"),
    ),
    "who plays on sees what his old seat saw": (view_of_the_old_seat, ("snapshot", "A", "onward")),
}
"""Faults, and the cell of the matrix in which each must show."""

CELLS = [(cell, gives) for cell, gives in listed_cells() if gives is not Gives.ABSENT]


def _outlet(listed: tuple[Cell, Gives | Code]) -> tuple[str, str]:
    (outlet, audience, _), _ = listed
    return outlet, audience


OUTLETS = {
    outlet: list(cells)
    for outlet, cells in groupby(sorted(CELLS, key=_outlet), key=lambda listed: listed[0][0])
}
"""The cells of all audiences and stages by outlet."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def made(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[dict[str, Place]]:
    with capture_logs(processors=[merge_contextvars]) as lines:
        async with places(tmp_path_factory.mktemp("outlets")) as running:
            yield running
    assert not unlisted(lines)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("cells", OUTLETS.values(), ids=OUTLETS)
async def test_every_cell_of_an_outlet_gives_what_it_says(
    made: dict[str, Place], cells: list[tuple[Cell, Gives | Code]]
) -> None:
    faults = {}
    for cell, gives in cells:
        *_, stage = cell
        try:
            await looked_at(made["plot" if stage == ANY else stage], cell, gives)
        except AssertionError as fault:
            faults[cell] = str(fault)
    assert not faults


async def looked_at(place: Place, cell: Cell, gives: Gives | Code) -> None:
    """Look at a cell of the matrix; of a match that is played on, at its past too."""
    outlet, audience, _ = cell
    visit = Visit(place, audience, gives)
    await CHECKS[outlet](visit)
    assert {type(message) for message in visit.heard} <= set(SENDS[outlet])
    if place.past is not None:
        check_past(place.past, as_heard(audience), visit.said())


@pytest.mark.parametrize(("plant", "cell"), PLANTED.values(), ids=PLANTED)
async def test_a_planted_fault_shows_in_its_cell(
    tmp_path: Path, plant: Plant, cell: Cell, monkeypatch: pytest.MonkeyPatch
) -> None:
    *_, stage = cell
    async with places(tmp_path / "sound", (stage,)) as made:
        await looked_at(made[stage], cell, dict(CELLS)[cell])
    async with places(tmp_path / "planted", (stage,)) as made:
        plant(monkeypatch)
        with pytest.raises(AssertionError):
            await looked_at(made[stage], cell, dict(CELLS)[cell])


@pytest.mark.parametrize("audience", ["A", "B", "nobody"])
@pytest.mark.asyncio(loop_scope="module")
async def test_a_match_that_is_played_on_has_secrets_for_everybody(
    made: dict[str, Place], audience: str
) -> None:
    for stage in PLAYED_ON:
        past = made[stage].past
        assert past is not None
        assert len(secrets_of(then(past), as_heard(audience))) > 5


@pytest.mark.asyncio(loop_scope="module")
async def test_no_object_at_an_outlet_holds_a_runner_a_truth_or_an_intel(
    made: dict[str, Place],
) -> None:
    assert {place.has_started for place in made.values()} == {True, False}
    found = living()
    assert {Session, MatchHandlers, Operator, HttpHandler} <= {type(one) for one in found}
    assert not leads(found)


def test_the_matrix_has_every_cell_once() -> None:
    assert Counter(cell for cells in OUTLETS.values() for cell, _ in cells) == Counter(
        cell for cell, _ in CELLS
    )
    listed = Counter(cell for cell, _ in listed_cells())
    assert set(listed) == set(wanted_cells())
    assert set(listed.values()) == {1}


def test_every_message_of_the_server_leaves_through_an_outlet_of_the_matrix() -> None:
    sent = {kind for kinds in SENDS.values() for kind in kinds}
    assert sent == set(get_args(ServerMessage))


def test_what_does_not_exist_says_why() -> None:
    assert all(row.reason for row in ROWS if row.gives is Gives.ABSENT)
