"""Results that do not all fit: what befell the own pieces comes first, by the kind of notice."""

import pytest

from builders.fullscreens import SMALL, full_screen_of
from builders.terminals import KITE, frame, ship, view
from sunglare_client.fullscreen.results import TITLE, Results
from sunglare_client.text.foremost import FOREMOST, foremost_lines
from sunglare_client.text.story import window_lines
from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.ids import Handle, OwnId, Side
from sunglare_protocol.notices import (
    ContactSeen,
    Notice,
    OwnDestroyed,
    OwnDetected,
    OwnEscaped,
    OwnFound,
    OwnInScan,
    OwnKilled,
    OwnSystemLost,
    OwnTracked,
    OwnTrackLost,
    OwnUncovered,
)
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.search import Cause

S1 = OwnId("S1")
B = Side("B")
FIRST: tuple[Notice, ...] = (
    OwnDestroyed(ship=S1, cause="fire"),
    OwnEscaped(ship=S1, edge=Compass.N),
    OwnKilled(ship=S1),
    OwnTracked(ship=S1, side=B),
    OwnFound(ship=S1, fix=Fix.SOLUTION),
    OwnUncovered(ship=S1),
    OwnDetected(ship=S1, cause=next(iter(Cause))),
    OwnSystemLost(ship=S1, system="drive"),
)
LATER: tuple[Notice, ...] = (
    OwnTrackLost(ship=S1, side=B),
    OwnInScan(ship=S1, side=B),
    *(
        ContactSeen(handle=Handle(f"c{n:05}"), label=f"C{n}", square=Square(n, 5), signatures=())
        for n in range(1, 30)
    ),
)


def test_every_kind_that_comes_first_is_looked_at_here() -> None:
    assert tuple(type(notice) for notice in FIRST) == FOREMOST


def test_the_weightiest_kinds_come_first_in_whatever_order_they_are_told() -> None:
    mixed = frame(1, view(), *LATER, *reversed(FIRST))
    in_order = foremost_lines(frame(1, view(), *FIRST))
    assert foremost_lines(mixed) == in_order
    assert len(in_order) == len(FIRST)
    assert set(in_order) <= set(window_lines(mixed))


@pytest.mark.parametrize("notice", LATER[:3], ids=lambda notice: type(notice).__name__)
def test_no_other_kind_comes_first(notice: Notice) -> None:
    assert foremost_lines(frame(1, view(), notice)) == []


def test_a_panel_has_every_line_once_and_those_put_first_before_the_rest() -> None:
    results = Results()
    results.add(["one", "two", "three"])
    results.put_first(["three", "never shown"])
    assert results.panel(80, 3) is None
    panel = results.panel(80, 2)
    assert panel is not None
    assert panel.lines == ["three", "one", "two"]


def test_results_that_are_closed_put_nothing_first_any_more() -> None:
    results = Results()
    results.add(["one", "two"])
    results.put_first(["two"])
    results.close()
    results.add(["two", "one"])
    results.put_first(["one"])
    panel = results.panel(80, 1)
    assert panel is not None
    assert panel.lines == ["one", "two"]


async def test_the_screen_shows_the_loss_of_a_ship_above_all_contacts() -> None:
    plot = frame(1, view(own=(ship(KITE),)))
    lost = OwnDestroyed(ship=OwnId("S2"), cause="fire")
    told = frame(2, view(Phase.SCAN, slot="A"), *LATER, lost)
    async with full_screen_of((plot, told), SMALL, awaits=("4.plot", "4.scan.A")) as shown:
        await shown.type("ready!")
        panel = shown.board.middle.lists
        assert panel.title == TITLE
        assert panel.lines[0].strip() == "your S2 is DESTROYED (fire)"
