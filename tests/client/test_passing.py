"""Windows that the client passes: those without a decision, and on demand all until a contact."""

import pytest

from builders.tables import PostedTable
from builders.terminals import CONTACT, KITE, MEMORY, MOTH, TRACK, B, frame, over, ship, view
from client.test_plain import locked, played
from sunglare_protocol.geometry import Square, Vector
from sunglare_protocol.messages import Frame
from sunglare_protocol.views import OwnView
from sunglare_protocol.views.space import Exposure
from sunglare_protocol.words.ladder import Fate, Fix, Phase

NONE_HELD = (
    frame(1, view(contacts=())),
    frame(2, view(Phase.SCAN, slot="A", contacts=())),
    frame(3, view(Phase.DETECT, contacts=())),
    frame(4, view(Phase.ENGAGE, contacts=())),
)
HELD = Exposure(side=B, fix=Fix.TRACKED)
ALL = tuple(window.window for window in NONE_HELD)


async def passing(*frames: Frame, lines: tuple[str, ...]) -> tuple[PostedTable, str]:
    table = PostedTable((*frames, over()), awaits=tuple(each.window for each in frames))
    _, text = await played(table, *lines, script=False)
    return table, text


async def test_engage_is_passed_where_there_is_nothing_to_fire_at() -> None:
    table, text = await passing(NONE_HELD[3], lines=())
    assert locked(table) == {"4.engage": ()}
    assert "nothing to decide in ENGAGE; passed" in text


async def test_engage_waits_where_a_weapon_reaches_a_piece_that_is_held() -> None:
    table, _ = await passing(frame(4, view(Phase.ENGAGE)), lines=())
    assert table.given == []


async def test_every_window_is_passed_until_a_contact_comes() -> None:
    known = frame(5, view(Phase.PLOT, turn=5, contacts=(TRACK,)))
    table, text = await passing(*NONE_HELD, known, lines=("pass until contact",))
    assert list(locked(table)) == list(ALL)
    assert "there is something new" in text
    assert "the passing has ended: windows wait for you again" in text


async def test_what_was_held_before_ends_no_passing() -> None:
    held = frame(1, view(contacts=(TRACK,)))
    same = frame(2, view(Phase.SCAN, slot="A", contacts=(TRACK,)))
    more = frame(3, view(Phase.ENGAGE, contacts=(TRACK, CONTACT)))
    table, _ = await passing(held, same, more, lines=("pass until contact",))
    assert list(locked(table)) == ["4.plot", "4.scan.A"]


@pytest.mark.parametrize(
    "own",
    [
        pytest.param((ship(damage=9), MOTH), id="hit"),
        pytest.param((KITE, ship(MOTH, fate=Fate.DESTROYED)), id="destroyed"),
        pytest.param((ship(exposed=(HELD,)), MOTH), id="found"),
    ],
)
async def test_what_befalls_an_own_piece_ends_the_passing(own: tuple[OwnView, ...]) -> None:
    after = frame(2, view(Phase.ENGAGE, own=own, contacts=()))
    table, text = await passing(NONE_HELD[0], after, lines=("pass until contact",))
    assert "4.plot" in locked(table)
    assert "a piece of yours was hit, found or lost" in text


async def test_a_memory_that_a_shot_has_left_ends_the_passing() -> None:
    shot = frame(2, view(Phase.ENGAGE, contacts=(MEMORY,)))
    _, text = await passing(NONE_HELD[0], shot, lines=("pass until contact",))
    assert "there is something new" in text


async def test_a_loss_that_comes_up_ends_the_passing_and_is_named() -> None:
    lost = ship(MOTH, square=Square(7, 1), vector=Vector(0, -2))
    plot = frame(2, view(turn=5, own=(KITE, lost), contacts=()))
    _, text = await passing(NONE_HELD[0], plot, lines=("pass until contact",))
    assert "S2 leaves the map" in text
    assert "the passing has ended" in text


async def test_passing_is_ended_by_hand() -> None:
    lines = ("pass until contact; pass off", "say hello")
    table, text = await passing(NONE_HELD[0], lines=lines)
    assert table.given == []
    assert "windows wait for you again" in text


@pytest.mark.parametrize(
    "lost",
    [
        pytest.param(ship(square=Square(7, 1), vector=Vector(0, -2)), id="leaves the map"),
        pytest.param(ship(MOTH, square=Square(15, 16), vector=Vector(0, -3)), id="strikes Ceres"),
    ],
)
async def test_no_ship_is_lost_by_passing(lost: object) -> None:
    frames = (frame(1, view(own=(lost,), contacts=())),)  # type: ignore[arg-type]
    table, text = await passing(*frames, lines=("pass until contact",))
    assert not any(lock for _, _, lock in table.given)
    assert "is lost." in text
    assert "not passed: windows wait for you again" in text


async def test_a_ship_that_could_act_makes_plot_wait() -> None:
    table, _ = await passing(frame(1, view(own=(KITE,), contacts=())), lines=())
    assert table.given == []
