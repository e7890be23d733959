"""The phases of a turn: what follows what, which orders they take, and the slots of SCAN."""

from itertools import permutations

import pytest
from msgspec.structs import replace

from builders.truths import A, B, C, D
from sunglare_protocol.ids import SIDES, Side
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.turn.windows import ALLOWED, NEXT
from sunglare_server.match.clock.phases import Standing, end_phase, with_initiative

PLOT_ORDERS = """
    Deploy Turn Thrust Power Sensors Cloak Rotate Land Lift Launch Aim
    Station Move Walk GoAboard StepOut Mission Stand
"""


def standing(phase: Phase, **fields: object) -> Standing:
    """Return a window of turn 3, with the fields given changed."""
    return replace(Standing(turn=3, turns=20, phase=phase, sides=SIDES), **fields)


@pytest.mark.parametrize(
    ("phase", "follows"),
    [
        (Phase.PLOT, Phase.SCAN),
        (Phase.SCAN, Phase.DETECT),
        (Phase.DETECT, Phase.ENGAGE),
        (Phase.ENGAGE, Phase.PLOT),
        (Phase.OVER, Phase.OVER),
    ],
    ids=lambda phase: phase.value,
)
def test_the_four_windows_follow_one_another_and_the_end_is_the_end(
    phase: Phase, follows: Phase
) -> None:
    assert NEXT[phase] is follows


def test_both_tables_have_a_row_for_every_phase() -> None:
    assert set(NEXT) == set(ALLOWED) == set(Phase)


@pytest.mark.parametrize(
    ("phase", "kinds"),
    [
        (Phase.PLOT, PLOT_ORDERS),
        (Phase.SCAN, "Scan"),
        (Phase.DETECT, "Listen Sweep Probe"),
        (Phase.ENGAGE, "Fire Hold Bombard Defend Search"),
        (Phase.OVER, ""),
    ],
    ids=lambda value: value.value if isinstance(value, Phase) else "",
)
def test_each_window_takes_its_own_orders(phase: Phase, kinds: str) -> None:
    assert {kind.__name__ for kind in ALLOWED[phase]} == set(kinds.split())


def test_every_kind_of_order_has_exactly_one_window() -> None:
    kinds = [kind for row in ALLOWED.values() for kind in row]
    assert len(kinds) == len(set(kinds)) == 27


@pytest.mark.parametrize("order", list(permutations(SIDES))[::5])
def test_scan_slots_come_in_reverse_initiative_order(order: tuple[Side, ...]) -> None:
    drawn = with_initiative(standing(Phase.PLOT), order)
    assert drawn.initiative == order
    assert drawn.slots == tuple(reversed(order))


def test_a_side_that_is_out_has_no_scan_slot() -> None:
    drawn = with_initiative(standing(Phase.PLOT, out=(C,)), (B, C, A, D))
    assert drawn.slots == (D, A, B)


def test_the_slots_open_one_after_the_other_each_a_window_of_its_own() -> None:
    now = standing(Phase.SCAN, slots=(D, A, B))
    seen = []
    while now.phase is Phase.SCAN:
        seen.append((now.window, now.slot_side))
        now = end_phase(now)
    assert seen == [("3.scan.1", D), ("3.scan.2", A), ("3.scan.3", B)]
    assert (now.phase, now.window, now.slot) == (Phase.DETECT, "3.detect", 0)


def test_sealed_slots_are_one_window_for_all() -> None:
    now = standing(Phase.SCAN, slots=(D, C, B, A), is_sealed=True)
    assert now.window == "3.scan"
    assert now.slot_side is None
    assert all(now.takes_orders_of(side) for side in SIDES)
    assert end_phase(now).phase is Phase.DETECT


@pytest.mark.parametrize(
    ("phase", "name"),
    [
        (Phase.PLOT, "3.plot"),
        (Phase.SCAN, "3.scan.1"),
        (Phase.DETECT, "3.detect"),
        (Phase.ENGAGE, "3.engage"),
        (Phase.OVER, "3.over"),
    ],
    ids=lambda value: value.value if isinstance(value, Phase) else "",
)
def test_a_window_is_called_by_turn_and_phase(phase: Phase, name: str) -> None:
    assert standing(phase, slots=(B, A)).window == name


def test_only_the_side_of_the_slot_has_a_say_in_it() -> None:
    now = standing(Phase.SCAN, slots=(B, A), slot=1)
    assert [side for side in SIDES if now.takes_orders_of(side)] == [A]


@pytest.mark.parametrize("phase", [Phase.PLOT, Phase.DETECT, Phase.ENGAGE])
def test_a_sealed_window_asks_every_side_that_has_pieces(phase: Phase) -> None:
    now = standing(phase, out=(B,))
    assert [side for side in SIDES if now.takes_orders_of(side)] == [A, C, D]


def test_nobody_has_a_say_after_the_end() -> None:
    now = standing(Phase.OVER)
    assert not any(now.takes_orders_of(side) for side in SIDES)


def test_a_new_turn_begins_after_engage_and_only_then() -> None:
    turns = {phase: end_phase(standing(phase, slots=(A,))).turn for phase in Phase}
    assert turns == {Phase.PLOT: 3, Phase.SCAN: 3, Phase.DETECT: 3, Phase.ENGAGE: 4, Phase.OVER: 3}
