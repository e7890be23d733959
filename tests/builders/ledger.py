"""Every grant of every event in every situation made by hand, against the rows of the ledger."""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import TypeAlias, get_args

import msgspec

from builders.agents import agents_samples, agents_situations
from builders.capital import capital_samples, capital_situations
from builders.ground import ground_samples, ground_situations
from builders.learned import granted, samples
from builders.truths import A1, BOARD, A, B, C, D, holding, ship, truth_of
from sunglare_protocol.notices import Notice
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.events.space import Event
from sunglare_server.match.facts.space import Grant
from sunglare_server.match.ledger.ledger import Row, checked, fields_told
from sunglare_server.match.truth.truth import Truth

VALUES = MatchOptions(contact_values="yes")

NOTICES: dict[str, type[msgspec.Struct]] = {kind.__name__: kind for kind in get_args(Notice)}
"""The kinds of notices by name."""

Key: TypeAlias = tuple[str, str, str, tuple[str, ...]]
"""What a row allows: event, role, kind of fact and fields."""


def key_of(row: Row) -> Key:
    """Return what a row allows."""
    return (row.event, row.role, row.fact, row.fields)


def key_of_grant(event: Event, grant: Grant) -> Key:
    """Return what a row must allow for this grant."""
    return (
        type(event).__name__,
        grant.role,
        type(grant.fact).__name__,
        fields_told(grant.fact),
    )


def situations() -> list[Truth]:
    """Return truths in which A's ship is held in every way, with two sides and with four."""
    two = truth_of(ship(A), ship(B, at=(12, 10)), board=BOARD)
    four = truth_of(ship(A), ship(B, at=(12, 10)), ship(C), ship(D), board=BOARD)
    found = [two, four]
    for truth, side, fix in product((two, four), (B, C), (Fix.CONTACT, Fix.TRACKED, Fix.COASTING)):
        if side in truth.sides:
            found.append(holding(truth, side, A1, fix))
    return found


def in_situations() -> Iterator[tuple[Truth, Event]]:
    """Yield every sample of an event in every situation that it may befall."""
    yield from product(situations(), samples(A1, B))
    yield from product(ground_situations(), ground_samples())
    yield from product(capital_situations(), capital_samples())
    yield from product(agents_situations(), agents_samples())


def by_hand() -> set[Key]:
    """Return what is granted somewhere; a grant without a row raises `LedgerError`.

    Of a notice, whose row names all that may be set, what was set in one grant or another.
    """
    return merged(
        key_of_grant(event, checked(event, grant))
        for truth, event in in_situations()
        for options in (MatchOptions(), VALUES)
        for grant in granted(truth, event, options)
    )


def merged(keys: Iterable[Key]) -> set[Key]:
    """Return the keys, those of one kind of notice in one role of an event made one."""
    found: set[Key] = set()
    notices: dict[tuple[str, ...], set[str]] = {}
    for event, role, fact, fields in keys:
        if _is_notice((event, role, fact, fields)):
            notices.setdefault((event, role, fact, fields[0]), set()).update(fields[1:])
        else:
            found.add((event, role, fact, fields))
    for (event, role, fact, notice), told in notices.items():
        ordered = (name for name in NOTICES[notice].__struct_fields__ if name in told)
        found.add((event, role, fact, (notice, *ordered)))
    return found


def off_the_ledger(rows: Iterable[Row], used: set[Key]) -> set[Key]:
    """Return what the rows allow and nothing grants, and what is granted without a row."""
    return {key_of(row) for row in rows} ^ used


def unruly(rows: Iterable[Row], told: Iterable[Key]) -> set[Key]:
    """Return what is told without a row; of a notice less may be told than its row names."""
    allowed = {key_of(row) for row in rows}
    notices: dict[tuple[str, ...], tuple[str, ...]] = {
        (*key[:3], key[3][0]): key[3] for key in allowed if _is_notice(key)
    }
    return {key for key in told if not (key in allowed or _is_part(key, notices))}


def _is_notice(key: Key) -> bool:
    return bool(key[3]) and key[3][0] in NOTICES


def _is_part(key: Key, notices: dict[tuple[str, ...], tuple[str, ...]]) -> bool:
    return _is_notice(key) and {*key[3]} <= {*notices.get((*key[:3], key[3][0]), ())}
