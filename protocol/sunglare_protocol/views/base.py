"""What every view, and every part of one, is made of."""

import msgspec


class ViewBase(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The base of all views: defaults are left out."""
