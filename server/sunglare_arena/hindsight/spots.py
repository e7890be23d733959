"""Why a ship of a finished match was identified in space or not.

Source: blips of our rule book §3 and §5. From the events that the resolvers made, and from the
truth when all had come to rest.
"""

from collections.abc import Iterator, Sequence

from sunglare_arena.hindsight.distances import away, blockers
from sunglare_protocol.geometry import Board
from sunglare_protocol.ids import Side
from sunglare_rules.blips.in_space import glared, sight
from sunglare_rules.blips.spotting import (
    PROBE_INCHES,
    REMOTE_HEARING_INCHES,
    REMOTE_SEEING_INCHES,
    SENSOR_INCHES,
    Sight,
    Spotter,
    Subject,
    best_probe,
    identifies,
    is_stealthy,
)
from sunglare_rules.sensors.sectors import line_of_sight, standing_square
from sunglare_server.match.events.blips import PieceSpotted
from sunglare_server.match.events.space import Event
from sunglare_server.match.resolve.jamming import Fields, fields, is_operational
from sunglare_server.match.resolve.spotting import HELD_WELL, quarry_of, spotter_of
from sunglare_server.match.truth.truth import ShipTruth, Truth

IN_SPACE = "(blips §3 and §5)"


def spotting_lines(
    truth: Truth, side: Side, ship: ShipTruth, events: Sequence[Event], *, sensors_work: bool
) -> Iterator[str]:
    """Yield why a ship was identified when the last slot had closed, or why it was not."""
    for event in events:
        if isinstance(event, PieceSpotted) and (event.piece, event.side) == (ship.id, side):
            ways = ", ".join(method.value for method in event.methods)
            yield f"IDENTIFIED by {ways} {IN_SPACE}"
            return
    hold = truth.holds[side].get(ship.id)
    if hold is None or hold.fix not in HELD_WELL:
        rung = "nothing" if hold is None else f"a {hold.fix.value} hold"
        need = "that takes a contact or a live track"
        yield f"not identified: {need}, and you had {rung} {IN_SPACE}"
    elif hold.identified:
        yield f"identified before, in the same hold {IN_SPACE}"
    else:
        around = fields(truth)
        for viewer in truth.ships_of(side):
            if viewer.in_play:
                yield _ship_line(truth, viewer, ship, around, sensors_work=sensors_work)


def _ship_line(
    truth: Truth, spotter: ShipTruth, ship: ShipTruth, around: Fields, *, sensors_work: bool
) -> str:
    """Return why one ship did not identify another, with distance and reach."""
    looking = spotter_of(truth, spotter, ship, sensors_work)
    if not is_operational(truth, spotter, around):
        looking = looking._replace(operational=False)
    seen = sight(truth.board, spotter.place, ship.place)
    hidden = _hidden_words(truth.board, spotter, ship)
    return f"{spot_words(spotter.own, looking, quarry_of(ship, around), seen, hidden)} {IN_SPACE}"


def spot_words(own: str, looking: Spotter, quarry: Subject, seen: Sight, hidden: str) -> str:
    """Return in words why a spotter does not identify a quarry, or that it does.

    `hidden` says what stands between its eyes and the quarry, if anything does.
    """
    if not looking.operational:
        return f"not identified by {own}: it did not work (plant off, cloaked, a jammed drone)"
    if identifies(looking, quarry, seen):
        return f"identified by {own}"
    blind = f" ({hidden})" if hidden else ""
    reach = f"it sees to {looking.sight_inches}{blind}, {_sensors_words(looking)}"
    if looking.remote:
        reach = f"it sees to {REMOTE_SEEING_INCHES}{blind}, hears to {REMOTE_HEARING_INCHES}"
    return f"not identified by {own}: {away(seen.span)}; {reach}{_guard(looking, quarry)}"


def _sensors_words(looking: Spotter) -> str:
    if looking.infantry:
        return "has no sensors"
    probe = best_probe(looking.specials, PROBE_INCHES)
    return f"senses to {SENSOR_INCHES if probe is None else PROBE_INCHES[probe]}"


def _guard(looking: Spotter, quarry: Subject) -> str:
    """Return what keeps sensors from the quarry, wherever it is."""
    if not looking.sensors_work:
        return " (not in jammed space)"
    if is_stealthy(quarry.specials):
        return " (nothing stealthy or cold)"
    return " (ECM covers it)" if quarry.cover else ""


def _hidden_words(board: Board, spotter: ShipTruth, ship: ShipTruth) -> str:
    here, there = standing_square(board, spotter.place), standing_square(board, ship.place)
    if not line_of_sight(board, spotter.place, ship.place):
        return f"hidden by {blockers(board, spotter.place, ship.place)}"
    return "blinded by the sun" if glared(board, here, there) else ""
