"""The start of a match: rosters drawn, ships placed, intel empty, the first initiative.

Source: set-up of our rule book §7.
"""

from functools import lru_cache

import msgspec

from sunglare_protocol.geometry import BOX_EDGE, Board, Box, Compass, Square, box_named
from sunglare_protocol.ids import OMNI, PUBLIC, Audience, OwnId, Side, audience_of
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.sensors.sectors import in_body, sector
from sunglare_server.match.clock.attendance import new_attendance
from sunglare_server.match.clock.phases import Standing
from sunglare_server.match.clock.presets import PRESETS, release_ms
from sunglare_server.match.clock.seats import new_clock, shown_banks
from sunglare_server.match.data.scenario import Scenario, ShipEntry, SideSetup
from sunglare_server.match.dice import Dice, Purpose, Roll, match_seed
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.intel.agents import SearchIntel
from sunglare_server.match.intel.space import Intel
from sunglare_server.match.own.ground import own_agents, own_units
from sunglare_server.match.own.ships import own_pieces
from sunglare_server.match.record import Opened
from sunglare_server.match.state import FramePost, MatchState, Stepped
from sunglare_server.match.truth.agents import AgentTruth
from sunglare_server.match.truth.ground import GroundTruth, SurfaceTruth
from sunglare_server.match.truth.truth import ShipTruth, Truth, TurretTruth
from sunglare_server.match.turn import agents as agents_windows
from sunglare_server.match.turn import start_ground
from sunglare_server.match.turn.flow import Flow
from sunglare_server.match.turn.sequence import begin_turn

_ZONES_KEPT = 256
"""How many set-up zones are remembered with their squares."""


def start(opened: Opened, now_ms: int) -> Stepped:
    """Return the first state of a match and its opening frame."""
    seed = match_seed(
        opened.server_seed, tuple(seat.entropy for seat in opened.seats if seat.entropy)
    )
    rolls: list[Roll] = []
    truth = _truth(opened.scenario, Dice(seed=seed, noted=rolls))
    standing = Standing(
        turn=1,
        turns=opened.scenario.data.turns,
        phase=Phase.PLOT,
        sides=truth.sides,
        is_sealed=opened.options.scan_slots == "sealed",
    )
    preset = PRESETS[opened.options.clock]
    opens_ms = release_ms(preset, now_ms, opened.options.allowance_beats)
    intel = _intel(opened, truth)
    clocks = dict.fromkeys(truth.sides, new_clock(preset))
    state = MatchState(
        board=truth.board,
        scenario=opened.scenario.data,
        options=opened.options,
        server_seed=opened.server_seed,
        seed=seed,
        truth=truth,
        intel=intel,
        standing=standing,
        opened_ms=opens_ms,
        moved_ms=opens_ms,
        told_ms=opens_ms,
        seqs=dict.fromkeys(intel, 1),
        clocks=clocks,
        attendance=dict.fromkeys(truth.sides, new_attendance(preset)),
        shown_banks=shown_banks(clocks) if preset.bank_ms else {},
    )
    flow = Flow(state)
    agents_windows.tell(flow)
    standing = begin_turn(flow, standing)
    ready = msgspec.structs.replace(flow.finished(), standing=standing)
    return Stepped(ready, tuple(flow.events), (FramePost(),), (*rolls, *flow.rolls))


def _truth(scenario: Scenario, dice: Dice) -> Truth:
    sides = scenario.sides
    fleets = {side: _ships(scenario, side, dice) for side in sides}
    ground: dict[PieceId, GroundTruth] = {}
    folk: dict[PieceId, AgentTruth] = {}
    for side, fleet in fleets.items():
        ground |= start_ground.units(scenario, side, fleet, dice)
        folk |= start_ground.agents(scenario, side, fleet)
    return Truth(
        board=scenario.board,
        turn=1,
        sides=sides,
        ships={ship.id: ship for fleet in fleets.values() for ship in fleet},
        ground=ground,
        agents=folk,
        search=start_ground.search(scenario),
        surface=SurfaceTruth(seen=dict.fromkeys(sides, ()), tokens={side: {} for side in sides}),
        holds={side: {} for side in sides},
        identified=dict.fromkeys(sides, ()),
        points=dict.fromkeys(sides, 0),
        hunts={side: {} for side in sides},
    )


def _ships(scenario: Scenario, side: Side, dice: Dice) -> list[ShipTruth]:
    setup = scenario.data.sides[side]
    drawn = dice.roll(len(setup.rosters), 0, Purpose.ROSTER, side, 0)
    roster = setup.rosters[drawn - 1]
    return [_ship(scenario, side, number, entry, dice) for number, entry in enumerate(roster, 1)]


def _ship(scenario: Scenario, side: Side, number: int, entry: ShipEntry, dice: Dice) -> ShipTruth:
    kind, own = scenario.classes[entry.type], OwnId(f"S{number}")
    setup = scenario.data.sides[side]
    square, facing = entry.at, entry.facing
    if square is None:
        square = _placed(scenario, setup, piece_id(side, own), dice)
        facing = _inward(scenario.board, square)
    return ShipTruth(
        id=piece_id(side, own),
        side=side,
        own=own,
        name=entry.name,
        type=kind,
        crew=entry.crew,
        square=square,
        vector=entry.vector,
        facing=facing,
        powered=entry.powered,
        popped_out=entry.popped_out,
        cloaked=entry.cloaked,
        cloaks=int(entry.cloaked),
        turrets=tuple(TurretTruth(id=turret.id, arcs=turret.arcs) for turret in kind.turrets),
    )


def _placed(scenario: Scenario, setup: SideSetup, key: str, dice: Dice) -> Square:
    squares = _zone_squares(scenario.board, setup.zone)
    return squares[dice.roll(len(squares), 0, Purpose.DEPLOY, key, 0) - 1]


@lru_cache(maxsize=_ZONES_KEPT)
def _zone_squares(board: Board, zone: tuple[str, ...]) -> tuple[Square, ...]:
    """Return the squares of a zone on the map and outside every planet."""
    boxes = map(box_named, zone)
    squares = (square for box in boxes for square in _squares(box))
    return tuple(square for square in squares if square in board and not in_body(board, square))


def _squares(box: Box) -> list[Square]:
    west, north = box.column * BOX_EDGE, box.row * BOX_EDGE
    return [
        Square(x, y) for y in range(north, north + BOX_EDGE) for x in range(west, west + BOX_EDGE)
    ]


def _inward(board: Board, square: Square) -> Compass:
    """Return the facing that looks at the middle of the map."""
    middle = Square((board.area.east + 1) // 2, (board.area.south + 1) // 2)
    return Compass.N if square == middle else sector(square, middle)


def _intel(opened: Opened, truth: Truth) -> dict[Audience, Intel]:
    scenario, options = opened.scenario, opened.options
    cloaks = any(kind.cloak for kind in scenario.classes.values())
    intel: dict[Audience, Intel] = {}
    for side in scenario.sides:
        setup = scenario.data.sides[side]
        zone = () if scenario.data.fixed else setup.zone
        audience = audience_of(side)
        intel[audience] = Intel(
            audience=audience,
            own=own_pieces(truth, side),
            zone=zone,
            objectives=setup.objectives,
            leaves_free=setup.leaves_free,
            ground=own_units(truth, side),
            agents=own_agents(truth, side),
            areas=setup.areas,
            search=SearchIntel(items=start_ground.items_known(setup, scenario)),
            options=options,
            cloaks=cloaks,
        )
    watching = {
        viewer: Intel(audience=viewer, options=options, cloaks=cloaks) for viewer in (PUBLIC, OMNI)
    }
    return {**intel, **watching}
