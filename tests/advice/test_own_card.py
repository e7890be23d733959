"""The card of an own ship, line by line: what it is, carries and does, and what gives it away."""

import pytest
from msgspec.structs import replace

from builders.cases import cases
from builders.sections import cited, lines
from builders.terminals import AGENT, GUARD
from builders.views import ON_CERES, ON_ROCK, ROCK, S1, S2, own_ship, view
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import HuntView, OwnView, TrackersView, VolleyView, WeaponView
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.pieces import Arc, Relation
from sunglare_protocol.words.specials import Special
from sunglare_rules.advice.cards.why import look, why
from sunglare_rules.fire.weapons import has_arc

UNARMED = own_ship(weapons=(), turrets=())


def facts(ship: OwnView) -> tuple[str, ...]:
    """Return what the card of a ship says of it."""
    return lines(look(view(Phase.PLOT, ship), ship.id))


def reasons(ship: OwnView) -> tuple[str, ...]:
    """Return what the card of a ship says of what gives it away."""
    return lines(why(view(Phase.PLOT, ship), ship.id))


def plain(**fields: object) -> OwnView:
    """Return the frigate without weapons, with the fields given changed."""
    return replace(UNARMED, **fields)


FIRST = (
    "frigate, small, worth 4.",
    "At 7,27 (box B6), vector +0,+0.",
    "Facing N, thrust 3, plant on.",
    "Hull 8 of 8, screens 0.",
    "Hull sensors out, heat 0.",
)
DRIFT = "Without orders it drifts to 7,27 (box B6)."


def test_the_card_of_a_plain_ship_has_these_lines_and_no_more() -> None:
    assert facts(UNARMED) == (*FIRST, DRIFT)


@cases(
    ("fields", "fitted"),
    {
        "a shuttle": ({"shuttle": True}, ", shuttle"),
        "bays": ({"bays": 2}, ", bays for 2 ground units"),
        "both": ({"shuttle": True, "bays": 1}, ", shuttle, bays for 1 ground units"),
    },
)
def test_what_a_ship_carries_others_by_stands_in_its_first_line(
    fields: dict[str, object], fitted: str
) -> None:
    assert facts(plain(**fields)) == (f"frigate, small, worth 4{fitted}.", *FIRST[1:], DRIFT)


@pytest.mark.parametrize(
    ("powered", "starting", "plant"),
    [(True, False, "on"), (False, True, "starting"), (False, False, "off")],
)
def test_the_plant_is_on_or_starting_or_off(powered: bool, starting: bool, plant: str) -> None:
    found = facts(plain(powered=powered, starting=starting))
    assert found[2] == f"Facing N, thrust 3, plant {plant}."


@pytest.mark.parametrize(
    ("popped_out", "work", "state"),
    [(True, True, "out"), (False, True, "folded"), (False, False, "destroyed")],
)
def test_hull_sensors_are_out_or_folded_or_destroyed(
    popped_out: bool, work: bool, state: str
) -> None:
    found = facts(plain(popped_out=popped_out, hull_sensors_work=work))
    assert found[4] == f"Hull sensors {state}, heat 0."


SPY: dict[str, object] = {"agent_spaceship": True}
JAMMER = {"specials": (Special.ECM, Special.PRB)}
TENDER = {"specials": (Special.PRB, Special.RSD), "dispensers": 2}
LINES: dict[str, tuple[dict[str, object], str]] = {
    "a cloak": ({"cloak": True}, "Cloak off."),
    "under its cloak": ({"cloak": True, "cloaked": True}, "Cloak on."),
    "a broken cloak": ({"cloak": True, "cloak_works": False}, "Cloak destroyed."),
    "a probe": ({"specials": (Special.PRB,)}, "Abilities: PRB."),
    "a jammer that works": ({**JAMMER, "ecm": True}, "Abilities: ECM, PRB, jammer on."),
    "a jammer switched off": ({**JAMMER, "ecm": False}, "Abilities: ECM, PRB, jammer off."),
    "dispensers": (TENDER, "Abilities: PRB, 2 remote sensors a turn."),
    "a remote sensor": ({"controls": S2}, "Abilities: controlled by S2."),
    "a standing order": ({"bound_for": "Vesta"}, "Bound for Vesta."),
    "undetected": (SPY, "Agent spaceship, undetected."),
    "detected": ({**SPY, "detected": True}, "Agent spaceship, detected."),
    "point defence": ({"point_defence": 2}, "Point defence of 2."),
    "fighters": ({"flights": 3}, "Fighters aboard: 3."),
}


@pytest.mark.parametrize(("fields", "line"), LINES.values(), ids=LINES)
def test_a_ship_with_something_of_its_own_has_a_line_for_it(
    fields: dict[str, object], line: str
) -> None:
    assert facts(plain(**fields)) == (*FIRST, line, DRIFT)


@cases(
    ("square", "landing", "line"),
    {
        "on an asteroid": (ROCK.at, ON_ROCK, "Landed on Rock, sector E."),
        "on a planet": (Square(14, 13), ON_CERES, "Landed on Ceres, sector SW, environs 1."),
        "on a cell of its map": (
            Square(14, 13),
            replace(ON_CERES, cell=Cell(2, 3)),
            "Landed on Ceres, sector SW, environs 1, cell C4.",
        ),
    },
)
def test_a_landed_ship_says_where_and_drifts_nowhere(
    square: Square, landing: object, line: str
) -> None:
    assert facts(plain(square=square, landed=landing))[len(FIRST) :] == (line,)


def test_a_volley_says_where_it_goes_and_how_long_it_lives_and_does_not_drift() -> None:
    # A volley lives through three movements; this one has made one.
    volley = VolleyView(missiles=5, aim=Square(7, 24), movements=1)
    assert facts(plain(volley=volley))[len(FIRST) :] == (
        "A volley of 5, sent to 7,24 (box B5); 2 movements left.",
    )


def test_a_ship_lists_the_agents_and_troops_aboard_it_and_nobody_else() -> None:
    agents = tuple(
        replace(AGENT, id=OwnId(name), site=None, aboard=ship)
        for name, ship in (("P1", S1), ("P2", S2), ("P3", S1))
    )
    troops = tuple(
        replace(GUARD, id=OwnId(name), site=None, cell=None, aboard=ship)
        for name, ship in (("G1", S2), ("G2", S1))
    )
    here = (AGENT, GUARD)
    seen = replace(
        view(Phase.PLOT, UNARMED, plain(id=S2)),
        agents=(*agents, replace(here[0], id=OwnId("P4"))),
        ground=(*troops, replace(here[1], id=OwnId("G3"))),
    )
    assert lines(look(seen, S1))[len(FIRST)] == "Aboard: P1, P3, G2."
    assert lines(look(seen, S2))[len(FIRST)] == "Aboard: P2, G1."


BEAM = WeaponView(id="B1", kind=WeaponKind.BEAM, arc=Arc.FULL_FRONT)
PACK = WeaponView(id="K1", kind=WeaponKind.MKP, arc=Arc.FRONT, works=False)


@cases(
    ("weapon", "line"),
    {
        "of a class": (replace(BEAM, rank=2), "B1: beam 2, arc full front."),
        "in a turret": (replace(BEAM, arc=None, turret="T1"), "B1: beam 1, turret T1: right."),
        "that needs a relation": (
            replace(BEAM, needs=Relation.IN_FRONT),
            "B1: beam 1, arc full front, at what is in front.",
        ),
        "without arc": (
            WeaponView(id="M1", kind=WeaponKind.SALVO),
            "M1: salvo missile 1, needs no arc.",
        ),
        "spent": (replace(PACK, spent=True), "K1: mkp 1, arc front; spent."),
        "destroyed": (PACK, "K1: mkp 1, arc front; destroyed."),
    },
)
def test_a_weapon_is_listed_with_its_class_and_arc_and_whether_it_works(
    weapon: WeaponView, line: str
) -> None:
    ship = own_ship(weapons=(weapon,), firing_arcs=(Arc.RIGHT, Arc.FULL_FRONT))
    arcs = ("Firing arcs: right, full front.",) if has_arc(weapon.kind) else ()
    assert facts(ship) == (*FIRST, line, *arcs, DRIFT)


def test_a_ship_that_can_fire_through_no_arc_says_so_and_one_that_needs_none_does_not() -> None:
    gun = WeaponView(id="B1", kind=WeaponKind.BEAM, arc=Arc.FRONT, works=False)
    assert "Firing arcs: none." in facts(own_ship(weapons=(gun,)))
    launcher = WeaponView(id="M1", kind=WeaponKind.SALVO)
    assert not any("Firing arcs" in fact for fact in facts(own_ship(weapons=(launcher,))))


# What gives it away.


@cases(
    ("fields", "is_told"),
    {
        "in a well": ({"square": Square(13, 14)}, True),
        "in the open": ({}, False),
        "on the planet": ({"square": Square(14, 13), "landed": ON_CERES}, False),
        "on an asteroid": ({"square": ROCK.at, "landed": ON_ROCK}, False),
    },
)
def test_only_a_ship_that_flies_in_a_well_is_told_of_gravity(
    fields: dict[str, object], is_told: bool
) -> None:
    assert any("gravity pulls it" in line for line in reasons(plain(**fields))) is is_told


def test_a_ship_that_is_neither_cloaked_nor_hunted_is_told_of_no_hunt() -> None:
    assert not any("cloak" in part for line in reasons(UNARMED) for part in cited(line))


def test_a_cloaked_ship_is_told_by_what_it_is_heard() -> None:
    (line,) = (
        line
        for line in reasons(plain(cloak=True, cloaked=True, thrust_used=3))
        if "cloak §2" in cited(line)
    )
    assert line.startswith("It is cloaked and it used 3 thrust:")
    assert "a die below 3 - a - b" in line


@pytest.mark.parametrize(
    ("fix", "state"),
    [(Fix.MEMORY, "not found this turn"), (Fix.DETECTED, "detected"), (Fix.SOLUTION, "solution")],
)
def test_a_hunted_ship_is_told_how_it_is_held_and_what_the_trackers_show(
    fix: Fix, state: str
) -> None:
    hunt = HuntView(fix=fix, trackers=TrackersView())
    found = [line for line in reasons(plain(hunted=(hunt,))) if "cloak §3" in cited(line)]
    assert found[0].startswith(f"It is hunted, {state}. ")
    assert [line.split(":")[0] for line in found[1:]] == [
        "Heard by several ships",
        "Heard by one ship",
    ]
