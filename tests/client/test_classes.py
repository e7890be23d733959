"""Classes of ships by the type as which others identify them: their figures and their worth."""

import pytest
from msgspec.structs import replace

from builders.data import CLASSES
from builders.terminals import CONTACT, view
from sunglare_client.text.cards import card_lines, thing_lines
from sunglare_client.text.classes import class_lines, ship_goals, worth_of
from sunglare_protocol.ids import Side
from sunglare_protocol.words.dossiers import Dossier
from sunglare_protocol.words.ladder import Fate, Fix

B = Side("B")
TYPES = sorted({kind.type_shown for kind in CLASSES.values()})
FRIGATE = replace(CONTACT, side=B, type="frigate")


@pytest.mark.parametrize("type_seen", TYPES)
def test_a_type_is_worth_what_its_classes_are_worth(type_seen: str) -> None:
    points = {kind.points for kind in CLASSES.values() if kind.type_shown == type_seen}
    ends = sorted({min(points), max(points)})
    assert worth_of(type_seen) == " to ".join(map(str, ends))


def test_a_type_that_the_rule_book_does_not_have_has_no_worth_and_no_classes() -> None:
    assert worth_of("galleon") == ""
    assert class_lines(replace(FRIGATE, type="galleon")) == []
    assert class_lines(CONTACT) == []


@pytest.mark.parametrize("type_seen", TYPES)
def test_the_card_has_each_class_that_the_ship_may_be_with_what_it_carries(type_seen: str) -> None:
    heads = class_lines(replace(CONTACT, type=type_seen))[::2]
    kinds = [kind for kind in CLASSES.values() if kind.type_shown == type_seen]
    for head, kind in zip(heads, kinds, strict=True):
        assert head.startswith(f"class {kind.name}, worth {kind.points}: hull {kind.hull},")
        assert ("cloak" in head, "shuttle" in head) == (kind.cloak, kind.shuttle)
        assert (f"bays {kind.bays}" in head) == bool(kind.bays)


def test_after_a_data_scan_the_class_alone_is_on_the_card() -> None:
    scanned = replace(FRIGATE, dossier=Dossier(turn=3, variant="landing-frigate"))
    (head, weapons) = class_lines(scanned)
    assert head.startswith("class landing-frigate, worth 6: hull 20, ")
    assert weapons == "  B1 beam 2, front; P1 torpedo, bullseye; B2 beam 1, turret T1."


def test_a_look_at_an_identified_ship_says_its_worth_and_where_its_class_stands() -> None:
    seen = view(contacts=(replace(FRIGATE, type="raider"),))
    assert thing_lines(seen, FRIGATE.label)[-1] == "  Worth 5; rules raider shows its class."
    assert "worth 5: hull 14" in thing_lines(seen, FRIGATE.label, classes=True)[-2]
    assert thing_lines(view(), "S1") == card_lines(view(), "S1", reasons=False)


def test_the_goals_name_what_is_held_identified_in_play_and_worth_something() -> None:
    decoy = replace(FRIGATE, label="C6", type="decoy")
    gone = replace(FRIGATE, label="C7", fate=Fate.DESTROYED)
    blip = replace(CONTACT, label="C8")
    once = replace(FRIGATE, label="C9", fix=Fix.MEMORY)
    seen = view(contacts=(replace(FRIGATE, type="raider"), decoy, gone, blip, once))
    assert ship_goals(seen) == [f"Destroy {FRIGATE.label}, raider of B: 5 points."]
