"""The owner's copy of its pieces holds what the truth holds of them, and no piece of others."""

import pytest
from msgspec.structs import replace

from builders.agents import AP1, AP2, AS1, agent, agents_truth, shuttler, yacht
from builders.blips import able, remote
from builders.capital import FLIGHT
from builders.ground import AG1, BG1, FAR_SITE, SITE, ground_classes, unit
from builders.learned import HABIT
from builders.truths import A1, B1, CRUISER, A, B, ship, truth_of
from sunglare_protocol.geometry import Compass, Landing, Square, Vector
from sunglare_protocol.ids import Handle, OwnId, audience_of
from sunglare_protocol.surface import Build, Cell, GroundKind, Quality
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.search import FightPolicy, Strike
from sunglare_rules.ground.builds import height_of_kind
from sunglare_server.match.data.scenario import AreaData
from sunglare_server.match.fog import ground as ground_fog
from sunglare_server.match.ids import piece_id
from sunglare_server.match.intel.agents import OwnStance
from sunglare_server.match.intel.ground import HeldToken, OwnMissile, TokenMarker
from sunglare_server.match.intel.space import Intel, OwnVolley
from sunglare_server.match.kinds import Stance
from sunglare_server.match.own.ground import own_agents, own_missiles, own_units, with_ground
from sunglare_server.match.own.ships import own_pieces, renewed
from sunglare_server.match.truth.truth import ShipTruth, Volley

S1, G1, P1, P2 = OwnId("S1"), OwnId("G1"), OwnId("P1"), OwnId("P2")
KIND = replace(CRUISER, screens=2, point_defence=3, flights=4, thrust=6)
FULL = replace(
    ship(A, at=(3, 4), kind=KIND),
    vector=Vector(1, -2),
    facing=Compass.SE,
    landing=Landing(body="Ceres", sector=Compass.N, environs=1),
    powered=False,
    starting=True,
    popped_out=True,
    cloaked=True,
    lost=("B1",),
    drive_losses=1,
    spent=("P1",),
    launched=1,
    volley=Volley(missiles=5, aim=Square(9, 9), cold=True, movements=1),
    damage=5,
    thrust_spent=2,
    thrust_used=4,
    habit=HABIT,
    detected=True,
    bound_for="off",
    heat=3,
)
RENAMED = {"id", "turrets", "volley", "controls"}
"""Fields of the owner's copy that are not called or not made as in the truth."""


def agree(one: object, other: object, *apart: str) -> None:
    """Check that of every field that both have, but for some, they say the same."""
    names = set(one.__struct_fields__) & set(other.__struct_fields__) - {*apart}  # type: ignore[attr-defined]
    said = {name: getattr(one, name) for name in names}
    assert said == {name: getattr(other, name) for name in names}


def copied(copy: object, of: object, *renamed: str) -> None:
    """Check that a copy says of every other field what its piece says."""
    for name in set(copy.__struct_fields__) - {*renamed}:  # type: ignore[attr-defined]
        assert getattr(copy, name) == getattr(of, name), name


def test_an_owner_knows_all_of_its_ship() -> None:
    [copy] = own_pieces(truth_of(FULL, ship(B)), A)
    copied(copy, FULL, *RENAMED)
    assert copy.id == FULL.own
    assert copy.turrets == tuple((turret.id, turret.arcs) for turret in FULL.turrets)
    assert copy.volley == OwnVolley(missiles=5, aim=Square(9, 9), cold=True, movements=1)
    assert copy.controls is None
    assert (copy.screens, copy.point_defence, copy.flights) == (2, 3, 3)


def test_an_owner_knows_how_the_jammers_of_its_ships_are_switched() -> None:
    on = able(A, (1, 1), "ECM")
    for ordered in (True, False):
        [copy] = own_pieces(truth_of(replace(on, ecm_on=ordered), ship(B)), A)
        assert copy.ecm is ordered


def test_a_remote_sensor_names_the_ship_that_controls_it() -> None:
    launcher = ship(A)
    probe = replace(remote(A, (5, 5), launcher), launcher=launcher.id)
    copies = own_pieces(truth_of(launcher, probe, ship(B)), A)
    assert [copy.controls for copy in copies] == [None, S1]


GONE = replace(remote(A, (5, 5)), fate=Fate.DESTROYED)
VOLLEY = replace(
    ship(A, 3), volley=Volley(missiles=5, aim=Square(9, 9), cold=False), fate=Fate.DESTROYED
)


@pytest.mark.parametrize("one", [GONE, VOLLEY], ids=["a remote sensor", "a volley"])
def test_what_was_launched_is_left_out_when_it_is_gone(one: ShipTruth) -> None:
    lost = replace(ship(A, 2), fate=Fate.DESTROYED)
    truth = truth_of(ship(A), lost, one, ship(B))
    assert [piece.id for piece in own_pieces(truth, A)] == ["S1", "S2"]
    back = replace(one, fate=Fate.IN_PLAY)
    kept = own_pieces(truth_of(ship(A), lost, back, ship(B)), A)
    assert [copy.id for copy in kept] == ["S1", "S2", one.own]


def test_the_copy_is_renewed_as_if_it_were_made_anew() -> None:
    probe = remote(A, (5, 5))
    before = truth_of(ship(A), ship(A, 2), ship(A, 3), probe, ship(B))
    own = own_pieces(before, A)
    assert renewed(own, before, before, A) is own
    moved = replace(before.ships[A1], square=Square(1, 1))
    theirs = replace(before.ships[B1], square=Square(2, 2))
    new = replace(ship(A, 4), square=Square(7, 7))
    late = remote(A, (6, 6))
    for changed in (
        {A1: moved},
        {B1: theirs},
        {A1: moved, B1: theirs},
        {probe.id: replace(probe, fate=Fate.DESTROYED)},
        {probe.id: replace(late, square=Square(6, 7))},
        {new.id: new},
        {A1: moved, new.id: new, piece_id(A, OwnId("R2")): replace(VOLLEY, own=OwnId("R2"))},
    ):
        after = replace(before, ships={**before.ships, **changed})
        assert renewed(own, before, after, A) == own_pieces(after, A)
    unchanged = replace(before, ships=dict(before.ships))
    assert renewed(own, before, unchanged, A) is own


# On the ground.

STANCE = Stance(fight=FightPolicy.FIGHT, wounds=(AP2, AP1), hides_by=AP2)
FOX = replace(
    agent(A, 1, combat=4, endurance=5, intelligence=6, leadership=2, npc=True, stacked=1),
    group=3,
    detected=True,
    stance=STANCE,
    wounds=1,
    captor=B,
    fate=Fate.ESCAPED,
)
ANT = agent(A, 2, at=AS1)
TANKS = replace(
    unit(A, 1, (3, 4), "tracked-jammer", hidden=True),
    damage=1,
    heat=2,
    ecm_on=False,
    silent_turn=7,
    fate=Fate.DESTROYED,
    type=replace(
        ground_classes()["tracked-jammer"],
        kind=GroundKind.MECH,
        jump=3,
        af=5,
        quality=Quality.STORMTROOPER,
        gunnery=6,
        dispensers=2,
    ),
)
SHIPPED = unit(A, 2, AS1)
TRUTH = agents_truth(
    FOX, ANT, agent(B), units=(TANKS, SHIPPED, unit(B)), ships=(yacht(A), shuttler(B))
)


def test_an_owner_knows_all_of_its_units() -> None:
    first, second = own_units(TRUTH, A)
    copied(first, TANKS, "id", "aboard")
    assert (first.id, first.aboard) == (G1, None)
    assert (second.id, second.aboard, second.site) == (OwnId("G2"), S1, None)


def test_an_owner_knows_all_of_its_agents() -> None:
    fox, ant = own_agents(TRUTH, A)
    for copy, original in ((fox, FOX), (ant, ANT)):
        copied(copy, original, "id", "aboard", "stacked", "stance")
    assert (fox.id, fox.aboard, fox.stacked) == (P1, None, G1)
    assert (ant.id, ant.aboard, ant.stacked) == (P2, S1, None)
    stance = OwnStance(fight=FightPolicy.FIGHT, wounds=(P2, P1), hides_by=P2)
    assert fox.stance == stance
    assert ant.stance == OwnStance(fight=Stance().fight, wounds=(), hides_by=None)


def test_an_owner_knows_its_own_missiles() -> None:
    theirs = replace(FLIGHT, piece=BG1, side=B)
    own = OwnMissile(ship=G1, weapon="D1", at=SITE, cell=Cell(4, 4), lands=2)
    assert own_missiles(replace(TRUTH, missiles=(theirs, FLIGHT)), A) == (own,)


def test_the_ground_is_copied_anew_when_anything_there_has_changed() -> None:
    copied = Intel(
        audience=audience_of(A), ground=own_units(TRUTH, A), agents=own_agents(TRUTH, A)
    )
    assert with_ground(copied, TRUTH, TRUTH, A) is copied
    flying = replace(TRUTH, missiles=(FLIGHT,))
    missiles = own_missiles(flying, A)
    assert with_ground(copied, TRUTH, flying, A) == replace(copied, missiles=missiles)
    for name, pieces in (("ground", TRUTH.ground), ("agents", TRUTH.agents)):
        for piece in pieces.values():
            shot = {**pieces, piece.id: replace(piece, fate=Fate.DESTROYED)}
            after = replace(TRUTH, **{name: shot})
            known = with_ground(copied, TRUTH, after, A)
            assert known.ground == own_units(after, A)
            assert known.agents == own_agents(after, A)
    search = replace(TRUTH.search, strikes={A: Strike.NONE, B: Strike.PATROL})
    chosen = with_ground(copied, TRUTH, replace(TRUTH, search=search), A)
    assert chosen.search.strike is Strike.NONE
    assert (chosen.ground, chosen.agents) == (copied.ground, copied.agents)


def test_own_pieces_on_the_ground_that_nothing_has_happened_to_are_kept_as_they_were() -> None:
    copied = Intel(
        audience=audience_of(A), ground=own_units(TRUTH, A), agents=own_agents(TRUTH, A)
    )
    for name, pieces in (("ground", TRUTH.ground), ("agents", TRUTH.agents)):
        own = next(piece for piece in pieces.values() if piece.side == A)
        after = replace(TRUTH, **{name: {**pieces, own.id: replace(own, fate=Fate.DESTROYED)}})
        known = with_ground(copied, TRUTH, after, A)
        before, now = getattr(copied, name), getattr(known, name)
        assert [new is old for new, old in zip(now, before, strict=True)] == [
            old.id != own.own for old in before
        ]


# What the owner is shown of it.

INTEL = Intel(
    audience=audience_of(A),
    ground=own_units(TRUTH, A),
    agents=own_agents(TRUTH, A),
    missiles=own_missiles(replace(TRUTH, missiles=(FLIGHT,)), A),
)


@pytest.mark.parametrize(("turn", "silent"), [(6, False), (7, True), (8, False)])
def test_an_own_unit_is_shown_with_its_class_and_its_state(turn: int, *, silent: bool) -> None:
    first, second = ground_fog.units(INTEL, turn)
    agree(first, INTEL.ground[0], "type")
    kind = TANKS.type
    agree(first, kind, "name", "weapons")
    assert (first.variant, first.silent) == ("tracked-jammer", silent)
    assert first.height == height_of_kind(kind.kind, kind.specials) != 1
    weapons = [(weapon.id, weapon.kind, weapon.damage) for weapon in first.weapons]
    assert weapons == [(weapon.id, weapon.kind, weapon.damages) for weapon in kind.weapons]
    assert (second.cell, second.aboard, second.silent) == (None, S1, False)


def test_an_own_agent_is_shown_with_all_that_is_known_of_him() -> None:
    for view, held in zip(ground_fog.agents(INTEL), INTEL.agents, strict=True):
        agree(view, held, "stance")
        agree(view.stance, held.stance)


def test_missiles_and_areas_are_shown_as_they_are() -> None:
    [missile] = ground_fog.missiles(INTEL)
    agree(missile, INTEL.missiles[0])
    [area] = ground_fog.areas((AreaData(at=SITE, cells=(1, 1, 3, 2)),))
    assert (area.site, area.cells) == (SITE, (1, 1, 3, 2))


TOKEN = HeldToken(
    handle=Handle("aaaaaa"),
    label="C10",
    site=SITE,
    cell=Cell(3, 4),
    turn=2,
    side=B,
    type="rifles",
    build=Build.INFANTRY,
    footprint=0,
)
MARK = TokenMarker(
    label="C1",
    site=FAR_SITE,
    cell=Cell(2, 2),
    turn=1,
    side=B,
    type="rifles",
    build=Build.MECH,
    footprint=2,
    fate=Fate.DESTROYED,
)


def test_maps_show_tokens_by_their_labels_and_then_memories() -> None:
    second = replace(TOKEN, label="C9")
    intel = replace(
        INTEL,
        sites=(SITE,),
        tokens={BG1: TOKEN, AG1: second},
        token_markers=(MARK, replace(MARK, site=SITE, label="C2")),
    )
    near, far = ground_fog.surfaces(intel)
    assert (near.site, near.seen, far.site, far.seen) == (SITE, True, FAR_SITE, False)
    assert [token.label for token in near.tokens] == ["C9", "C10", "C2"]
    agree(near.tokens[1], TOKEN)
    assert [token.label for token in far.tokens] == ["C1"]
    agree(far.tokens[0], MARK)
    assert far.tokens[0].handle is None


def test_without_maps_and_memories_no_surface_is_shown() -> None:
    assert ground_fog.surfaces(INTEL) == ()
    seen = ground_fog.surfaces(replace(INTEL, sites=(SITE,)))
    assert [(surface.site, surface.seen, surface.tokens) for surface in seen] == [(SITE, True, ())]
    [remembered] = ground_fog.surfaces(replace(INTEL, token_markers=(MARK,)))
    assert not remembered.seen
