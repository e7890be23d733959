"""The base of every view, and of every part of one."""

import msgspec


class ViewBase(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The base of all views: defaults are left out."""
