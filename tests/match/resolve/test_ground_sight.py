"""What sides see on a surface: maps, tokens, what identifies them, and hidden units."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.ground import AG1, BG1, BG2, SITE, ground_truth, landed, planet, seeing, unit
from builders.truths import A, B, applied, ship
from second_reading import sight
from sunglare_protocol.geometry import Block, Compass, Planet, Square
from sunglare_protocol.notices import TokenEnd
from sunglare_protocol.surface import Cell, Weather
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.blips.hiding import Shown
from sunglare_server.match.events.ground import (
    HiddenExposed,
    MapClosed,
    MapOpened,
    PieceIdentified,
    TokenEnded,
    TokenGained,
    UnitMoved,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve import ground as surface
from sunglare_server.match.truth.truth import ShipTruth, Truth

_replace = msgspec.structs.replace


def fighter(side: str, at: tuple[int, int]) -> ShipTruth:
    made = ship(A if side == "A" else B, 3, at)
    return _replace(made, type=_replace(made.type, kind=PieceKind.FIGHTER))


def test_a_side_sees_a_map_on_which_it_has_a_unit_a_sensor_or_a_landed_ship() -> None:
    for truth in (
        ground_truth(unit(A)),
        ground_truth(unit(A, kind="ground-sensor")),
        ground_truth(ships=(landed(ship(A)),)),
        ground_truth(ships=(fighter("A", (15, 11)),)),
    ):
        assert list(surface.maps(truth)) == [MapOpened(side=A, site=SITE)]


@pytest.mark.parametrize(
    "truth",
    [
        ground_truth(unit(A, at="A/S1"), ships=(ship(A),)),
        ground_truth(ships=(fighter("A", (15, 10)),)),
        ground_truth(ships=(ship(A, 1, (15, 11)),)),
    ],
    ids=["aboard", "a fighter further out", "a ship above"],
)
def test_nobody_else_sees_a_map(truth: Truth) -> None:
    assert list(surface.maps(truth)) == []


def test_a_side_that_loses_its_last_unit_loses_the_map_and_what_it_held_there() -> None:
    truth = seeing(ground_truth(unit(B)), A, BG1)
    assert list(surface.maps(truth)) == [
        TokenEnded(piece=BG1, side=A, how=TokenEnd.UNSEEN),
        MapClosed(side=A, site=SITE),
        MapOpened(side=B, site=SITE),
    ]


def test_all_that_is_not_hidden_is_a_token_to_each_side_that_sees_the_map() -> None:
    truth = seeing(ground_truth(unit(A), unit(B, at=(9, 5)), unit(B, 2, hidden=True)), A)
    assert list(surface.gains(truth, {})) == [TokenGained(piece=BG1, side=A, identified=False)]


def test_a_landed_ship_is_a_token_and_ends_as_one_when_it_lifts_off() -> None:
    there = seeing(ground_truth(unit(A), ships=(landed(ship(B)),)), A)
    assert [event.piece for event in surface.gains(there, {})] == ["B/S1"]
    gone = seeing(ground_truth(unit(A), ships=(ship(B),)), A, "B/S1")
    assert list(surface.endings(gone)) == [
        TokenEnded(piece=PieceId("B/S1"), side=A, how=TokenEnd.LIFTED)
    ]


@pytest.mark.parametrize(
    ("changes", "how"),
    [
        ({"fate": Fate.DESTROYED}, TokenEnd.DESTROYED),
        ({"site": None, "aboard": PieceId("B/S1")}, TokenEnd.LEFT),
    ],
    ids=["destroyed", "loaded"],
)
def test_a_token_ends_with_its_piece(changes: dict[str, object], how: TokenEnd) -> None:
    gone = _replace(unit(B), **changes)
    truth = seeing(ground_truth(unit(A), gone), A, BG1)
    assert list(surface.endings(truth)) == [TokenEnded(piece=BG1, side=A, how=how)]


def identified(truth: Truth, *, by: str = "A") -> list[str]:
    """Return the pieces that a side, which sees the site, identifies or exposes."""
    events = list(surface.spottings(seeing(truth, A, BG1)))
    return [
        str(event.piece)
        for event in events
        if isinstance(event, PieceIdentified | HiddenExposed) and event.side == by
    ]


ACROSS = planet(*(("." * 26,) * 3))


@pytest.mark.parametrize(
    ("spotter", "target", "sector", "sees"),
    [
        ("first-line-rifles", "titan", Compass.N, True),
        ("first-line-rifles", "titan", Compass.S, False),
        ("battle-tank", "titan", Compass.SE, True),
    ],
    ids=["infantry by day", "infantry by night", "a tank at dusk"],
)
def test_eyes_identify_in_sight_as_far_as_light_allows(
    spotter: str, target: str, sector: Compass, sees: bool
) -> None:
    body = planet(*(("." * 26,) * 3), sector=sector)
    truth = ground_truth(unit(A, kind=spotter), unit(B, at=(12, 0), kind=target), body=body)
    assert identified(truth) == (["B/G1"] if sees else [])


LONG = planet(*(("." * 26,) * 3), sector=Compass.S)


def lamplit(body: Planet, *blocks: Block) -> Planet:
    """Return a planet on whose first map lamps light these blocks of cells."""
    first, *others = body.environs
    return _replace(body, environs=(_replace(first, lit=blocks), *others))


def at_night(spotter: str, away: int, *blocks: Block) -> list[str]:
    """Return what a unit of A identifies of a titan so many inches east of it on a dark map."""
    there = unit(B, at=(away // 2, 0), kind="titan")
    body = lamplit(LONG, *blocks)
    return identified(ground_truth(unit(A, kind=spotter), there, body=body))


@pytest.mark.parametrize(
    ("spotter", "away", "blocks", "sees"),
    [
        ("first-line-rifles", 4, (), True),
        ("first-line-rifles", 6, (), False),
        ("battle-tank", 12, (), False),
        ("first-line-rifles", 50, ((25, 0, 25, 0),), True),
        ("first-line-rifles", 50, ((0, 0, 24, 2),), False),
        ("first-line-rifles", 50, ((24, 1, 25, 2),), False),
        ("first-line-rifles", 50, ((0, 1, 1, 2), (24, 0, 25, 2)), True),
        ("searchlight-car", 50, (), True),
    ],
    ids=[
        "infantry in the dark",
        "infantry beyond 4 inches",
        "a tank beyond 10 inches",
        "a target on a lit cell",
        "a lamp at the spotter",
        "a lamp on the cell beside it",
        "the second of two blocks",
        "a searchlight",
    ],
)
def test_at_night_lamps_and_searchlights_show_what_the_dark_hides(
    spotter: str, away: int, blocks: tuple[Block, ...], sees: bool
) -> None:
    assert at_night(spotter, away, *blocks) == (["B/G1"] if sees else [])


def test_the_weather_ends_the_sight_of_a_lit_target_too() -> None:
    first = _replace(LONG.environs[0], weather=Weather.STORM, lit=((0, 0, 25, 2),))
    foggy = _replace(LONG, environs=(first, *LONG.environs[1:]))
    near, far = (
        ground_truth(unit(A), unit(B, at=(away // 2, 0), kind="titan"), body=foggy)
        for away in (10, 12)
    )
    assert (identified(near), identified(far)) == (["B/G1"], [])


def test_a_searchlight_does_not_light_its_bearer() -> None:
    bearer = unit(B, at=(15, 0), kind="searchlight-car")
    assert identified(ground_truth(unit(A, kind="battle-tank"), bearer, body=LONG)) == []


_CORNERS = st.tuples(st.integers(0, 25), st.integers(0, 2), st.integers(0, 25), st.integers(0, 2))


@given(
    blocks=st.lists(_CORNERS, max_size=3).map(tuple),
    spotter=st.sampled_from(("first-line-rifles", "battle-tank", "searchlight-car")),
    here=st.integers(0, 25),
    there=st.integers(0, 25),
    sector=st.sampled_from(Compass),
)
def test_lamps_only_ever_add_to_what_is_seen_and_as_the_rules_read_a_second_time(
    blocks: tuple[Block, ...], spotter: str, here: int, there: int, sector: Compass
) -> None:
    dark = planet(*(("." * 26,) * 3), sector=sector)
    pieces = unit(A, at=(here, 0), kind=spotter), unit(B, at=(there, 1), kind="elite-guard")
    lit = ground_truth(*pieces, body=lamplit(dark, *blocks))
    seen = identified(lit)
    assert set(identified(ground_truth(*pieces, body=dark))) <= set(seen)
    men = sight.men_of(lit)
    assert bool(seen) is sight.spots(lit, men, *men)


WALLED = planet("............", ".....4......", ".....4......", ".....4......")


@pytest.mark.parametrize(
    ("spotter", "target", "finds"),
    [
        ("battle-tank", "battle-tank", True),
        ("first-line-rifles", "battle-tank", False),
        ("battle-tank", "tracked-jammer", False),
        ("shade", "tracked-jammer", True),
        ("shade", "elite-guard", False),
        ("ground-sensor", "battle-tank", True),
        ("ground-sensor", "elite-guard", False),
    ],
    ids=["sensors", "infantry", "ECM", "BH through ECM", "stealth", "remote", "remote, stealth"],
)
def test_sensors_identify_within_ten_inches_without_sight(
    spotter: str, target: str, finds: bool
) -> None:
    truth = ground_truth(
        unit(A, at=(3, 1), kind=spotter), unit(B, at=(7, 1), kind=target), body=WALLED
    )
    assert identified(truth) == (["B/G1"] if finds else [])


def test_ecm_of_a_friend_covers_a_token() -> None:
    tank = unit(B, at=(7, 1), kind="battle-tank")
    jammer = unit(B, 2, (9, 1), "tracked-jammer", hidden=True)
    truth = ground_truth(unit(A, at=(3, 1), kind="battle-tank"), tank, jammer, body=WALLED)
    assert identified(truth) == []


def test_a_fighter_above_identifies_all_tokens_by_day_and_none_by_night() -> None:
    for sector, square, known in ((Compass.N, (15, 11), ["B/G1"]), (Compass.S, (15, 13), [])):
        body = planet(*(("." * 26,) * 3), sector=sector)
        eyes = fighter("A", square)
        hidden = unit(B, 2, (20, 2), hidden=True)
        truth = ground_truth(
            unit(B, at=(20, 0), kind="elite-guard"), hidden, ships=(eyes,), body=body
        )
        assert identified(truth) == known


def test_the_owner_is_told_unless_every_spotter_is_hidden() -> None:
    for hidden in (False, True):
        truth = ground_truth(unit(A, hidden=hidden), unit(B, at=(1, 0)))
        events = list(surface.spottings(seeing(truth, A, BG1)))
        assert PieceIdentified(piece=BG1, side=A, is_told=not hidden) in events


def test_what_is_known_is_not_identified_again() -> None:
    truth = seeing(ground_truth(unit(A), unit(B, at=(1, 0))), A, BG1, identified=True)
    assert list(surface.spottings(truth)) == []


@pytest.mark.parametrize(
    ("enemy", "at", "exposed"),
    [
        ("first-line-rifles", (1, 0), True),
        ("first-line-rifles", (2, 0), False),
        ("ground-sensor", (1, 0), False),
        ("wheeled-probe", (6, 0), True),
        ("wheeled-probe", (9, 0), False),
    ],
    ids=["near", "not near", "a remote sensor", "a probe", "out of the probe's reach"],
)
def test_a_hidden_unit_is_exposed_by_who_comes_near_or_probes(
    enemy: str, at: tuple[int, int], exposed: bool
) -> None:
    truth = ground_truth(unit(A, at=at, kind=enemy), unit(B, 2, (0, 0), hidden=True))
    events = list(surface.spottings(seeing(truth, A)))
    assert events == ([HiddenExposed(piece=BG2, side=A)] if exposed else [])


@pytest.mark.parametrize(
    ("enemy", "wanted", "shown"),
    [(None, True, Shown.BLIP), (None, False, Shown.IDENTIFIED), ((11, 5), True, Shown.IDENTIFIED)],
    ids=["unseen, as a token", "unseen, openly", "seen"],
)
def test_a_hidden_unit_that_moves_becomes_a_token_only_if_nobody_sees_it(
    enemy: tuple[int, int] | None, wanted: bool, shown: Shown
) -> None:
    enemies = [] if enemy is None else [unit(B, at=enemy)]
    before = ground_truth(unit(A, hidden=True, at=(11, 1)), *enemies)
    move = UnitMoved(piece=AG1, cells=(Cell(11, 2),))
    after = applied(before, [move])
    tokens = frozenset({AG1}) if wanted else frozenset()
    shows = surface.uncovered(before, after, [move], tokens)
    assert shows == {AG1: shown}
    revealed = seeing(applied(after, surface.uncoverings(shows)), B)
    gained = list(surface.gains(revealed, shows))
    assert gained == [TokenGained(piece=AG1, side=B, identified=shown is Shown.IDENTIFIED)]


def test_the_first_cell_counts_as_well_as_the_last() -> None:
    # The enemy sees where the move began, not where it ended, behind the wall.
    before = ground_truth(unit(A, hidden=True, at=(4, 3)), unit(B, at=(0, 3)), body=WALLED)
    move = UnitMoved(piece=AG1, cells=(Cell(5, 3), Cell(6, 2)))
    after = applied(before, [move])
    shows = surface.uncovered(before, after, [move], frozenset({AG1}))
    assert shows == {AG1: Shown.IDENTIFIED}


def test_a_hidden_unit_that_stays_is_no_token() -> None:
    truth = ground_truth(unit(A, hidden=True), unit(B, at=(11, 5)))
    halted = UnitMoved(piece=AG1, cells=())
    assert surface.uncovered(truth, truth, [halted], frozenset()) == {}


def test_a_fighter_stands_in_the_central_zone_only_where_it_touches_the_body() -> None:
    truth = ground_truth(ships=(fighter("B", (15, 11)),))
    assert surface.overhead(truth, B) == (SITE,)
    far = _replace(fighter("B", (15, 11)), square=Square(16, 12))
    assert surface.overhead(ground_truth(ships=(far,)), B) == ()
