"""The scenario `two-planets`: a theft on one planet and a delivery on another one.

SUNGLARE_LONG=1 plays 100 matches of it instead of one.
"""

import os
from collections import Counter

from msgspec.structs import replace

from balance.run import match_of
from builders.botmatches import fought
from builders.data import CLASSES, LIBRARY
from builders.played import Rig
from sunglare_arena.entrants import games
from sunglare_arena.series import scenario_called
from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Pressure
from sunglare_protocol.words.pieces import BaseSize
from sunglare_protocol.words.scans import Echo, ScanSize, ScanType
from sunglare_protocol.words.specials import Special
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.sensors.scans import declared_strength
from sunglare_rules.sensors.sectors import wells_of
from sunglare_rules.sensors.signatures import Emitter, contact_signatures, signals
from sunglare_server.match.events.agents import Delivered, FlagCleared
from sunglare_server.match.ids import PieceId

LONG = bool(os.environ.get("SUNGLARE_LONG"))
MATCHES, SEED = (100, 3) if LONG else (1, 2)
SEEDS = range(7, 19)
SCENARIO = LIBRARY.scenarios["two-planets"]
RAID, CUSTOMS = (SCENARIO.data.sides[Side(letter)] for letter in "AB")

ARROW = PieceId("A/S1")

DARK_LEAST = 3
"""So many turns of a passage are dark, at least."""

OCCURS = ("landing", "mission steal", "stand bound_for", "search", "escape", "delivery")


def test_what_lies_on_one_planet_is_to_be_brought_to_the_other() -> None:
    (item,) = SCENARIO.data.items
    (goal,) = (one for one in RAID.objectives if one.kind is ObjectiveKind.DELIVER)
    assert goal.piece == item.name
    assert goal.at is not None
    assert [planet.name for planet in SCENARIO.data.planets] == [item.at.body, goal.at.body]
    assert RAID.leaves_free


def test_both_planets_are_watched_by_troops_and_an_inspector() -> None:
    for planet in SCENARIO.data.planets:
        assert any(unit.at and unit.at.body == planet.name for unit in CUSTOMS.ground)
        assert any(agent.at and agent.at.body == planet.name for agent in CUSTOMS.agents)


def test_each_side_has_two_ships_that_are_the_same_to_whoever_identifies_them() -> None:
    for setup in (RAID, CUSTOMS):
        shown = Counter(CLASSES[ship.type].type_shown for ship in setup.ships)
        assert 2 in shown.values()
    assert any(Special.NOVA in CLASSES[ship.type].specials for ship in CUSTOMS.ships)


def test_the_wells_of_the_planets_lie_apart_and_one_planet_has_no_air() -> None:
    board = SCENARIO.board
    assert all(len(wells_of(board, square)) <= 1 for square in board.area.squares())
    airs = [one.pressure for planet in board.planets for one in planet.environs]
    assert Pressure.VACUUM in airs


def widest_finds(emitter: Emitter, sunfactor: int) -> dict[ScanType, ScanSize]:
    """Return for each type of scan the widest by which a customs cutter has a contact."""
    ratings = CLASSES["customs-cutter"].sensors
    return {
        kind: size
        for kind in ScanType
        for size in ScanSize
        if contact_signatures(
            signals(kind, declared_strength(ratings.of(kind), size, 0), emitter, sunfactor)
        )
    }


def test_customs_see_heat_from_afar_and_a_dark_packet_in_shadow_by_radar_alone() -> None:
    lit = Emitter(echo=Echo.MEDIUM)
    dark = replace(lit, powered=False)
    assert CLASSES["packet"].size is BaseSize.MEDIUM
    assert [ship.type for ship in CUSTOMS.ships] == ["customs-cutter"] * 2
    assert widest_finds(lit, 0)[ScanType.IR] is ScanSize.BOXES
    by_sun = {ScanType.VISUAL: ScanSize.BOX, ScanType.RADAR: ScanSize.SQUARES}
    assert widest_finds(dark, SCENARIO.board.sunfactor) == by_sun
    assert widest_finds(dark, 0) == {ScanType.RADAR: ScanSize.SQUARES}


def test_the_packet_with_the_ledger_drifts_dark_and_brakes_before_the_other_planet() -> None:
    """The plant is off for some turns of a passage, and on when it lands."""
    passages: list[int] = []

    def watch(_window: object, match: Rig) -> None:
        ship = match.state.truth.ships[ARROW]
        if not ship.powered:
            dark.add(match.state.standing.turn)
            assert ship.landing is None

    for seed in SEEDS:
        dark: set[int] = set()
        fought("two-planets", seed, "raider", "raider", watch=watch)
        passages.append(len(dark))
        if passages[-1] >= DARK_LEAST:
            break
    assert max(passages) >= DARK_LEAST


def test_matches_are_played_to_their_end_with_a_theft_a_passage_and_a_delivery() -> None:
    scenario = scenario_called("two-planets")
    drawn = games(scenario.sides, 1, MATCHES, seed=SEED, swap=False)
    matches = [match_of(scenario, "raider", game) for game in drawn]
    total = sum((match.occurred for match in matches), Counter[str]())
    assert not total["fault"]
    assert [word for word in OCCURS if not total[word]] == []
    if LONG:
        assert sum(match.is_early for match in matches) >= 0.85 * MATCHES


def test_who_was_noticed_on_one_planet_leaves_for_the_other_one_unnoticed() -> None:
    cleared: list[str] = []
    delivered = 0

    def watch(_window: object, match: Rig) -> None:
        nonlocal delivered
        assert match.last is not None
        for event in match.last.events:
            if isinstance(event, FlagCleared):
                cleared.append(event.piece)
                ship = match.state.truth.ships.get(event.piece)
                assert ship is None or ship.bound_for in ("Hollow", "off")
            delivered += isinstance(event, Delivered)

    for seed in SEEDS:
        fought("two-planets", seed, "raider", "raider", watch=watch)
        if cleared and delivered:
            break
    assert cleared
    assert delivered
