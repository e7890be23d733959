"""What spotting and data scans let an audience learn: a second reading of blips §3 to §5.

It knows the rule book's functions and the truth, and nothing of how the server resolves or
perceives.
"""

from collections.abc import Iterator

from sunglare_protocol.ids import Audience, Side, audience_of
from sunglare_protocol.words.dossiers import Outcome
from sunglare_protocol.words.ladder import Fix
from sunglare_rules.blips.dossiers import Means, means_of, probe_jammed
from sunglare_rules.blips.ecm import Bubble, Emitting, Field, bubble, cover, line_jammed
from sunglare_rules.blips.in_space import aim, bearing_bucket, notices_probe, sight, sight_inches
from sunglare_rules.blips.spotting import Spotter, Subject, identifies, is_stealthy
from sunglare_rules.turn.metric import SPACE
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.truth import ShipTruth, Truth

Held = dict[Side, dict[PieceId, Fix]]
"""Who holds whom on which rung."""

Request = tuple[PieceId, PieceId]
"""Who asks for the data of whom."""

LIVE = (Fix.CONTACT, Fix.TRACKED)


def spotted(truth: Truth, held: Held) -> Iterator[tuple[Side, PieceId]]:
    """Yield who identifies what, with the holds as they stand when SCAN has closed."""
    fields = fields_of(truth)
    for side, pieces in sorted(held.items()):
        for piece, fix in sorted(pieces.items()):
            hold = truth.holds[side].get(piece)
            known = hold is not None and hold.identified
            if fix in LIVE and not known and _spots(truth, side, truth.ships[piece], fields):
                yield side, piece


def answer_of(truth: Truth, request: Request) -> tuple[Outcome, bool]:
    """Return the answer to a request for data, and whether a probe is at work for it."""
    scanner, target = truth.ships[request[0]], truth.ships[request[1]]
    fields = fields_of(truth)
    hold = truth.holds[scanner.side].get(target.id)
    if hold is None or hold.fix not in LIVE or not hold.identified:
        return Outcome.ILLEGAL, False
    if not _works(truth, scanner, fields):
        return Outcome.ILLEGAL, False
    lies = aim(truth.board, scanner.place, target.place)
    means = means_of(scanner.specials, lies)
    if means is None:
        return Outcome.OUT_OF_REACH, False
    jammed = line_jammed(SPACE, fields, scanner.side, scanner.square, target.square)
    by_probe = means is Means.PROBE
    spoiled = by_probe and probe_jammed(scanner.specials, jammed)
    if is_stealthy(target.specials) or spoiled:
        return Outcome.INCONCLUSIVE, by_probe
    return Outcome.FULL, by_probe


def probes_told(
    truth: Truth, requests: tuple[Request, ...], audience: Audience
) -> Iterator[object]:
    """Yield what the requests of a DETECT window tell the audience."""
    for request in requests:
        scanner, target = truth.ships[request[0]], truth.ships[request[1]]
        outcome, by_probe = answer_of(truth, request)
        if audience_of(scanner.side) == audience:
            yield request, outcome, _dossier(target) if outcome is Outcome.FULL else None
        elif by_probe:
            yield from _noticed(truth, scanner, target, audience)


def fields_of(truth: Truth) -> list[Field]:
    """Return the working fields; drones in hostile fields of any kind make none."""
    made = [
        (ship, Field(ship.side, ship.square, found))
        for ship in truth.in_play()
        for found in (_bubble(ship),)
        if found is not None
    ]
    every = [field for _, field in made]
    return [field for ship, field in made if _works(truth, ship, every)]


def _bubble(ship: ShipTruth) -> Bubble | None:
    needs = (ship.powered and not ship.cloaked) or ship.is_remote
    return bubble(Emitting(ship.specials, operational=needs, switched_on=ship.ecm_on))


def _works(truth: Truth, ship: ShipTruth, fields: list[Field]) -> bool:
    if not ship.in_play or ship.cloaked or not (ship.powered or ship.is_remote):
        return False
    if not ship.is_drone:
        return True
    start = ship.square
    if ship.launcher is not None and truth.ships[ship.launcher].in_play:
        start = truth.ships[ship.launcher].square
    return line_jammed(SPACE, fields, ship.side, start, ship.square) == 0


def _spots(truth: Truth, side: Side, target: ShipTruth, fields: list[Field]) -> bool:
    quarry = Subject(target.specials, cover(SPACE, fields, target.side, target.square))
    return any(
        identifies(
            Spotter(
                ship.specials,
                sight_inches(truth.board, ship.type.kind, target.square),
                remote=ship.is_remote,
                sensors_work=truth.turn > truth.jam_end,
            ),
            quarry,
            sight(truth.board, ship.place, target.place),
        )
        for ship in truth.in_play()
        if ship.side == side and _works(truth, ship, fields)
    )


def _noticed(
    truth: Truth, scanner: ShipTruth, target: ShipTruth, audience: Audience
) -> Iterator[object]:
    for ship in truth.in_play():
        bearing = bearing_bucket(ship.square, scanner.square)
        if audience_of(ship.side) != audience:
            continue
        if ship.id == target.id:
            yield "probed", ship.own, bearing
        elif (
            not ship.is_remote
            and ship.volley is None
            and not ship.cloaked
            and notices_probe(scanner.square, ship.square)
        ):
            yield "noticed", ship.own, bearing


def _dossier(target: ShipTruth) -> tuple[object, ...]:
    kind = target.type
    return kind.name, target.damage, target.heat, target.thrust, kind.drive, target.ecm
