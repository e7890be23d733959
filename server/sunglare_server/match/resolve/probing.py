"""Data scans in space: requests of DETECT and their answers.

Source: Alpha Strike, "Concealing Unit Data"; blips of our rule book §3.7 and §4.
"""

from collections.abc import Iterator

import msgspec

from sunglare_protocol.words.dossiers import Dossier, Outcome
from sunglare_rules.blips.dossiers import DossierAnswer, Means, data_scan
from sunglare_rules.blips.ecm import line_jammed
from sunglare_rules.blips.in_space import aim, notices_probe
from sunglare_rules.turn.metric import SPACE
from sunglare_server.match.events.blips import (
    PieceProbed,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.jamming import Fields, fields, is_operational
from sunglare_server.match.resolve.spotting import HELD_WELL
from sunglare_server.match.truth.truth import ShipTruth, Truth


class Request(msgspec.Struct, frozen=True, gc=False):
    """An accepted `probe` order with its handle looked up."""

    scanner: PieceId
    target: PieceId


def probes(truth: Truth, requests: tuple[Request, ...]) -> Iterator[PieceProbed]:
    """Yield the answer to every request, all on the same state."""
    around = fields(truth) if requests else ()
    for request in sorted(requests, key=lambda one: one.scanner):
        scanner, target = truth.ships[request.scanner], truth.ships[request.target]
        answer = _answer(truth, scanner, target, around)
        by_probe = answer.means is Means.PROBE
        yield PieceProbed(
            piece=scanner.id,
            target=target.id,
            outcome=answer.outcome,
            by_probe=by_probe,
            dossier=dossier_of(truth, target) if answer.outcome is Outcome.FULL else None,
            noticed=_noticed(truth, scanner, target) if by_probe else (),
        )


def _answer(truth: Truth, scanner: ShipTruth, target: ShipTruth, around: Fields) -> DossierAnswer:
    hold = truth.holds[scanner.side].get(target.id)
    is_held = hold is not None and hold.fix in HELD_WELL and hold.identified
    jammed = line_jammed(SPACE, around, scanner.side, scanner.square, target.square)
    return data_scan(
        requested=True,
        legal=is_held and not scanner.is_remote and is_operational(truth, scanner, around),
        scanner=scanner.specials,
        target=target.specials,
        aim=aim(truth.board, scanner.place, target.place, jammed),
    )


def dossier_of(truth: Truth, target: ShipTruth) -> Dossier:
    """Return what a full answer about a ship holds."""
    return Dossier(
        turn=truth.turn,
        variant=target.type.name,
        damage=target.damage,
        heat=target.heat,
        move=target.thrust,
        modes=(target.type.drive.value,),
        ecm=target.ecm,
    )


def _noticed(truth: Truth, scanner: ShipTruth, target: ShipTruth) -> tuple[PieceId, ...]:
    # OWN: remote sensors spot and notice nothing else, volleys and cloaked ships nothing at all;
    # the target learns more than a bearing.
    return tuple(
        ship.id
        for ship in truth.in_play()
        if ship.side != scanner.side
        and not ship.is_remote
        and not ship.cloaked
        and ship.volley is None
        and ship.id != target.id
        and notices_probe(scanner.square, ship.square)
    )
