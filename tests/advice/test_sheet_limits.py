"""The length of a sheet and its reckoned cost: bounded, and told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json, msgpack
from msgspec.structs import replace

from builders.orders import read
from builders.sheets import PLAYED, offered, played_views
from builders.views import BOARD, own_ship, view, views
from sunglare_protocol.geometry import BOARD_BOXES_MOST
from sunglare_protocol.messages.answers import ANSWER_BYTES, Sheet
from sunglare_protocol.messages.commands import Question
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.answer import answer
from sunglare_rules.advice.legal.legal import legal
from sunglare_rules.advice.seen.lookup import own_ids
from sunglare_rules.advice.sheets.cost import SHEET_POINTS, SINGLE_POINTS, question_cost
from sunglare_rules.advice.sheets.fitting import LISTS, fitting, fitting_orders
from sunglare_rules.advice.sheets.sheet import sheet

LARGEST = replace(
    view(Phase.SCAN, own_ship(), slot="A"),
    board=replace(BOARD, columns=BOARD_BOXES_MOST, rows=BOARD_BOXES_MOST),
)
"""A view of the largest map there may be, in a window in which a ship may scan all of it."""


def sheet_of(seen: View) -> Sheet:
    """Return the sheet of the first own ship."""
    found = sheet(seen, seen.own[0].id)
    assert isinstance(found, Sheet)
    return found


# The length.


def test_a_sheet_of_the_largest_map_is_cut_to_an_answer_and_says_what_is_left_out() -> None:
    told = sheet_of(LARGEST)
    assert len(json.encode(told)) <= ANSWER_BYTES
    assert len(msgpack.encode(told)) <= ANSWER_BYTES
    (cut,) = told.left_out
    # 25 places of one square, 225 of three by three, and every box for both of the others.
    assert (cut.part, cut.count + len(told.places)) == ("places", 250 + 2 * BOARD_BOXES_MOST**2)


@given(views(), st.integers(0, 9_000))
def test_every_list_keeps_its_beginning_and_the_rest_is_counted(seen: View, most: int) -> None:
    for own in own_ids(seen):
        whole = sheet(seen, own)
        assert isinstance(whole, Sheet)
        cut = fitting(whole, most)
        counts = {left.part: left.count for left in cut.left_out}
        for name in LISTS:
            entries, kept = getattr(whole, name), getattr(cut, name)
            assert kept == entries[: len(kept)]
            assert len(entries) - len(kept) == counts.get(name, 0)
        lists = sum(len(json.encode(entry)) + 1 for name in LISTS for entry in getattr(cut, name))
        assert cut == whole or lists <= most
        assert 0 not in counts.values()


@given(views((Phase.PLOT,)), st.integers(0, 4_000))
def test_legal_orders_that_do_not_fit_are_counted(seen: View, most: int) -> None:
    every = legal(seen)
    told = fitting_orders(every, most)
    assert told.orders == every[: len(told.orders)]
    assert told.left_out == len(every) - len(told.orders)
    assert sum(len(json.encode(order)) + 1 for order in told.orders) <= most


# The cost.


@pytest.mark.parametrize("kind", [kind for kind in Question if kind is not Question.SHEET])
def test_every_single_question_costs_the_same(kind: Question) -> None:
    seen = view(Phase.ENGAGE, own_ship())
    assert question_cost(seen, kind, "S1", ()) == SINGLE_POINTS
    assert question_cost(LARGEST, kind, None, read("turn S1 +1")) == SINGLE_POINTS


def test_a_sheet_of_what_is_no_own_piece_costs_what_a_single_question_does() -> None:
    for about in (None, "zzzzzz", *read("turn S1 +1")):
        assert question_cost(LARGEST, Question.SHEET, about, ()) == SINGLE_POINTS


@pytest.mark.parametrize("name", PLAYED)
def test_no_sheet_has_more_in_it_than_its_cost_was_reckoned_for(name: str) -> None:
    for seen in played_views(name):
        for own in own_ids(seen):
            told = answer(seen, Question.SHEET, own)
            assert isinstance(told, Sheet)
            # Scans are tried place by place, whatever their type.
            kinds = len({strength.type for strength in told.scans}) or 1
            entries = len(list(offered(seen, told))) / kinds
            cost = question_cost(seen, Question.SHEET, own, ())
            assert cost >= SHEET_POINTS
            assert entries <= 10 * cost + 100 * len(told.stations)


def test_a_sheet_costs_more_on_a_larger_map_and_beside_orders() -> None:
    small = view(Phase.SCAN, own_ship(), slot="A")
    cost = question_cost(small, Question.SHEET, "S1", ())
    assert question_cost(LARGEST, Question.SHEET, "S1", ()) > cost
    plot = view(Phase.PLOT, own_ship())
    plan = read("turn S1 +1; thrust S1 N N")
    alone = question_cost(plot, Question.SHEET, "S1", ())
    assert question_cost(plot, Question.SHEET, "S1", plan) > alone
