"""Orders that are given again say which of them stand already, and why others cannot."""

from msgspec.structs import replace

from builders.terminals import KITE, MOTH, S1, view
from client.test_remembered_orders import HABIT, SAME, at_turn, desk_at, opened, told
from sunglare_client.command import Problem
from sunglare_client.terminal.input.parser import parse
from sunglare_client.terminal.wanting import ALL_PLANNED, NONE_AGAIN
from sunglare_protocol.geometry import Square
from sunglare_protocol.orders import Turn
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.scans import ScanType
from sunglare_rules.advice.check.check import check


def test_what_is_planned_already_is_called_so_by_scan_again() -> None:
    ships = (replace(KITE, habit=HABIT), replace(MOTH, habit=replace(HABIT, at=Square(1, 1))))
    seen = view(Phase.SCAN, slot="A", own=ships[:1])
    for planned_scan in (SAME, replace(SAME, sense=False)):
        found = parse("scan again", seen, (planned_scan,))
        assert isinstance(found, Problem)
        assert "scan S1 mass 1sq 7,27 (already planned)" in found.wrong
    other = replace(SAME, type=ScanType.IR)
    found = parse("scan again", seen, (other,))
    assert isinstance(found, Problem)
    refused = check(seen, (other, SAME))
    assert refused is not None
    assert refused.text in found.wrong
    assert "planned" not in found.wrong


def test_what_is_planned_already_is_called_so_by_as_before() -> None:
    session = desk_at(view())
    told(session, "turn S1 +1", "turn S2 -1")
    opened(session, at_turn(view(), 5))
    told(session, "turn S1 +1")
    assert "already planned: turn S1 +1" in told(session, "as before")
    assert told(session, "as before").splitlines() == [
        ALL_PLANNED,
        "  already planned: turn S1 +1",
        "  already planned: turn S2 -1",
    ]


def test_as_before_says_why_an_order_is_not_given_again() -> None:
    session = desk_at(view())
    told(session, "turn S1 +1")
    opened(session, at_turn(view(), 5))
    told(session, "turn S1 -1")
    refused = check(session.view, (*session.plan, Turn(ship=S1, steps=1)))
    assert refused is not None
    none, reason = told(session, "as before").splitlines()
    assert none == NONE_AGAIN
    assert reason == f"  not again: turn S1 +1 ({refused.text})"
