"""Being ready: a loss always asks and names the ship, idleness only if every ship is idle."""

from random import Random

import pytest

from builders.desks import SCENES, frames_of, view_in
from builders.tables import PostedTable
from builders.terminals import KITE, MOTH, frame, over, ship, view
from client.test_plain import locked, played
from sunglare_client.bot import is_asked
from sunglare_client.terminal.readying import SURE
from sunglare_client.verbs.written import legal_text
from sunglare_protocol.geometry import Square, Vector
from sunglare_protocol.ids import Side
from sunglare_protocol.orders import Listen
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.legal.legal import legal
from sunglare_rules.advice.review.review import review

A = Side("A")
DRIFTING_OFF = ship(MOTH, square=Square(7, 1), vector=Vector(0, -2))
LOSING = frame(1, view(own=(KITE, DRIFTING_OFF)))
TURN_BOTH = "turn S1 +1; turn S2 +1"


async def readied(*lines: str, script: bool = False) -> tuple[PostedTable, str]:
    table = PostedTable((LOSING, over()), awaits=("4.plot",))
    _, text = await played(table, *lines, script=script)
    return table, text


def is_locked(table: PostedTable) -> bool:
    return bool(locked(table))


@pytest.mark.parametrize("line", ["ready", "next", ""])
async def test_a_loss_asks_and_names_the_ship(line: str) -> None:
    table, text = await readied(TURN_BOTH, line)
    assert "S2 leaves the map over the N edge at 7,-1 and is lost." in text
    assert SURE in text
    assert not is_locked(table)


@pytest.mark.parametrize("answer", ["y", "yes", "ready!", "ready !"])
async def test_a_loss_is_taken_by_an_answer(answer: str) -> None:
    table, _ = await readied(TURN_BOTH, "ready", answer)
    assert is_locked(table)


@pytest.mark.parametrize("answer", ["no", "n", "orders", "", "ready", "yes please"])
async def test_any_other_answer_takes_no_loss(answer: str) -> None:
    table, _ = await readied(TURN_BOTH, "ready", answer)
    assert not is_locked(table)


async def test_an_answer_given_later_is_none() -> None:
    table, _ = await readied(TURN_BOTH, "ready", "orders", "y")
    assert not is_locked(table)


@pytest.mark.parametrize(
    ("line", "script"), [("ready!", False), ("ready", True), ("ready!", True)]
)
async def test_these_never_ask(line: str, script: bool) -> None:
    table, text = await readied(TURN_BOTH, line, script=script)
    assert is_locked(table)
    assert SURE not in text


async def test_idleness_asks_only_if_every_ship_is_idle() -> None:
    plot = frame(1, view())
    for lines, asks in ((("ready",), True), (("turn S1 +1", "ready"), False)):
        table = PostedTable((plot, over()), awaits=("4.plot",))
        _, text = await played(table, *lines, script=False)
        assert (SURE in text) is asks
        assert is_locked(table) is not asks
        assert "without an order: S" in text


async def test_a_question_about_one_window_is_not_answered_in_the_next() -> None:
    scan = frame(2, view(Phase.SCAN, slot="A"))
    table = PostedTable((LOSING, scan, over()), talks=("4.plot",), awaits=("4.scan.A",))
    lines = ("ready; say go on", "y", "y")
    await played(table, *lines, script=False)
    assert not is_locked(table)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene[0])
async def test_no_ready_without_an_answer_loses_what_the_review_knew(
    scene: tuple[str, int, int],
) -> None:
    """Whatever one order a window has, or none, `ready` locks nothing that loses a piece."""
    dice = Random(3)
    for sent in frames_of(*scene)[A]:
        seen = view_in(sent)
        if is_asked(seen, A):
            table = PostedTable((sent, over()), talks=(sent.window,))
            order = legal_text(dice.choice(legal(seen) or (Listen(ship=KITE.id),)), seen)
            _, text = await played(table, order, "ready", "say done", script=False)
            plans = [orders for _, orders, _ in table.given] or [()]
            found = review(seen, plans[-1])
            assert is_locked(table) is (SURE not in text)
            assert is_locked(table) is not (bool(found.losses) or found.all_idle)
