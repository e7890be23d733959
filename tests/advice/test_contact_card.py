"""The cards on a foreign piece in space, line by line."""

import pytest
from msgspec.structs import replace

from builders.sections import cited, lines
from builders.views import C1, ON_CERES, S1, S2, contact, own_ship, view
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.views import ContactView, OwnView, TrackersView
from sunglare_protocol.words.dossiers import Dossier
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.scans import Echo
from sunglare_rules.advice.cards.why import look, why


def facts(seen: ContactView, *ships: OwnView) -> tuple[str, ...]:
    """Return the lines of what is known of a contact."""
    return lines(look(view(Phase.ENGAGE, *ships, contacts=(seen,)), seen.label))


def reasons(seen: ContactView) -> tuple[str, ...]:
    """Return the lines of why it is known."""
    return lines(why(view(Phase.ENGAGE, contacts=(seen,)), seen.label))


HELD = ("Contact, as of turn 3.", "At 7,22 (box B5).")
BLIP = "A blip: neither side nor type is known."
# Five squares straight ahead are 100 mm, and 60 mm between two small bases.
AHEAD = (
    "From S1: range 1, in front, arcs front 1, full front 1, bullseye 1. X-Wing 2.0, arc and "
    "range (arcs §2)."
)


def test_the_card_of_a_blip_has_these_lines_and_no_more() -> None:
    assert facts(contact()) == (*HELD, BLIP, AHEAD)


@pytest.mark.parametrize(
    ("side", "type_", "line"),
    [
        (None, None, BLIP),
        (Side("B"), None, "Side B, type unknown."),
        (None, "raider", "Side unknown, type raider."),
        (Side("B"), "raider", "Side B, type raider."),
    ],
)
def test_a_contact_is_a_blip_as_long_as_neither_side_nor_type_is_known(
    side: Side | None, type_: str | None, line: str
) -> None:
    assert facts(contact(side=side, type=type_)) == (*HELD, line, AHEAD)


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({}, "Scanned in turn 2: mk2, damage 0, heat 0, move 0 by none."),
        (
            {"damage": 1, "heat": 2, "move": 4, "modes": ("thrust", "jump"), "ecm": True},
            "Scanned in turn 2: mk2, damage 1, heat 2, move 4 by thrust, jump, jammer on.",
        ),
        ({"ecm": False}, "Scanned in turn 2: mk2, damage 0, heat 0, move 0 by none, jammer off."),
    ],
    ids=["no jammer", "a jammer that works", "one that does not"],
)
def test_what_a_data_scan_told_stands_on_the_card(fields: dict[str, object], line: str) -> None:
    scanned = Dossier(turn=2, variant="mk2", **fields)  # type: ignore[arg-type]
    assert facts(contact(dossier=scanned)) == (*HELD, BLIP, line, AHEAD)


def test_only_ships_that_fly_bear_on_a_contact() -> None:
    far = own_ship(id=S2, square=Square(7, 2))
    down = own_ship(id=OwnId("S3"), square=Square(14, 13), landed=ON_CERES)
    found = facts(contact(), own_ship(), down, far)
    assert [line.split(":")[0] for line in found[3:]] == ["From S1", "From S2"]


@pytest.mark.parametrize(
    ("fix", "is_told"),
    [
        (Fix.CONTACT, True),
        (Fix.TRACKED, True),
        (Fix.DETECTED, True),
        (Fix.SOLUTION, True),
        (Fix.COASTING, False),
    ],
)
def test_how_to_identify_it_is_told_of_what_is_held_and_unknown(fix: Fix, is_told: bool) -> None:
    found = reasons(contact(fix=fix))
    assert any(line.startswith("To identify it: ") for line in found) is is_told
    assert len(found) == 2 + is_told
    known = reasons(contact(fix=fix, side=Side("B"), type="raider"))
    assert not any(line.startswith("To identify it: ") for line in known)


def memory(**fields: object) -> ContactView:
    """Return a marker of turn 2 in turn 3: without a handle, and bare but for the fields."""
    bare = contact(fix=Fix.MEMORY, handle=None, turn=2, signatures=())
    return replace(bare, **fields)


MOVING = {"vector": Vector(1, 0)}
TRACKED = {**MOVING, "facing": Compass.N, "size": Echo.MEDIUM}
HUNTED = {"trackers": TrackersView(), "handle": C1}
LOST = "scans missed it in two turns, it cloaked, or the trackers on it ran empty"

MEMORIES: dict[str, tuple[dict[str, object], str, str]] = {
    "a shot": ({}, "its own fire showed its square", "A shot is no hold"),
    "a contact": (
        {"signatures": ("visual_hull",)},
        "it was a contact then",
        "A contact ends with its turn",
    ),
    "a track": (TRACKED, "it was held then, place and motion", LOST),
    "a hunted ship": (
        HUNTED,
        "a cloaked ship, found last then",
        "A find holds for its turn alone",
    ),
    "one that landed": ({**MOVING, "landed": ON_CERES}, "it was held then", "It has landed"),
    "a wreck": (
        {"signatures": ("radar",), "fate": Fate.DESTROYED},
        "it was a contact then",
        "It is destroyed",
    ),
    "one that left": ({**MOVING, "fate": Fate.ESCAPED}, "it was held then", "It has left the map"),
}


@pytest.mark.parametrize(("fields", "was", "over"), MEMORIES.values(), ids=MEMORIES)
def test_a_memory_says_since_when_what_it_was_and_why_it_is_no_more(
    fields: dict[str, object], was: str, over: str
) -> None:
    found = reasons(memory(**fields))
    (first,) = [line for line in found if line.startswith("Nothing newer is known than of turn 2")]
    assert was in first
    assert sum(over in line for line in found) == 1
    assert all(cited(line) for line in found)
    assert not any("while this hold lasts" in line for line in found)


@pytest.mark.parametrize(
    ("fate", "line"),
    [(Fate.DESTROYED, "It is destroyed."), (Fate.ESCAPED, "It has left the map.")],
)
def test_the_card_of_what_is_gone_says_what_became_of_it(fate: Fate, line: str) -> None:
    assert line in facts(memory(fate=fate))
    assert line not in facts(memory())


def test_the_memory_of_a_hunted_ship_counts_by_both_trackers() -> None:
    found = reasons(memory(trackers=TrackersView(), handle=C1))
    assert sum(line.startswith("Heard by") for line in found) == 2


def test_the_identity_of_a_memory_is_that_of_a_hold_that_is_over() -> None:
    known = reasons(memory(side=Side("B"), type="raider"))
    more = [line for line in known if line not in reasons(memory())]
    (line,) = more
    assert "the next hold of it begins as a blip" in line
    scanned = memory(dossier=Dossier(turn=2, variant="mk2", damage=0, heat=0, move=0, modes=()))
    assert any("A data scan of turn 2 told the rest" in line for line in reasons(scanned))


def test_a_hunted_ship_is_explained_by_both_trackers_and_another_by_none() -> None:
    plain = contact(fix=Fix.DETECTED)
    hunted = contact(fix=Fix.DETECTED, trackers=TrackersView())
    more = [line for line in reasons(hunted) if line not in reasons(plain)]
    assert [line.split(":")[0] for line in more] == ["Heard by several ships", "Heard by one ship"]
    assert all(cited(line) == {"cloak §3"} for line in more)
    assert not any("Heard by" in line for line in reasons(plain))


@pytest.mark.parametrize("alert", [False, True])
def test_agents_are_spoken_of_only_where_an_alert_stands(alert: bool) -> None:
    tracked = contact(fix=Fix.TRACKED, alert=alert)
    assert ("Agents are near it." in facts(tracked)) is alert
    assert any(line.startswith("Agents are near it: ") for line in reasons(tracked)) is alert


@pytest.mark.parametrize("fix", [Fix.CONTACT, Fix.MEMORY])
def test_nothing_is_called_known_of_what_is_only_placed(fix: Fix) -> None:
    assert not any(line.startswith("Known: ") for line in facts(contact(fix=fix)))
    seen = facts(contact(fix=fix, landed=ON_CERES))
    assert "Known: landed on Ceres, sector SW." in seen


def test_the_card_calls_the_ship_that_measures_by_its_id() -> None:
    assert facts(contact(), own_ship(id=S2))[-1] == AHEAD.replace(S1, S2)
