"""The disclosure ledger: which event may tell whom what, with the condition and the source.

Theory of operation. The modules of `learn` decide who learns of an event, each in its own way and
each with the truth at hand: the one place at which a slip would send out hidden facts. So what
they may do at all is written down a second time, in tables: one row for each event, role and kind
of fact, with the fields that may be told, the condition in words, and the rule it comes from.
`checked` holds every grant against them as it is made. A grant without a row, or with a field that
its row does not name, is a fault that stops the match before anything is stored or shown.

Roles say what part the hearer has in an event: `all` is every audience; `public` the public feed
in a match of two sides; `omni` the feed of the truth; the others name a side by its part, such as
the owner, the holder of a track, a witness. An event that no audience learns of is listed as
silent, so that a new one can be forgotten nowhere.

The rows are words on purpose: they are read by people, they make the table of the protocol's page,
and the tests read their conditions a second time over the truth alone, from the rule book, and
compare that with who was granted what in every random match.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Final, get_args

import msgspec

from sunglare_protocol.notices import Notice
from sunglare_server.match.events.space import Event
from sunglare_server.match.facts.space import Fact, Grant, Noticed
from sunglare_server.match.ledger.agents import AGENTS_ROWS, AGENTS_SILENT
from sunglare_server.match.ledger.capital import CAPITAL_ROWS
from sunglare_server.match.ledger.ground import GROUND_ROWS, GROUND_SILENT
from sunglare_server.match.ledger.row import Row
from sunglare_server.match.ledger.space import SPACE_ROWS

__all__ = ["ROWS", "SILENT", "LedgerError", "Row", "checked", "fields_told"]


class LedgerError(Exception):
    """A grant that no row allows: a fault of ours."""


ROWS: Final[tuple[Row, ...]] = (*SPACE_ROWS, *GROUND_ROWS, *CAPITAL_ROWS, *AGENTS_ROWS)
"""Every permission there is."""

SILENT: Final[tuple[str, ...]] = (
    "ShipDeployed",
    "PowerSwitched",
    "EcmSwitched",
    "SensorsSwitched",
    "TurretRotated",
    "DamageTaken",
    *GROUND_SILENT,
    *AGENTS_SILENT,
    "RemoteLaunched",
    "ShipHeated",
)
"""Events that show no audience more than the own pieces their owner sees."""

_EVENTS: dict[str, type] = {kind.__name__: kind for kind in get_args(Event)}
_FACTS: dict[str, type] = {kind.__name__: kind for kind in get_args(Fact)}
_HIDDEN_FIELDS = ("piece", "target")
_SHOWN: dict[type, tuple[str, ...]] = {
    kind: tuple(name for name in kind.__struct_fields__ if name not in _HIDDEN_FIELDS)
    for kind in get_args(Fact)
}
_NOTICED = frozenset(get_args(Noticed))
_notice_of: Callable[[Fact], Notice] = attrgetter("notice")
_WITH_OPTIONS = frozenset(kind for kind in get_args(Fact) if kind.__struct_defaults__)
_NOTICES: dict[str, type[msgspec.Struct]] = {kind.__name__: kind for kind in get_args(Notice)}
_ALLOWED = frozenset((_EVENTS[row.event], row.role, _FACTS[row.fact], row.fields) for row in ROWS)
_WITHHELD: dict[tuple[type, str, type, type], tuple[str, ...]] = {
    (_EVENTS[row.event], row.role, _FACTS[row.fact], _NOTICES[row.fields[0]]): tuple(
        name for name in _NOTICES[row.fields[0]].__struct_fields__ if name not in row.fields[1:]
    )
    for row in ROWS
    if issubclass(_FACTS[row.fact], Noticed)
}
"""By event, role, fact and kind of notice the fields of the notice that must not be set."""


def fields_told(fact: Fact) -> tuple[str, ...]:
    """Return the fields that `fact` discloses: all that are set, without the pieces' true ids.

    Of a fact that is a notice they are the kind of the notice and then its fields.
    """
    if isinstance(fact, Noticed):
        notice = fact.notice
        return (type(notice).__name__, *_set_fields(notice, notice.__struct_fields__))
    kind = type(fact)
    return _set_fields(fact, _SHOWN[kind]) if kind in _WITH_OPTIONS else _SHOWN[kind]


def _set_fields(told: msgspec.Struct, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple([name for name in names if getattr(told, name) is not None])


def checked(event: Event, grant: Grant) -> Grant:
    """Return `grant` if a row allows it; raise `LedgerError` otherwise."""
    fact = grant.fact
    is_allowed = _may_notice if type(fact) in _NOTICED else _may_learn
    if not is_allowed(event, grant.role, fact):
        key = (type(event).__name__, grant.role, type(fact).__name__)
        raise LedgerError(f"no row of the ledger allows {key} with {fields_told(fact)}")
    return grant


def _may_notice(event: Event, role: str, fact: Fact) -> bool:
    notice = _notice_of(fact)
    withheld = _WITHHELD.get((type(event), role, type(fact), type(notice)))
    return withheld is not None and not (withheld and _set_fields(notice, withheld))


def _may_learn(event: Event, role: str, fact: Fact) -> bool:
    kind = type(fact)
    fields = _set_fields(fact, _SHOWN[kind]) if kind in _WITH_OPTIONS else _SHOWN[kind]
    return (type(event), role, kind, fields) in _ALLOWED
