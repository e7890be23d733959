"""The terminal takes every part of an order that RULES.md names, as it stands there."""

import re
from collections.abc import Iterator
from typing import get_args

import pytest
from msgspec import inspect as shapes
from msgspec.structs import replace

from builders.terminals import GUNBOAT, LANCER, S2, VOLLEY, view, with_ground
from documents.classtables import CLASS_COLUMNS
from documents.doctables import RULES, text_of
from documents.indextables import ORDER_SECTIONS, order_verbs
from sunglare_client.command import Act, Give, Preview, ShowMap
from sunglare_client.terminal.input.parser import parse
from sunglare_client.text.rulebook import sections
from sunglare_client.verbs.verb import Verb
from sunglare_protocol.orders import Order
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.turn.windows import ALLOWED
from sunglare_server.match.data.scenario import ShipClass

CODE = re.compile(r"`([^`\n]+)`")

NAMED = frozenset(CODE.findall(text_of(RULES)))
"""All that the rule book has in code style."""

PLOT: dict[str, str] = {
    "aim": "aim M1 9,26",
    "board": "board P1 S1",
    "bound_for": "stand S1 bound_for Ceres",
    "cloak": "cloak S1 on",
    "cloak off": "cloak S1 off",
    "cloak on": "cloak S1 on",
    "cold": "launch S1.M1 7,22 cold",
    "deliver": "mission P1 deliver",
    "deploy": "deploy S1 7,27 cloaked",
    "ecm": "power S1 ecm off",
    "fight": "stand P1 fight fight",
    "flee": "stand P1 fight flee",
    "free": "mission P1 free",
    "hides_by": "stand P1 hides_by P1",
    "land": "land S1 Ceres 1",
    "launch": "launch S1 fighter",
    "leave": "leave P1",
    "lift": "lift S1",
    "mission": "mission P1 spy",
    "move": "move G1 C4 C5",
    "off": "stand S1 bound_for off",
    "power": "power S1 off ecm off",
    "rotate": "rotate S1 T1 left",
    "sabotage": "mission P1 sabotage",
    "screen": "stand P1 fight screen",
    "sensors": "sensors S1 out",
    "spy": "mission P1 spy",
    "stand": "stand P1 wounds P1",
    "station": "station G1 Ceres 1 C4",
    "steal": "mission P1 steal",
    "strike": "stand side strike patrol",
    "thrust": "thrust S1 N",
    "token": "move G1 C4 token",
    "turn": "turn S1 +1",
    "walk": "walk P1 2",
    "wounds": "stand P1 wounds P1",
}
SCAN: dict[str, str] = {
    "1box": "scan S1 ir 1box C5",
    "1sq": "scan S1 ir 1sq 7,27",
    "3box": "scan S1 ir 3box C5",
    "3sq": "scan S1 ir 3sq 7,27",
    "ir": "scan S1 ir 1box C5",
    "scan": "scan S1 ir 1box C5",
    "mass": "scan S1 mass 1box C5",
    "neutrino": "scan S1 neutrino 1box C5",
    "radar": "scan S1 radar 1box C5",
    "sense": "scan S1 visual 1box C5 sense",
    "visual": "scan S1 visual 1box C5",
}
DETECT: dict[str, str] = {
    "listen": "listen S1 off",
    "probe": "probe S1 C3",
    "sweep": "sweep S1",
}
ENGAGE: dict[str, str] = {
    "agents": "search G1 strike agents",
    "all": "defend S1 all",
    "bombard": "bombard S2.C1 Ceres 1 C4",
    "defend": "defend S1 hold",
    "drive": "fire S1.N2 C3 drive",
    "fire": "fire S1.B1 C3",
    "hold": "hold S1.B1",
    "patrol": "search G1 strike patrol",
    "point_defence": "fire S1.N2 C3 point_defence",
    "screens": "fire S1.N2 C3 screens",
    "search": "search G1",
    "weapon": "fire S1.N2 C3 weapon",
}
ASKED: dict[str, str] = {
    "legal": "legal S1",
    "look": "look S1",
    "map": "map S1",
    "preview": "preview S1 ir 1box C5",
}
LINES = [
    (name, phase, line)
    for phase, rows in (
        (Phase.PLOT, PLOT),
        (Phase.SCAN, SCAN),
        (Phase.DETECT, DETECT),
        (Phase.ENGAGE, ENGAGE | ASKED),
    )
    for name, line in rows.items()
]


FITTING = {"burn": "burn S1 +0,-1", "bombard": "bombard S2.C1 Ceres 1 C4"}
"""Lines of the index whose ship faces elsewhere here, or has no such weapon, as they fit here."""


def words_of(shape: shapes.Type) -> Iterator[str]:
    """Yield the words that a field of an order may hold."""
    match shape:
        case shapes.UnionType(types=types):
            for kind in types:
                yield from words_of(kind)
        case shapes.EnumType(cls=cls):
            yield from (str(word.value) for word in cls)
        case shapes.VarTupleType(item_type=item):
            yield from words_of(item)
        case _:
            pass


def parts_of_orders() -> Iterator[str]:
    """Yield the name of every order, of its fields, and of the words that these may hold."""
    for kind in get_args(Order):
        shape = shapes.type_info(kind)
        assert isinstance(shape, shapes.StructType)
        yield str(shape.tag)
        for field in shape.fields:
            yield field.name
            yield from words_of(field.type)


def test_every_part_of_an_order_that_the_rule_book_names_is_tried_here() -> None:
    known = {name for name, _, _ in LINES}
    assert known <= NAMED
    assert sorted((set(parts_of_orders()) & NAMED) - known) == []


@pytest.mark.parametrize(("name", "phase", "line"), LINES, ids=[name for name, _, _ in LINES])
def test_the_terminal_takes_the_words_of_the_rule_book(name: str, phase: Phase, line: str) -> None:
    seen = with_ground(view(phase, own=(LANCER, replace(GUNBOAT, id=S2), VOLLEY)))
    assert set(name.split()) <= set(re.split(r"[ .]", line))
    assert isinstance(parse(line, seen), Give | Preview | ShowMap | Act)


def test_the_index_has_every_order_that_a_window_takes_with_a_section_that_exists() -> None:
    verbs = order_verbs()
    given = {verb.order.kind for verb in verbs if verb.order is not None}
    assert given == {kind for kinds in ALLOWED.values() for kind in kinds}
    assert {verb.name for verb in verbs} == set(ORDER_SECTIONS)
    known = {f"{one.chapter} §{one.number}" for one in sections()}
    named = re.findall(r"[a-z]+ §\d", " ".join(ORDER_SECTIONS.values()))
    assert sorted(set(named) - known) == []


@pytest.mark.parametrize("verb", order_verbs(), ids=lambda verb: verb.name)
def test_the_terminal_takes_the_typed_lines_of_the_index(verb: Verb) -> None:
    kind = verb.aids if verb.order is None else verb.order.kind
    (phase,) = (phase for phase, kinds in ALLOWED.items() if kind in kinds)
    seen = with_ground(view(phase, own=(LANCER, replace(GUNBOAT, id=S2), VOLLEY)))
    assert isinstance(parse(FITTING.get(verb.name, verb.example), seen), Give)


def test_every_field_of_a_ship_class_has_a_column_in_the_table_of_classes() -> None:
    shown = [field for fields, _ in CLASS_COLUMNS.values() for field in fields]
    assert sorted(shown) == sorted(ShipClass.__struct_fields__)
