"""The base of every fact."""

import msgspec


class FactBase(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The base of all facts: frozen, by keywords."""
