"""Where a match stands in the phases of its turn, and how it goes on to the next window.

Which phase follows which stands in `sunglare_rules.turn.windows`. SCAN is a window for each
slot: one per side still in play in reverse initiative order, or one for all if slots are sealed.
"""

from functools import lru_cache
from typing import final

import msgspec

from sunglare_protocol.ids import Side, WindowId
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.turn.windows import NEXT

_WINDOWS_KEPT = 2048
"""How many names of windows are kept made."""


@final
class Standing(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Where a match stands: turn, phase, and during SCAN which slot.

    `initiative` lists the sides from the winner on; `slots` are the sides that scan this turn,
    in the order of their slots; `out` are those without a piece in play.
    """

    turn: int
    turns: int
    phase: Phase
    sides: tuple[Side, ...]
    slot: int = 0
    slots: tuple[Side, ...] = ()
    is_sealed: bool = False
    initiative: tuple[Side, ...] = ()
    out: tuple[Side, ...] = ()

    @property
    def window(self) -> WindowId:
        """Return the name of the open window."""
        has_slots = self.phase is Phase.SCAN and not self.is_sealed
        return _window(self.turn, self.phase, self.slot + 1 if has_slots else None)

    @property
    def moved_turn(self) -> int:
        """Return the newest turn whose movement has been made, which ends its PLOT."""
        return self.turn - (self.phase is Phase.PLOT)

    @property
    def slot_side(self) -> Side | None:
        """Return the side whose SCAN slot is open; None outside slots of one side."""
        if self.phase is not Phase.SCAN or self.is_sealed or self.slot >= len(self.slots):
            return None
        return self.slots[self.slot]

    @property
    def asked(self) -> tuple[Side, ...]:
        """Return the sides that have a say in the open window; the others count as locked."""
        slots = self.slots[self.slot : self.slot + 1]
        has_slots = self.phase is Phase.SCAN and not self.is_sealed
        return _asked(self.phase, self.sides, slots if has_slots else (), self.out)

    def takes_orders_of(self, side: Side) -> bool:
        """Return whether `side` has a say in the open window."""
        return side in self.asked


@lru_cache(maxsize=_WINDOWS_KEPT)
def _asked(
    phase: Phase, sides: tuple[Side, ...], slot: tuple[Side, ...], out: tuple[Side, ...]
) -> tuple[Side, ...]:
    if phase is Phase.OVER:
        return ()
    return tuple([side for side in sides if side not in out and (side in slot or not slot)])


@lru_cache(maxsize=_WINDOWS_KEPT)
def _window(turn: int, phase: Phase, slot: int | None) -> WindowId:
    name = f"{turn}.{phase.value}"
    return WindowId(name if slot is None else f"{name}.{slot}")


def end_phase(standing: Standing) -> Standing:
    """Return where the match stands after the open window of this turn has closed.

    After ENGAGE the phase is PLOT of the next turn, whose initiative is not yet drawn.
    """
    replace = msgspec.structs.replace
    last_slot = standing.is_sealed or standing.slot + 1 >= len(standing.slots)
    if standing.phase is Phase.SCAN and not last_slot:
        return replace(standing, slot=standing.slot + 1)
    turn = standing.turn + (standing.phase is Phase.ENGAGE)
    return replace(standing, turn=turn, phase=NEXT[standing.phase], slot=0)


def with_initiative(standing: Standing, order: tuple[Side, ...]) -> Standing:
    """Return `standing` with the initiative of its turn and the SCAN slots that follow from it."""
    slots = tuple(side for side in reversed(order) if side not in standing.out)
    return msgspec.structs.replace(standing, initiative=order, slots=slots)
