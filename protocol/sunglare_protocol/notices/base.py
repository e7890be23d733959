"""The base of every notice."""

import msgspec

__all__ = [
    "NoticeBase",
]


class NoticeBase(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="t", gc=False
):
    """The base of all notices: `t` names the kind, defaults are left out."""
