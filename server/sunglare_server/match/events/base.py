"""The base of every event."""

import msgspec


class EventBase(msgspec.Struct, frozen=True, kw_only=True, tag_field="t", gc=False):
    """The base of all events: frozen, by keywords, each with its name as a tag."""
