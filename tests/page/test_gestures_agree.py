"""The same gesture on the page and in the terminal gives the same command."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.test_ground_pointing import PLACES
from client.test_ground_pointing import pointer_of as ground_pointer_of
from client.test_pointing import VIEWS, planned, pointer_of
from page.nodes import Script
from sunglare_client.command import Give
from sunglare_client.fullscreen.pointing.ground_pointing import ground_meaning
from sunglare_client.fullscreen.pointing.pointing import line_at
from sunglare_client.terminal.input.parser import parse
from sunglare_protocol.messages.answers import Sheet
from sunglare_protocol.orders import Order
from sunglare_protocol.surface import Site
from sunglare_protocol.views import View
from sunglare_protocol.words.scans import ScanSize
from sunglare_rules.advice.sheets.sheet import sheet

SIZES = tuple(ScanSize)


@pytest.fixture(scope="module")
def page() -> Iterator[Script]:
    """Run the script that answers with what the page would order."""
    script = Script("gestures.mjs")
    yield script
    script.close()


def plain(orders: object) -> list[Order]:
    """Return orders, be they as the page has them, one after the other by their kinds."""
    found = msgspec.convert(msgspec.to_builtins(orders), tuple[Order, ...])
    return sorted(found, key=repr)


def meant_by(page: Script, seen: View, piece: str, **fields: object) -> dict[str, list[Any]]:
    """Return what the page would order with a piece."""
    told = sheet(seen, piece)
    assert isinstance(told, Sheet)
    asked = {"sheet": told, "view": seen, "size": "1box", "place": (0, 0), **fields}
    answered: dict[str, list[Any]] = page.answer(asked)
    return answered


@given(VIEWS, st.data())
def test_what_the_terminal_orders_by_a_gesture_the_page_offers_for_it(
    page: Script, seen: View, data: st.DataObject
) -> None:
    pointer = pointer_of(seen, (), data)
    line = line_at(seen, pointer)
    # The page leaves out what is of no use where no class has a cloak.
    is_in_vain = "listen" in line or "sweep" in line
    if pointer.own is None or not line or (is_in_vain and not seen.cloak_rules.cloaks):
        return
    orders = plain(planned(seen, (), line))
    size = SIZES[pointer.size].value
    told = meant_by(page, seen, pointer.own, size=size, place=pointer.square)
    # The terminal turns a ship towards a place, the page lists the ways to face of each end.
    kinds = ("here", "lists", "all") if pointer.way == "face" else ("here", "lists")
    offers = [plain(one) for kind in kinds for one in told[kind]]
    assert orders in offers, line


@given(PLACES, st.data())
def test_what_the_terminal_orders_on_a_surface_the_page_offers_there(
    page: Script, place: tuple[View, Site], data: st.DataObject
) -> None:
    seen, site = place
    pointer = ground_pointer_of(seen, site, (), data)
    line = ground_meaning(seen, pointer).line
    if pointer.own is None or not line:
        return
    orders = plain(planned(seen, (), line))
    told = meant_by(page, seen, pointer.own, place=pointer.cell, site=site)
    # A sheet leaves out requests for data that are out of reach at worst.
    if line.startswith("probe") and orders not in [plain(one) for one in told["all"]]:
        return
    offers = [plain(one) for kind in ("here", "lists") for one in told[kind]]
    assert orders in offers, line


@given(VIEWS, st.data())
def test_the_line_that_the_page_writes_for_an_entry_is_its_command_in_the_terminal(
    page: Script, seen: View, data: st.DataObject
) -> None:
    pointer = pointer_of(seen, (), data)
    if pointer.own is None:
        return
    size = SIZES[pointer.size].value
    told = meant_by(page, seen, pointer.own, size=size, place=pointer.square)
    pairs = [pair for pair in zip(told["all"], told["lines"], strict=True) if pair[0]]
    for orders, lines in data.draw(st.lists(st.sampled_from(pairs), max_size=5)) if pairs else ():
        assert plain(typed(seen, lines)) == plain(orders)


def typed(seen: View, lines: list[str]) -> tuple[Order, ...]:
    """Return the orders that lines give in the terminal."""
    given: tuple[Order, ...] = ()
    for line in lines:
        command = parse(line, seen, given)
        assert isinstance(command, Give), line
        given += command.orders
    return given
