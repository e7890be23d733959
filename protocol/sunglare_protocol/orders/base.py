"""The base of every order."""

from typing import Annotated

import msgspec

from sunglare_protocol.ids import OwnId

ShortName = Annotated[str, msgspec.Meta(max_length=40)]
"""A name inside an order: of a body, a weapon, a turret, a box or an item."""


class OrderBase(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="t", forbid_unknown_fields=True, gc=False
):
    """The base of all orders: `t` names the kind, `ship` the own piece that takes it."""

    ship: OwnId
