"""Data scans on surface maps: requests of DETECT about tokens, and their answers.

Source: Alpha Strike, "Concealing Unit Data"; blips of our rule book §3.7 and §4. What asks is a
ground unit or a landed ship, and so is what is asked about.
"""

from collections.abc import Iterator

from sunglare_protocol.surface import Mode
from sunglare_protocol.words.dossiers import Dossier, Outcome
from sunglare_rules.blips.dossiers import DossierAnswer, Means, data_scan
from sunglare_rules.ground.probing import notices_on_map
from sunglare_server.match.events.ground import TokenProbed
from sunglare_server.match.ids import PieceId
from sunglare_server.match.kinds import Noticed
from sunglare_server.match.resolve.ground_scene import (
    Figure,
    Ground,
    aim_of,
    map_of,
    noticed_by,
)
from sunglare_server.match.resolve.probing import Request, dossier_of
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import Truth


def probes(truth: Truth, requests: tuple[Request, ...]) -> Iterator[TokenProbed]:
    """Yield the answer to every request, all on the same state."""
    for request in sorted(requests, key=lambda one: one.scanner):
        place = truth.stands(request.scanner)
        ground = None if place is None else map_of(truth, place[0])
        yield _probed(truth, ground, request)


def _probed(truth: Truth, ground: Ground | None, request: Request) -> TokenProbed:
    scanner = None if ground is None else ground.figure(request.scanner)
    target = None if ground is None else ground.figure(request.target)
    answer, noticed = DossierAnswer(Outcome.ILLEGAL), tuple[Noticed, ...]()
    if ground is not None and scanner is not None and target is not None:
        answer = _answer(truth, ground, scanner, target)
        if answer.means is Means.PROBE:
            noticed = _noticed(ground, scanner, target)
    is_full = answer.outcome is Outcome.FULL
    return TokenProbed(
        piece=request.scanner,
        target=request.target,
        outcome=answer.outcome,
        by_probe=answer.means is Means.PROBE,
        dossier=_dossier(truth, request.target) if is_full else None,
        noticed=noticed,
    )


def _answer(truth: Truth, ground: Ground, scanner: Figure, target: Figure) -> DossierAnswer:
    hold = truth.surface.tokens_of(scanner.side).get(target.piece)
    is_known = hold is not None and hold.identified
    return data_scan(
        requested=True,
        legal=is_known and scanner.works and not scanner.remote,
        scanner=scanner.specials,
        target=target.specials,
        aim=aim_of(ground, scanner, target),
    )


def _noticed(ground: Ground, scanner: Figure, target: Figure) -> tuple[Noticed, ...]:
    """Return the target, first, and the working enemies near enough to notice the probe."""
    # OWN: a remote sensor only spots; as a target it learns of the probe, as all do.
    others = (
        figure
        for figure in ground.figures
        if figure.side != scanner.side and figure.works and not figure.remote and figure != target
    )
    near = (figure for figure in others if notices_on_map(figure.standing, scanner.standing))
    return tuple(noticed_by(figure, scanner.cell) for figure in (target, *near))


def _dossier(truth: Truth, target: PieceId) -> Dossier:
    if target in truth.ground:
        return _dossier_of_unit(truth.turn, truth.ground[target])
    return dossier_of(truth, truth.ships[target])


def _dossier_of_unit(turn: int, unit: GroundTruth) -> Dossier:
    kind = unit.type
    modes = () if kind.mode is Mode.NONE else (kind.mode.value,)
    return Dossier(
        turn=turn,
        variant=kind.name,
        damage=unit.damage,
        heat=unit.heat,
        move=kind.move,
        modes=(*modes, f"jump {kind.jump}") if kind.jump else modes,
        ecm=unit.ecm,
    )
