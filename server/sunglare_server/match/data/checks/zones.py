"""Faults of the set-up zones of a scenario: keys and what would be right."""

from collections.abc import Iterator

from sunglare_protocol.errors import BoxNameError
from sunglare_protocol.geometry import Box, box_named
from sunglare_protocol.ids import Side
from sunglare_server.match.data.checks.ground import Fault
from sunglare_server.match.data.scenario import Scenario

ZONES_APART = 3
"""Set-up zones of different sides lie at least this many boxes apart."""


def zone_faults(scenario: Scenario) -> Iterator[Fault]:
    """Yield what is wrong with the zones of a scenario; one with fixed places needs none."""
    if scenario.data.fixed:
        return
    boxes: list[tuple[Side, Box]] = []
    for side, setup in sorted(scenario.data.sides.items()):
        if not setup.zone:
            yield f"sides.{side}.zone", "a side needs boxes to set up in"
        for index, name in enumerate(setup.zone):
            why = _box_fault(scenario, name)
            if why is not None:
                yield f"sides.{side}.zone[{index}]", why
            else:
                boxes.append((side, box_named(name)))
    yield from _distance_faults(boxes)


def _distance_faults(boxes: list[tuple[Side, Box]]) -> Iterator[Fault]:
    for side, box in boxes:
        for other, far in boxes:
            apart = max(abs(box.column - far.column), abs(box.row - far.row))
            if side < other and apart < ZONES_APART:
                why = f"{box.name} lies {apart} boxes from {other}'s {far.name}, not {ZONES_APART}"
                yield f"sides.{side}.zone", why


def _box_fault(scenario: Scenario, name: str) -> str | None:
    try:
        box = box_named(name)
    except BoxNameError as fault:
        return str(fault)
    return None if box.centre in scenario.board else f"{name} lies off the map"
