"""The page on views in Python: every field is on it, and every number and text has its unit."""

import enum

import msgspec
import pytest

from documents.doctables import VIEW, tables_in
from documents.viewfields import UNITS, classes, hints, is_bare, python_type
from sunglare_protocol.ids import OwnId
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.words.ladder import Phase

BARE = [
    f"{kind.__name__}.{name}"
    for kind in classes()
    for name, hint in hints(kind).items()
    if is_bare(hint)
]
"""The fields of numbers and texts of which the type does not say what they count."""


def test_every_number_and_text_of_a_view_has_its_unit_on_the_page() -> None:
    table = tables_in(VIEW)["view fields"]

    def has_its_unit(field: str) -> bool:
        kind, _, name = field.partition(".")
        section = table.partition(f"### {kind}\n")[2].partition("\n### ")[0]
        rows = [line for line in section.splitlines() if line.startswith(f"| `{name}` |")]
        return len(rows) == 1 and rows[0].endswith(f"| {UNITS[field]} |")

    assert len(BARE) > 100
    assert not [field for field in BARE if not has_its_unit(field)]


def test_no_unit_is_that_of_a_field_which_no_view_has() -> None:
    assert set(UNITS) == set(BARE)


def test_the_page_has_every_class_that_a_view_may_hold() -> None:
    assert {View, OwnView, ContactView, Phase} <= set(classes())
    page = tables_in(VIEW)
    for kind in classes():
        if issubclass(kind, enum.Enum):
            assert f"| {kind.__name__} |" in page["view words"]
        else:
            assert f"### {kind.__name__}\n" in page["view fields"]
    assert not [
        kind for kind in classes() if not issubclass(kind, msgspec.Struct | enum.Enum | tuple)
    ]


@pytest.mark.parametrize(
    ("hint", "written"),
    [
        (OwnId, "OwnId"),
        (int | None, "int | None"),
        (tuple[str, ...], "tuple[str, ...]"),
        (dict[Phase, int], "dict[Phase, int]"),
    ],
)
def test_types_are_written_as_in_python(hint: object, written: str) -> None:
    assert python_type(hint) == written
