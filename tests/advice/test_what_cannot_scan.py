"""Who has no scan to make, and what its empty slot tells the others."""

import pytest
from msgspec.structs import replace

from builders.advice import SCAN
from builders.matches import Course, scenario_of
from builders.truths import A, B, ship
from builders.views import own_ship, view
from sunglare_protocol.ids import PUBLIC, Audience
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.scans import ScanType
from sunglare_rules.advice.check.check import check
from sunglare_server.match.truth.truth import ShipTruth


@pytest.mark.parametrize("scan_type", ScanType, ids=lambda value: str(value.value))
def test_a_decoy_scans_with_nothing(scan_type: ScanType) -> None:
    order = replace(SCAN, type=scan_type)
    assert check(view(Phase.SCAN, own_ship()), (order,)) is None
    refusal = check(view(Phase.SCAN, own_ship(kind=PieceKind.DECOY)), (order,))
    assert isinstance(refusal, Rejected)
    assert (refusal.code, refusal.at) == (Code.ORDER_SENSORS, "$.orders[0].ship")


COLD = replace(ship(B, at=(30, 5)), powered=False)
KEEN = replace(ship(B, at=(30, 5)), popped_out=True)


@pytest.mark.parametrize(
    "others",
    [
        pytest.param((KEEN, ship(B, 2, (20, 20)), ship(B, 3, (21, 20))), id="three that could"),
        pytest.param((COLD,), id="one whose power is off"),
    ],
)
@pytest.mark.parametrize("audience", [A, PUBLIC])
def test_a_slot_without_a_scan_looks_alike_whatever_the_side_has(
    others: tuple[ShipTruth, ...], audience: str
) -> None:
    def sent(*ships: ShipTruth) -> list[object]:
        course = Course(scenario_of(ship(A, at=(5, 30)), *ships))
        for _ in range(10):
            course.close()
        return list(course.sent[Audience(audience)])

    assert sent(*others) == sent(KEEN)
