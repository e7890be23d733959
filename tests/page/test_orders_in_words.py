"""The page words orders and reviews as the terminal does, and pledges as the library does."""

from collections.abc import Iterator
from typing import Any, TypeVar, cast, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.drawn import TOLD, messages
from builders.terminals import view
from page.nodes import Script
from sunglare_client.text.reviews import idle_lines, loss_line
from sunglare_client.verbs.written import order_text
from sunglare_protocol.messages.answers import Idle, Loss
from sunglare_protocol.orders import Order
from sunglare_protocol.seals import pledge
from sunglare_protocol.words.ladder import Phase

KINDS = get_args(Order)

NAMES = TOLD._replace(letters=st.characters(codec="ascii", categories=("L", "N", "Zs")))
"""Names as scenarios have them."""

Message = TypeVar("Message", bound=msgspec.Struct)


def named(message: Message) -> Message:
    """Return a message in which no name is empty: none of a real match is."""
    return msgspec.convert(_named(msgspec.to_builtins(message)), type(message))


def _named(value: Any) -> Any:
    match value:
        case "":
            return "x"
        case dict():
            return {key: _named(one) for key, one in value.items()}
        case list() | tuple():
            return [_named(one) for one in value]
        case _:
            return value


def drawn(kind: type[Message]) -> st.SearchStrategy[Message]:
    """Return a strategy for messages of a class, as those of a match are."""
    return cast("st.SearchStrategy[Message]", messages(kind, NAMES)).map(named)


def with_body(loss: Loss) -> Loss:
    """Return a loss that names the body, as each does that strikes one."""
    return loss if loss.body else msgspec.structs.replace(loss, body="Ceres")


@pytest.fixture(scope="module")
def writer() -> Iterator[Script]:
    """Run the script that answers with the words of the page."""
    script = Script("written.mjs")
    yield script
    script.close()


@given(orders=st.tuples(*(drawn(kind) for kind in KINDS)))
def test_page_and_terminal_write_the_same_line_for_every_kind_of_order(
    writer: Script, orders: tuple[Order, ...]
) -> None:
    lines = [line.split() for line in writer.answer(["orders", orders])]
    assert lines == [order_text(order).split() for order in orders]


@given(losses=st.lists(drawn(Loss).map(with_body)))
def test_page_and_terminal_say_the_same_of_every_loss(writer: Script, losses: list[Loss]) -> None:
    assert writer.answer(["losses", losses]) == [loss_line(loss) for loss in losses]


@given(
    idle=st.lists(drawn(Idle)),
    phase=st.sampled_from([Phase.PLOT, Phase.SCAN, Phase.DETECT, Phase.ENGAGE]),
)
def test_page_and_terminal_say_the_same_of_what_is_left_undone(
    writer: Script, idle: list[Idle], phase: Phase
) -> None:
    by_terminal = idle_lines(tuple(idle), view(phase))
    assert writer.answer(["idle", {"idle": idle, "phase": phase}]) == by_terminal


@given(entropy=st.binary(max_size=300))
def test_the_page_pledges_entropy_as_the_library_does(writer: Script, entropy: bytes) -> None:
    assert writer.answer(["pledge", list(entropy)]) == pledge(entropy)
