"""The shape of a row of the disclosure ledger."""

from typing import final

import msgspec


@final
class Row(msgspec.Struct, frozen=True, gc=False):
    """One permission: in `event`, an audience as `role` may be told `fact` with `fields`."""

    event: str
    role: str
    fact: str
    fields: tuple[str, ...]
    condition: str
    source: str
