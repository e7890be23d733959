"""Every notice and every field of a notice is told in some test: none stands there unproved.

That every row of the ledger is used, with every field it names, is shown in test_ledger.py.
"""

import itertools
from collections import defaultdict
from collections.abc import Iterator
from random import Random

import msgspec

from builders.ground import SITE
from builders.hunts import hider
from builders.learned import contact, flow_of, granted, intel_of, run, stepped_hunt, tracked
from builders.ledger import in_situations
from builders.perceived import LANDING, TWO
from builders.played import rig
from builders.scenarios import scenarios
from builders.truths import A1, A, B, ship, truth_of
from documents.wiretables import NOTICES
from documents.wirewords import tag
from sunglare_protocol.ids import PUBLIC
from sunglare_protocol.notices import SearchResult
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.events.cloak import HuntEnded
from sunglare_server.match.events.space import TurnEnded

MATCHES = [
    ("siege", 9),
    ("siege", 3),
    ("stalk-2", 0),
    ("hunt", 7),
    ("garrison", 2),
    *itertools.product(("parade", "stalk-3", "duel", "hunt", "siege", "garrison"), range(4)),
]
"""Matches by scenario and seed: the first ones tell everything, the others are for when they
cease to."""

KINDS = tuple(kind for kinds in NOTICES.values() for kind in kinds)
FIELDS = {kind: {field.name for field in msgspec.structs.fields(kind)} for kind in KINDS}


def told_by_hand() -> Iterator[msgspec.Struct]:
    """Yield the notices that the samples of events grant as they are."""
    for truth, event in in_situations():
        for grant in granted(truth, event):
            notice = getattr(grant.fact, "notice", None)
            if notice is not None:
                yield notice


def told_of_a_hunt() -> Iterator[msgspec.Struct]:
    """Yield what is heard of a hunt whose trail goes cold, which random matches rarely see."""
    truth = truth_of(hider(A, 1, (10, 10), 3), ship(B, at=(12, 10)))
    found = stepped_hunt(A1, B, Fix.DETECTED)
    flow = flow_of(truth)
    run(flow, found, TurnEnded(turn=1), HuntEnded(side=B, piece=A1, quarry=found.quarry))
    yield from intel_of(flow, B).told


def told_of_a_landing() -> Iterator[msgspec.Struct]:
    """Yield what is heard of a tracked ship that lands, which random matches rarely see."""
    flow = flow_of(TWO)
    flow.run([contact(A1, B), tracked(A1, B)])
    flow.run([LANDING])
    yield from intel_of(flow, B).told


def told_in_play(name: str, seed: int) -> Iterator[msgspec.Struct]:
    """Yield the notices of a random match, those among them that intel makes of what it learns."""
    match, rng = rig(scenarios()[name], seed, PUBLIC, contact_values="yes"), Random(seed)
    while not match.state.is_over:
        match.play(rng, 1)
        for intel in match.state.intel.values():
            yield from intel.told


def untold() -> dict[str, set[str]]:
    """Return the kinds of notices that nothing tells, or not with these fields."""
    found: dict[type, set[str]] = defaultdict(set)
    missing = FIELDS
    matches = (told_in_play(name, seed) for name, seed in MATCHES)
    for notices in (told_by_hand(), told_of_a_hunt(), told_of_a_landing(), *matches):
        for notice in notices:
            found[type(notice)].update(fields_set(notice))
        missing = {
            kind: fields - found.get(kind, set())
            for kind, fields in FIELDS.items()
            if kind not in found or not fields <= found[kind]
        }
        if not missing:
            break
    return {tag(kind): fields for kind, fields in missing.items()}


def fields_set(notice: msgspec.Struct) -> list[str]:
    """Return the fields of a notice that tell something: the others are left out on the wire."""
    shown = msgspec.to_builtins(notice)
    fields = msgspec.structs.fields(notice)
    return [field.name for field in fields if field.encode_name in shown]


def test_every_field_of_every_notice_is_told_in_some_test() -> None:
    assert untold() == {}


def test_a_field_that_nothing_sets_does_not_count_as_told() -> None:
    quiet = SearchResult(site=SITE, side=B, value=1)
    assert "event" not in fields_set(quiet)
    assert "event" in fields_set(msgspec.structs.replace(quiet, event=True))
