"""What the objects at outlets hold, all of them that live: never a runner, a truth or an intel.

Looked at are the attributes of every object whose class stands in a module through which things
leave the server, and what lies in their containers, closures and bound methods. What belongs to
the host or the rules is a border: it may be held, and is not looked into, unless it is one of
those that nothing outside may hold.
"""

import functools
import gc
import types
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

OUTLETS: Final = (
    "sunglare_server.gateway",
    "sunglare_server.api",
    "sunglare_server.ops",
    "sunglare_server.worker",
    "sunglare_server.transport",
    "sunglare_server.gateway.remote",
    "sunglare_server.gateway_app",
    "sunglare_server.runtime.match_handle",
    "sunglare_server.runtime.spectator_fanout",
    "sunglare_server.runtime.subscriptions",
    "sunglare_server.rooms.listing",
    "sunglare_server.runtime.encoded_message",
    "sunglare_server.runtime.timing",
    "sunglare_server.runtime.turn_notifier",
    "sunglare_server.accounts.webhooks",
    "sunglare_gym",
)
"""The modules, and the packages with all in them, whose objects stand at outlets."""

HIDDEN: Final = (
    "sunglare_server.runtime.runner",
    "sunglare_server.runtime.batch",
    "sunglare_server.runtime.feeds",
    "sunglare_server.match.state",
    "sunglare_server.match.truth",
    "sunglare_server.match.intel",
    "sunglare_server.match.events",
    "sunglare_server.match.facts",
    "sunglare_arena.livematch",
)
"""The modules whose objects hold what nobody outside may know."""

HARMLESS: Final = frozenset({"sunglare_server.match.state.Taken"})
"""What stands in one of these modules and is told: the answer to a command."""

ALLOWED: Final = {
    "sunglare_server.runtime.match_handle.MatchHandle._runner": "it gives out what was released",
    "sunglare_server.runtime.subscriptions.Subscriptions._runners": "it puts lines to feeds",
    "sunglare_gym.table.GymTable._live": "an environment plays its match in its own process",
}
"""The attributes that may hold it, and why."""

DEEP: Final = 6
"""How far containers, closures and calls are followed from one attribute."""

_PLAIN: Final = (str, bytes, int, float, bool, type(None), type, types.ModuleType)


def is_of(kind: type, modules: tuple[str, ...]) -> bool:
    """Return whether a class stands in one of these modules, or in a package among them."""
    return _is_within(str(kind.__module__), modules)


@functools.cache
def _is_within(module: str, modules: tuple[str, ...]) -> bool:
    return any(f"{module}.".startswith(f"{outer}.") for outer in modules)


def living() -> list[object]:
    """Return all objects at outlets that live in this process."""
    return [found for found in gc.get_objects() if is_of(type(found), OUTLETS)]


def attributes(holder: object) -> Iterator[tuple[str, object]]:
    """Yield the attributes of an object: those of its own, and of its slots."""
    own = getattr(holder, "__dict__", {})
    if isinstance(own, Mapping):
        yield from list(own.items())
    for kind in type(holder).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        names = (slots,) if isinstance(slots, str) else tuple(slots)
        for name in names:
            if name not in own and hasattr(holder, name):
                yield name, getattr(holder, name)


def hidden_in(value: object, deep: int = DEEP) -> Iterator[str]:
    """Yield the classes of what is hidden in a value, and of nothing that lies beyond a border."""
    kind = type(value)
    if isinstance(value, _PLAIN):
        return
    if is_of(kind, HIDDEN):
        name = f"{kind.__module__}.{kind.__qualname__}"
        if name not in HARMLESS:
            yield name
        return
    if deep > 0:
        for part in _parts(value):
            yield from hidden_in(part, deep - 1)


def _parts(value: object) -> Iterable[Any]:
    match value:
        case dict():
            return [*value, *value.values()]
        case list() | tuple() | set() | frozenset() | deque():
            return list(value)
        case functools.partial():
            return [value.func, *value.args, *value.keywords.values()]
        case types.MethodType():
            return [value.__self__, *_parts(value.__func__)]
        case types.FunctionType():
            return [*_closed_over(value), *(value.__defaults__ or ())]
        case _:
            return ()


def _closed_over(function: types.FunctionType) -> Iterator[object]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:
            # It is empty until what it names is made.
            continue


def leads(holders: Iterable[object]) -> set[str]:
    """Return the attributes through which these objects lead to what is hidden, and to what."""
    found = set()
    for holder in holders:
        kind = type(holder)
        for name, value in attributes(holder):
            where = f"{kind.__module__}.{kind.__qualname__}.{name}"
            if where not in ALLOWED:
                found |= {f"{where}: {hidden}" for hidden in hidden_in(value)}
    return found
