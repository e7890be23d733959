"""Two worlds that differ only in what an audience may not know give it the same bytes.

This is the small form of that test; the long one is two_worlds/leaks.py (`make leaks`).
"""

import ast
import os
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from builders.matches import view_of
from builders.played import rig
from builders.questions import UNKNOWN, refusals, unheld
from builders.scenarios import scenarios
from second_reading import cannons, capital, granted, scans, shots
from second_reading.parts import Window
from second_reading.scans import scans_of
from second_reading.shots import shots_of
from second_reading.spots import answer_of
from sunglare_protocol.ids import PUBLIC, OwnId, Side, audience_of
from sunglare_protocol.orders import Fire, Scan
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal import legal
from sunglare_server.match.events.blips import PieceProbed, PieceSpotted
from sunglare_server.match.events.capital import BatteryFired, MissileSent, PointStruck
from sunglare_server.match.events.space import (
    ContactMade,
    Event,
    InitiativeRolled,
    ScanDeclared,
    ShipDestroyed,
    ShipTracked,
    ShotFired,
)
from sunglare_server.match.ledger.ledger import ROWS, SILENT
from two_worlds.course import Campaign
from two_worlds.match import EVERY, Depth, Plan, plan_of, played
from two_worlds.otherconsequences import CROWD, crowd_unseen
from two_worlds.parts import World, window_of
from two_worlds.twists import CATALOGUE
from two_worlds.twistsofconsequences import CONSEQUENCES, PLAYED

LONG = bool(os.environ.get("SUNGLARE_LONG"))
GOAL = 6 if LONG else 1
"""How many windows of each twist are compared."""

PAIRS_MOST = 6_000
"""So many pairs of worlds come to that, several times over."""

SEED = 1 if LONG else 3

DEPTH = Depth(windows_most=40 if LONG else 16, answers_every=12)
"""How far matches are played that are none of those below."""

MATCHES = {
    2: ("hunt 3/46 other_missions",),
    4: (
        "fortress 3/1 all",
        "hunt 3/204 search_in_vain",
        "garrison 3/16 all",
        "gunnery 3/14 all",
        "orlog 3/3 all",
        "proving-ground 3/5 all",
        "redondo 3/6 all",
        "shadow-of-ceres 3/8 all",
        "siege 3/17 all",
        "stalk-2 3/19 all",
        "two-harbours 3/10 all",
    ),
    8: (
        "blip-parade 3/300 all",
        "broadside 3/315 all",
        "four-corners 3/302 all",
        "melee 3/313 all",
        "parade 3/318 all",
        "picket-line 3/304 all",
        "proving-ground 3/327 all",
        "smugglers-moon 3/309 all",
    ),
    12: (
        "duel 3/102 move_coasting",
        "garrison 3/126 armoured_for_jammed",
        "parade 3/173 stealth_for_jammed",
        "proving-ground 3/155 coasting_gone",
        "reference-board 3/101 change_power",
        "siege 3/102 change_flight",
        "stalk-2 3/114 change_variant",
        "stalk-3 3/140 third_side_hunts",
    ),
    16: (
        "proving-ground 3/42 turn_untracked",
        "stalk-3 3/47 other_thrust_cloaked,hold_or_not",
        "two-planets 3/44 all",
    ),
}
"""The matches of the small form by their windows.

They are the cheapest of 137 in which every scenario is played, every twist finds its place, and
every planted leak is found that is found in the whole of them.
"""


@pytest.mark.parametrize("number", range(4 if LONG else 1))
@pytest.mark.parametrize("name", ["duel", "picket-line"] if LONG else ["duel"])
def test_so_does_a_match_that_is_played_on_from_a_turn(name: str, number: int) -> None:
    tally = played(Plan(name, 11, number), DEPTH, windows_before=9)
    assert tally.pairs
    assert tally.windows


def test_what_was_laid_is_not_taken_away_as_what_is_laid_next_is_numbered_by_it() -> None:
    assert played(Plan("orlog", 6, 2, ("remove_unheld",)), DEPTH).windows


@pytest.mark.timeout(600)
def test_two_worlds_alike_to_an_audience_give_it_the_same_bytes(
    record_property: Callable[[str, object], None],
) -> None:
    campaign = Campaign(SEED, depth=DEPTH)
    for windows, plans in MATCHES.items():
        depth = DEPTH if LONG else Depth(windows_most=windows, answers_every=12)
        for words in plans:
            campaign.play(plan_of(words), depth)
    campaign.run(GOAL, pairs_most=PAIRS_MOST)
    table = campaign.table()
    record_property("table", table)
    short = [name for name, count in campaign.covered.items() if count < GOAL]
    assert not short, f"fewer than {GOAL} windows of {short}\n{table}"


def test_two_worlds_in_which_something_else_has_come_of_things_look_alike_too() -> None:
    campaign = Campaign(SEED, PLAYED, CONSEQUENCES, DEPTH)
    campaign.run(GOAL, pairs_most=PAIRS_MOST)
    assert min(campaign.covered.values()) >= GOAL, campaign.table()


def test_a_crowd_that_nobody_sees_makes_forty_events_more_in_a_window() -> None:
    match = rig(scenarios()["melee"], SEED, PUBLIC)
    crowded = crowd_unseen(World(match.state, PUBLIC, {}), Random(SEED))
    assert crowded is not None
    other = match.fork(crowded, (PUBLIC,))
    assert len(other.close().events) >= len(match.close().events) + CROWD


def test_every_twist_names_rows_of_the_ledger() -> None:
    rows = {f"{row.event}/{row.role}" for row in ROWS} | {f"{event}/" for event in SILENT}
    named = {row for twist in EVERY for row in twist.rows.split()}
    assert named <= rows


def test_every_event_of_the_ledger_is_put_to_the_test_by_a_twist() -> None:
    events = {row.event for row in ROWS} | set(SILENT)
    named = {row.partition("/")[0] for twist in CATALOGUE for row in twist.rows.split()}
    assert events == named


ROOM = Path(__file__).parent
READINGS = [*(ROOM.parent / "second_reading").glob("[!dt]*.py")]
"""Both readings of what the rules grant; what is due is held against the code, and names it."""

TWISTS = [*ROOM.glob("other*.py"), *ROOM.glob("twist*.py"), ROOM / "parts.py", *READINGS]


@pytest.mark.parametrize("path", sorted(TWISTS), ids=lambda path: str(path.stem))
def test_no_twist_asks_the_code_that_it_tests(path: Path) -> None:
    tested = {"learn", "absorb", "intel", "ledger", "fog", "facts", "flow", "frames"}
    nodes = ast.walk(ast.parse(path.read_text()))
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    words = set(re.findall(r"\w+", "\n".join(map(ast.unparse, imports))))
    assert words
    assert not words & tested


@pytest.mark.parametrize("name", ["duel", "melee", "gunnery", "broadside", "parade", "siege"])
@pytest.mark.parametrize("slots", ["sequential", "sealed"])
def test_both_readings_of_the_rules_agree_on_scans_shots_and_initiative(
    name: str, slots: str
) -> None:
    scans = shots = spots = probes = 0
    for seed in range(6):
        match = rig(scenarios()[name], seed, PUBLIC, scan_slots=slots)
        for before, orders, events in match.windows(Random(seed)):
            window = window_of(before, match.state, orders, PUBLIC)
            assert _by_the_rules(window) == _by_the_server(events)
            rolled = [event.order for event in events if isinstance(event, InitiativeRolled)]
            turn = before.standing.turn + 1
            assert rolled in ([], [granted.initiative_of(match.state.truth, turn, before.dice)])
            scans += sum(isinstance(event, ScanDeclared) for event in events)
            shots += sum(isinstance(event, ShotFired) for event in events)
            spots += sum(isinstance(event, PieceSpotted) for event in events)
            probes += sum(isinstance(event, PieceProbed) for event in events)
    assert all((scans, shots, spots, probes))


def _by_the_rules(window: Window) -> list[object]:
    found: list[object] = []
    for made in scans_of(window):
        found.append((made.scanner.id, *made.told[1:]))
        found.extend((look.piece, look.signal, look.names) for look in made.looks if look.names)
        found.append(sorted(scans.tracked_anew(window, made)[1]))
    asked = [(*request, *answer_of(window.before, request)) for request in window.requests]
    return [*found, *sorted(scans.spots_of(window)), *asked, *map(tuple, shots_of(window))]


def _by_the_server(events: tuple[Event, ...]) -> list[object]:
    found: list[object] = []
    last: list[object] = []
    tracked: list[str] | None = None
    shots: list[tuple[object, ...]] = []
    for event in events:
        match event:
            case ScanDeclared():
                if tracked is not None:
                    found.append(sorted(tracked))
                tracked = []
                given = (event.type, event.size, event.at, event.strength)
                found.append((event.piece, *given, event.answers, event.effective))
            case ContactMade():
                found.append((event.piece, event.signal, event.signatures))
            case ShipTracked() if tracked is not None:
                tracked.append(event.piece)
            case PieceSpotted() | PieceProbed():
                last.append(_known(event))
            case ShotFired():
                shot = (event.piece, event.weapon, event.target, event.kind)
                shots.append((*shot, event.dice, event.damage, event.stopped, event.spent))
            case _:
                pass
    shots.sort(key=lambda shot: shot[:3])
    return [*found, *([] if tracked is None else [sorted(tracked)]), *last, *shots]


def _known(event: PieceSpotted | PieceProbed) -> object:
    if isinstance(event, PieceSpotted):
        return event.side, event.piece
    return event.piece, event.target, event.outcome, event.by_probe


def test_an_unknown_foreign_dead_or_hidden_handle_is_refused_alike() -> None:
    asked = 0
    for seed in range(4):
        match, rng = rig(scenarios()["duel"], seed, PUBLIC), Random(seed)
        while not match.state.is_over:
            match.play(rng, 1)
            if match.state.standing.phase not in (Phase.DETECT, Phase.ENGAGE):
                continue
            for side in match.sides:
                view = view_of(match.state, audience_of(side))
                handles = unheld(match.state, audience_of(side))
                answers = list(refusals(view, handles))
                assert len(set(answers)) <= 1
                asked += len(answers) > 2
    assert asked > 20


def test_an_unknown_foreign_or_dead_ship_is_refused_alike() -> None:
    for seed in range(4):
        match, rng = rig(scenarios()["duel"], seed, PUBLIC, scan_slots="sealed"), Random(seed)
        while not match.state.is_over:
            match.play(rng, 1)
            for side in match.sides:
                view = view_of(match.state, audience_of(side))
                gone = [ship.id for ship in view.own if ship.fate is not Fate.IN_PLAY]
                foreign = [OwnId(piece) for piece in match.state.truth.ships if piece[0] != side]
                orders = [
                    order
                    for ship in (OwnId("S7"), *gone, *foreign)
                    for order in (
                        Scan(ship=ship, type=ScanType.MASS, size=ScanSize.BOX, at="A1"),
                        Fire(ship=ship, weapon="B1", at=UNKNOWN),
                    )
                ]
                for kind in (Scan, Fire):
                    same = {check(view, (order,)) for order in orders if isinstance(order, kind)}
                    assert len(same) == 1
                    assert None not in same


def test_whoever_is_no_side_gets_no_own_ships_and_no_zone() -> None:
    match, rng = rig(scenarios()["shadow-of-ceres"], 3, PUBLIC), Random(3)
    while not match.state.is_over:
        match.play(rng, 1)
        view = view_of(match.state, PUBLIC)
        assert (view.own, view.zone, view.objectives, view.points) == ((), (), (), 0)


def test_a_ship_that_only_its_radar_gave_away_may_be_destroyed() -> None:
    kills = 0
    for seed in range(12):
        match = rig(scenarios()["duel"], seed, PUBLIC, scan_slots="sealed")
        match.close()
        look = Scan(ship=OwnId("S3"), type=ScanType.RADAR, size=ScanSize.BOX, at="A5")
        match.give(Side("B"), (look,))
        match.close()
        match.close()
        view = view_of(match.state, audience_of(Side("A")))
        shots = tuple(legal.shots(view))
        assert shots
        match.give(Side("A"), shots)
        events = match.close().events
        kills += any(isinstance(event, ShipDestroyed) for event in events)
    assert kills > 0


def test_both_readings_of_the_rules_agree_on_batteries_missiles_and_impacts() -> None:
    seen = [0, 0, 0]
    for seed in range(8):
        match = rig(scenarios()["siege"], seed, PUBLIC)
        for before, orders, events in match.windows(Random(seed)):
            if before.standing.phase is not Phase.ENGAGE:
                continue
            window = window_of(before, match.state, orders, PUBLIC)
            spent = shots.defended(window)
            truth, dice = before.truth, before.dice
            fired = [event for event in events if isinstance(event, BatteryFired)]
            sent = [event.flight for event in events if isinstance(event, MissileSent)]
            struck = [event for event in events if isinstance(event, PointStruck)]
            assert [(event.dice, event.damage, int(event.stopped)) for event in fired] == [
                cannons.dealt(truth, dice, shot, spent.get(f"{shot[0]}/{shot[1]}", 0))
                for shot in sorted(window.batteries)
            ]
            assert sorted((s.piece, s.weapon, s.at, s.cell, s.needed, s.lands) for s in sent) == (
                sorted(capital.sent_of(truth, orders))
            )
            assert sorted(
                (s.piece, s.weapon, s.dice, s.impact or (-1, -1), sorted(s.harmed), s.heard)
                for s in struck
            ) == sorted(
                (b.piece, b.weapon, b.dice, b.point or (-1, -1), list(b.harmed), b.heard)
                for b in capital.bursts_of(truth, orders, dice)
            )
            counts = (len(fired), len(sent), len(struck))
            seen = [a + b for a, b in zip(seen, counts, strict=True)]
    assert all(seen)
