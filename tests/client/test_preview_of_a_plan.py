"""Previews of a scan in PLOT: the ship scans as the plan of that PLOT leaves it."""

import pytest
from msgspec.structs import replace

from builders.terminals import KITE, frame, screen, view
from sunglare_client.command import Planned, Preview
from sunglare_client.terminal.input.parser import parse
from sunglare_client.terminal.turn_session import TurnSession
from sunglare_client.text.cards import answer_lines
from sunglare_client.text.places import square_text
from sunglare_protocol.views import OwnView
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.odds.after import after

SCAN = "preview S1 visual 1box D4"
FOLDED = replace(KITE, popped_out=False)


def previewed(ship: OwnView, *lines: str, phase: Phase = Phase.PLOT) -> tuple[TurnSession, str]:
    """Type orders and then a preview; return the desk, and what the preview says."""
    seen = view(phase, own=(ship,), slot="A" if phase is Phase.SCAN else None)
    session = TurnSession(frame(1, seen), seen)
    for line in lines:
        command = parse(line, session.view, session.given)
        assert isinstance(command, Planned), (line, command)
        session.order(command)
    asked = parse(SCAN, session.view, session.given)
    assert isinstance(asked, Preview)
    return session, "\n".join(session.preview(asked, screen()[0]))


@pytest.mark.parametrize(
    ("ship", "orders"),
    [
        pytest.param(FOLDED, ("sensors S1 out",), id="sensors that go out"),
        pytest.param(KITE, (), id="no orders"),
        pytest.param(KITE, ("burn S1 +0,-1",), id="thrust"),
    ],
)
def test_a_ship_with_its_sensors_out_scans_where_it_ends(
    ship: OwnView, orders: tuple[str, ...]
) -> None:
    session, text = previewed(ship, *orders)
    (moved,) = after(session.view, session.plan).own
    assert moved.square != ship.square
    assert f"if you commit scan S1 visual 1box D4 from {square_text(moved.square)}, where" in text
    assert "squares you may stand on" in text


@pytest.mark.parametrize(
    ("ship", "orders"),
    [
        pytest.param(FOLDED, (), id="no orders"),
        pytest.param(KITE, ("sensors S1 in",), id="sensors that are folded"),
        pytest.param(KITE, ("power S1 off",), id="power that is cut"),
        pytest.param(replace(KITE, cloak=True), ("cloak S1 on",), id="a cloak"),
    ],
)
def test_a_ship_that_will_see_nothing_does_not_scan(
    ship: OwnView, orders: tuple[str, ...]
) -> None:
    _, text = previewed(ship, *orders)
    assert text.startswith("E-")


def test_a_ship_that_scans_where_it_stands_is_not_said_to_move() -> None:
    _, text = previewed(KITE, phase=Phase.SCAN)
    assert text.startswith("if you commit scan S1 visual 1box D4:")


def test_why_answer_is_about_the_same_ship_as_the_preview() -> None:
    session, text = previewed(FOLDED, "sensors S1 out")
    assert "effective" in text
    asked = parse(SCAN, session.view, session.given)
    assert isinstance(asked, Preview)
    assert session.why("answer") == answer_lines(after(session.view, session.plan), asked.scan)
    assert session.why("answer") != answer_lines(session.view, asked.scan)


def test_a_preview_may_name_the_order_as_odds_do() -> None:
    seen = view(Phase.SCAN, own=(KITE,), slot="A")
    asked = parse(SCAN, seen)
    assert isinstance(asked, Preview)
    for named in ("preview scan", "odds scan"):
        assert parse(SCAN.replace("preview", named), seen) == asked
