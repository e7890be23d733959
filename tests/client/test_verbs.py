"""The rows of the command language: each order type has one verb, and each verb is carried out."""

import asyncio
from collections import Counter
from typing import get_args

import pytest

from builders.tables import PostedTable
from builders.terminals import frame, over, screen, typed, view, with_ground
from sunglare_client.command import Act
from sunglare_client.terminal.actions import Action
from sunglare_client.terminal.input.parser import parse
from sunglare_client.terminal.plain import ENDED, Terminal
from sunglare_client.verbs.table import VERBS
from sunglare_client.verbs.verb import Verb
from sunglare_protocol.orders import Order

SEEN = with_ground(view())
DEEDS = {deed.value for deed in Action if deed is not Action.ODDS}
"""What is done by a verb of its name; `odds` is a deed for the orders that have no chances."""


def test_every_order_type_is_written_by_one_verb() -> None:
    kinds = Counter(verb.order.kind for verb in VERBS if verb.order is not None)
    assert kinds == Counter(get_args(Order))


def test_every_deed_has_a_verb_and_every_verb_that_acts_a_deed() -> None:
    doing = Counter(verb.name for verb in VERBS if isinstance(parse(verb.example, SEEN), Act))
    assert doing == Counter(DEEDS)


@pytest.mark.parametrize(
    "verb", [verb for verb in VERBS if verb.name in DEEDS], ids=lambda verb: verb.name
)
async def test_the_terminal_does_what_a_verb_says_that_is_no_order(verb: Verb) -> None:
    shown, paper = screen()
    table = PostedTable((frame(1, SEEN), over()), awaits=("4.plot",))
    line = f"{verb.example} yes" if verb.usage == "[yes]" else verb.example
    terminal = Terminal(table, typed(line, "ready"), shown, script=True)
    async with asyncio.timeout(10):
        assert await terminal.run() == ENDED
    assert f"> {verb.name}" in paper.getvalue()
    assert "E-" not in paper.getvalue()
