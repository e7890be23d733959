"""Differences between a message that was recorded and the one that came in its place.

Theory of operation. Some values are each server's own: names, secrets, numbers of its clock, and
what the dice decide. Where `FREE` names such a value, it may be any of the same type. For a text
it is noted which one stands for the recorded one: it has to do so from then on, and is said back
in its place. All the rest must be equal: kinds, fields, lengths of lists, and every other value.
"""

from collections.abc import Iterator
from typing import Any, Final

from sunglare_client.conformance.sessions import Message

FREE: Final = frozenset(
    {
        # Who one is, and what one holds.
        "welcome.name",
        "welcome.token",
        "created.match",
        "seated.ticket",
        "seated.commitment",
        "resumed.ticket",
        # What time it is.
        "welcome.time_ms",
        "pong.time_ms",
        "resumed.since_ms",
        "frame.closes_ms",
        "frame.latest_ms",
        "news.closes_ms",
        # What the operator has set.
        "welcome.limits.message_bytes",
        "welcome.limits.orders",
        "welcome.limits.name",
        "welcome.limits.chat",
        "welcome.bots",
        # What the dice decide, and what is made of them.
        "frame.view.stage.initiative",
        "frame.view.record.order",
        "frame.notices.order",
        "over.seed",
        "over.head",
    }
)
"""The values that differ from server to server: a kind of message, and the fields to them."""

WORDS: Final = frozenset({"refused.text", "bye.text"})
"""The words for people, which each server may vary each time."""


def kind_of(message: Message) -> str:
    """Return the kind of a message."""
    return str(message.get("t", "a message without t"))


def differences(due: Message, came: Message, known: dict[str, str]) -> Iterator[str]:
    """Yield what differs between the message that is due and the one of its kind that came.

    `known` has for texts of the recorded server what this one has in their place; more is noted.
    """
    yield from _differ(due, came, kind_of(due), "$", known)


def put_in(value: Any, known: dict[str, str]) -> Any:
    """Return a value with what the recorded server had replaced by what this one has."""
    if isinstance(value, str):
        return known.get(value, value)
    if isinstance(value, dict):
        return {key: put_in(part, known) for key, part in value.items()}
    return [put_in(part, known) for part in value] if isinstance(value, list) else value


def _differ(due: Any, came: Any, path: str, at: str, known: dict[str, str]) -> Iterator[str]:
    if type(due) is not type(came):
        yield f"{at}: {_type(due)} was due, {_type(came)} came"
    elif path in WORDS or (path in FREE and not isinstance(due, str)):
        return
    elif path in FREE and due not in known:
        known[due] = came
    elif isinstance(due, dict):
        yield from _maps_differ(due, came, path, at, known)
    elif isinstance(due, list):
        yield from _lists_differ(due, came, path, at, known)
    elif put_in(due, known) != came:
        yield f"{at}: {put_in(due, known)!r} was due, {came!r} came"


def _maps_differ(
    due: Message, came: Message, path: str, at: str, known: dict[str, str]
) -> Iterator[str]:
    for key in due:
        if key not in came:
            yield f"{at}.{key}: missing"
        else:
            yield from _differ(due[key], came[key], f"{path}.{key}", f"{at}.{key}", known)
    yield from (f"{at}.{key}: not due" for key in came if key not in due)


def _lists_differ(
    due: list[Any], came: list[Any], path: str, at: str, known: dict[str, str]
) -> Iterator[str]:
    if len(due) != len(came):
        yield f"{at}: {len(due)} items were due, {len(came)} came"
    for number, (one, other) in enumerate(zip(due, came, strict=False)):
        yield from _differ(one, other, path, f"{at}[{number}]", known)


_TYPES: Final = {dict: "a map", list: "a list", str: "a text", bool: "a boolean", int: "a number"}


def _type(value: object) -> str:
    return _TYPES.get(type(value), "nothing" if value is None else "another value")
