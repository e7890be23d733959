"""The words of the wire: each is called in the code as it is sent, with few exceptions."""

import enum
import importlib
import pkgutil

import sunglare_protocol

SENT_OTHERWISE = {
    "Code": "a code names its group and what is wrong, with a slash between",
    "Compass": "letters of the compass",
    "FireMode": "the book's short names, a2g and its like",
    "Form": "names of subprotocols",
    "ScanSize": "sizes as they are typed",
    "Special": "the book's abbreviations",
    "WeaponKind": "three weapons by their full names",
}
"""Kinds of words whose names in the code are others, with the reason."""

WORDS = [
    kind
    for module in pkgutil.walk_packages(sunglare_protocol.__path__, "sunglare_protocol.")
    for kind in vars(importlib.import_module(module.name)).values()
    if isinstance(kind, type) and issubclass(kind, enum.Enum) and kind.__module__ == module.name
]


def test_a_word_of_the_wire_has_its_own_name_in_the_code() -> None:
    assert len(WORDS) > 50
    otherwise = [
        kind.__name__ for kind in WORDS if any(word.value != word.name.lower() for word in kind)
    ]
    assert sorted(otherwise) == sorted(SENT_OTHERWISE)
