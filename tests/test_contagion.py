"""Detection: its causes, how it spreads against an independent reckoning, what ends it."""

from collections.abc import Hashable, Sequence
from itertools import permutations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrigs import (
    CAVES,
    FAR_TOWN,
    ORLOG,
    OVER_ORLOG,
    OVER_REDONDO,
    REDONDO,
    TOWN,
    WILDS,
    A,
    B,
    cruiser,
    hot,
    person,
    yacht,
)
from sunglare_protocol.geometry import Board as Map
from sunglare_protocol.geometry import Planet, PlanetSize, Square
from sunglare_rules.agents import (
    Aboard,
    Character,
    InOrbit,
    InSpace,
    OnGround,
    Scene,
    Vessel,
    VesselPlace,
    mission_groups,
    orbit_or_space,
    planet_of,
    searchable,
    stacked_at,
    unstacked_at,
)
from sunglare_rules.contagion import (
    Alert,
    Bound,
    Move,
    alerts,
    closed,
    exposed,
    tracked,
    vessels_moved,
    without,
)
from sunglare_rules.footwork import Step, Walk, stepped

SPACE = InSpace(Square(3, 3))
AWAY = Bound(planet=REDONDO)
SEA = OnGround(ORLOG, 4)

GROUNDS = st.sampled_from((TOWN, WILDS, CAVES, FAR_TOWN))
VESSEL_PLACES: st.SearchStrategy[VesselPlace] = st.sampled_from(
    (TOWN, WILDS, OVER_ORLOG, OVER_REDONDO, SPACE)
)
VESSEL_NAMES = ("V0", "V1", "V2", "V3")


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    """Draw a scene of two sides with four vessels and up to eight characters, not yet closed."""
    sides = st.sampled_from((A, B))
    vessels = tuple(
        Vessel(
            name=name,
            owner=draw(sides),
            at=draw(VESSEL_PLACES),
            is_character_spaceship=(own := draw(st.booleans())),
            detected=own and draw(st.integers(0, 4)) == 0,
        )
        for name in VESSEL_NAMES
    )
    characters = tuple(
        draw(_character(f"P{number}", vessels)) for number in range(draw(st.integers(0, 8)))
    )
    return Scene(characters=characters, vessels=vessels)


@st.composite
def _character(draw: st.DrawFn, name: str, vessels: tuple[Vessel, ...]) -> Character:
    owner = draw(st.sampled_from((A, B)))
    own = [Aboard(each.name) for each in vessels if each.owner == owner]
    at = draw(st.one_of(GROUNDS, st.sampled_from(own)) if own else GROUNDS)
    return person(
        name,
        at,
        owner=owner,
        detected=draw(st.integers(0, 4)) == 0,
        stacked=isinstance(at, OnGround) and draw(st.integers(0, 9)) == 0,
    )


class Roots:
    """A union-find over whatever can be hashed."""

    def __init__(self) -> None:
        self._above: dict[Hashable, Hashable] = {}

    def root(self, node: Hashable) -> Hashable:
        """Return the node that stands for the component of `node`."""
        while (above := self._above.get(node, node)) != node:
            node = above
        return node

    def join(self, one: Hashable, other: Hashable) -> None:
        """Make one component of two."""
        self._above[self.root(one)] = self.root(other)


def reckoned(scene: Scene) -> list[str]:
    """Return who is detected in the end, by components instead of by spreading."""
    roots, places = Roots(), {each.name: each.at for each in scene.vessels}
    sparks: list[Hashable] = [("vessel", each.name) for each in scene.vessels if each.detected]
    for each in scene.characters:
        me, place = ("person", each.name), each.at
        if isinstance(place, Aboard):
            roots.join(me, ("vessel", place.vessel))
            outside: VesselPlace = places[place.vessel]
        else:
            outside = place
        if isinstance(outside, OnGround):
            roots.join(me, (each.owner, "ground", outside.planet, outside.environs))
        elif isinstance(outside, InOrbit):
            roots.join(me, (each.owner, "orbit", outside.planet))
        if each.detected or each.stacked:
            sparks.append(me)
    burning = {roots.root(spark) for spark in sparks}
    people = [
        each.name for each in scene.characters if roots.root(("person", each.name)) in burning
    ]
    ships = [
        each.name
        for each in scene.vessels
        if each.is_character_spaceship and roots.root(("vessel", each.name)) in burning
    ]
    return sorted(people + ships)


@given(scenes())
def test_the_closure_is_what_components_make_of_it(scene: Scene) -> None:
    assert hot(closed(scene)) == reckoned(scene)


@given(scenes())
def test_closing_twice_changes_nothing_and_closing_never_clears(scene: Scene) -> None:
    once = closed(scene)
    assert closed(once) == once
    assert set(hot(scene)) <= set(hot(once))


@given(scenes(), st.sampled_from([f"P{number}" for number in range(8)]))
def test_one_more_detected_never_means_fewer_detected(scene: Scene, name: str) -> None:
    assert set(hot(closed(scene))) <= set(hot(exposed(scene, [name])))


@given(scenes())
def test_the_order_of_the_pieces_does_not_matter(scene: Scene) -> None:
    turned = msgspec.structs.replace(
        scene, characters=scene.characters[::-1], vessels=scene.vessels[::-1]
    )
    assert hot(closed(turned)) == hot(closed(scene))
    assert alerts(closed(turned)) == alerts(closed(scene))


@pytest.mark.parametrize(
    ("one", "other", "infected"),
    [
        pytest.param(person("Hot"), person("Vane"), True, id="one environs"),
        pytest.param(person("Hot"), person("Vane", WILDS), False, id="two environs"),
        pytest.param(person("Hot"), person("Vane", FAR_TOWN), False, id="two planets"),
        pytest.param(person("Hot"), person("Vane", owner=B), False, id="two owners"),
        pytest.param(person("Hot"), person("Vane", Aboard("Orbiter")), False, id="town, orbit"),
        pytest.param(person("Hot"), person("Vane", Aboard("Lander")), True, id="town, landed"),
        pytest.param(
            person("Hot", Aboard("Orbiter")),
            person("Vane", Aboard("Orbiter 2")),
            True,
            id="one orbit box",
        ),
        pytest.param(
            person("Hot", Aboard("Orbiter")),
            person("Vane", Aboard("Farer")),
            False,
            id="two orbit boxes",
        ),
        pytest.param(
            person("Hot", Aboard("Drifter")),
            person("Vane", Aboard("Drifter 2")),
            False,
            id="two ships in one spot of open space",
        ),
        pytest.param(
            person("Hot", Aboard("Drifter")),
            person("Vane", Aboard("Drifter")),
            True,
            id="one ship in open space",
        ),
    ],
)
def test_detection_spreads_within_one_place_of_one_owner(
    one: Character, other: Character, infected: bool
) -> None:
    vessels = (
        cruiser("Orbiter"),
        cruiser("Orbiter 2"),
        cruiser("Lander", TOWN),
        cruiser("Farer", OVER_REDONDO),
        cruiser("Drifter", SPACE),
        cruiser("Drifter 2", SPACE),
    )
    scene = Scene(characters=(one, other), vessels=vessels)
    assert hot(exposed(scene, ["Hot"])) == (["Hot", "Vane"] if infected else ["Hot"])


def test_a_ship_and_its_crew_detect_each_other_but_no_empty_ship_nearby() -> None:
    scene = Scene(
        characters=(person("Rusk", Aboard("Yacht")), person("Vane", Aboard("Yacht"))),
        vessels=(yacht(), yacht("Empty")),
    )
    assert hot(exposed(scene, ["Rusk"])) == ["Rusk", "Vane", "Yacht"]
    assert hot(tracked(scene, "Yacht")) == ["Rusk", "Vane", "Yacht"]
    assert hot(tracked(scene, "Empty")) == ["Empty"]


def test_a_starship_has_no_flag_even_with_detected_people_aboard() -> None:
    scene = Scene(characters=(person("Rusk", Aboard("Cruiser")),), vessels=(cruiser(),))
    assert hot(tracked(scene, "Cruiser")) == []
    assert hot(exposed(scene, ["Rusk"])) == ["Rusk"]


@pytest.mark.parametrize(
    ("place", "detected"), [(OVER_ORLOG, True), (SPACE, False), (TOWN, False)], ids=str
)
def test_tracking_detects_a_character_spaceship_in_an_orbit_box_only(
    place: VesselPlace, detected: bool
) -> None:
    assert bool(hot(tracked(Scene(vessels=(yacht(at=place),)), "Yacht"))) is detected


def test_merely_orbiting_beside_enemies_or_with_troops_below_is_no_cause() -> None:
    scene = Scene(
        characters=(person("Rusk", Aboard("Cruiser")), person("Vane", Aboard("Yacht"))),
        vessels=(cruiser(), yacht(), cruiser("Enemy", owner=B)),
        troops=((A, TOWN), (B, TOWN)),
    )
    assert hot(closed(scene)) == []


def test_landing_in_a_character_spaceship_is_no_cause() -> None:
    scene = Scene(characters=(person("Rusk", Aboard("Yacht")),), vessels=(yacht(),))
    assert hot(vessels_moved(scene, [Move("Yacht", TOWN)])) == []


def test_whoever_stands_with_troops_detects_the_rest_of_the_environs() -> None:
    scene = Scene(characters=(person("Led", stacked=True), person("Rusk"), person("Far", WILDS)))
    assert hot(closed(scene)) == ["Led", "Rusk"]


def flight(*moves: Move, detected: bool = True) -> Scene:
    """Return a scene after one yacht with Rusk aboard made moves, one a turn, from Orlog."""
    scene = Scene(
        characters=(person("Rusk", Aboard("Yacht"), detected=detected),),
        vessels=(yacht(detected=detected),),
    )
    for move in moves:
        scene = vessels_moved(scene, [move])
    return scene


OUT, DRIFT = Move("Yacht", SPACE, AWAY), Move("Yacht", SPACE)
TO_REDONDO, BACK = Move("Yacht", OVER_REDONDO), Move("Yacht", OVER_ORLOG)


@pytest.mark.parametrize(
    ("moves", "detected"),
    [
        pytest.param([], True, id="staying"),
        pytest.param([Move("Yacht", OVER_ORLOG, AWAY)], True, id="the order alone"),
        pytest.param([OUT], False, id="leaving with the order clears at once"),
        pytest.param([Move("Yacht", SPACE, Bound())], False, id="for off the map too"),
        pytest.param([DRIFT], True, id="drifting out clears nothing"),
        pytest.param([Move("Yacht", SPACE, Bound(planet=ORLOG))], True, id="bound for the same"),
        pytest.param([OUT, TO_REDONDO], False, id="arriving"),
        pytest.param([OUT, DRIFT, TO_REDONDO], False, id="arriving later"),
        pytest.param([TO_REDONDO], False, id="straight into the other box"),
        pytest.param([DRIFT, TO_REDONDO], True, id="drifting over"),
        pytest.param([DRIFT, OUT, TO_REDONDO], True, id="the order comes too late"),
        pytest.param([OUT, BACK], True, id="coming back"),
        pytest.param([OUT, DRIFT, BACK], True, id="coming back later"),
        pytest.param([OUT, TO_REDONDO, DRIFT, BACK], False, id="back after the other planet"),
        pytest.param([OUT, BACK, OUT], False, id="out again"),
        pytest.param([OUT, BACK, DRIFT], True, id="back, then adrift"),
        pytest.param([Move("Yacht", TOWN)], True, id="landing"),
        pytest.param([Move("Yacht", TOWN), BACK], True, id="lifting off again"),
    ],
)
def test_detection_ends_only_on_leaving_for_another_planet(
    moves: list[Move], detected: bool
) -> None:
    assert hot(flight(*moves)) == (["Rusk", "Yacht"] if detected else [])


@pytest.mark.parametrize("moves", [[OUT, BACK], [OUT, TO_REDONDO], [DRIFT, BACK]], ids=str)
def test_coming_back_detects_nobody_who_was_not_before(moves: list[Move]) -> None:
    assert hot(flight(*moves, detected=False)) == []


def test_those_left_behind_keep_the_flag_and_those_who_leave_lose_it() -> None:
    scene = Scene(
        characters=(
            person("Rusk", Aboard("Yacht"), detected=True),
            person("Vane", Aboard("Cruiser"), detected=True),
            person("Lone", detected=True),
        ),
        vessels=(yacht(detected=True), cruiser(), yacht("Empty", detected=True)),
    )
    assert hot(vessels_moved(scene, [OUT])) == ["Empty", "Lone", "Vane"]


def test_people_aboard_a_starship_shake_detection_off_too() -> None:
    scene = Scene(
        characters=(person("Rusk", Aboard("Cruiser"), detected=True),), vessels=(cruiser(),)
    )
    away = vessels_moved(scene, [Move("Cruiser", SPACE, AWAY)])
    assert hot(away) == []
    assert hot(vessels_moved(away, [Move("Cruiser", OVER_ORLOG)])) == ["Rusk"]


def test_a_detected_friend_at_the_other_end_infects_anew() -> None:
    scene = Scene(
        characters=(
            person("Rusk", Aboard("Yacht"), detected=True),
            person("Hot", Aboard("Host"), detected=True),
        ),
        vessels=(yacht(detected=True), cruiser("Host", OVER_REDONDO)),
    )
    assert hot(vessels_moved(scene, [TO_REDONDO])) == ["Hot", "Rusk", "Yacht"]


def test_an_undetected_friend_at_the_other_end_stays_so_for_clearing_comes_first() -> None:
    scene = Scene(
        characters=(
            person("Rusk", Aboard("Yacht"), detected=True),
            person("Clean", Aboard("Host")),
        ),
        vessels=(yacht(detected=True), cruiser("Host", OVER_REDONDO)),
    )
    assert hot(vessels_moved(scene, [TO_REDONDO])) == []


def test_ships_that_pass_one_another_do_not_meet() -> None:
    scene = Scene(
        characters=(
            person("Hot", Aboard("Yacht"), detected=True),
            person("Clean", Aboard("Host")),
        ),
        vessels=(yacht(detected=True), cruiser("Host", SPACE)),
    )
    moves = [Move("Yacht", SPACE), Move("Host", OVER_ORLOG)]
    for order in permutations(moves):
        assert hot(vessels_moved(scene, order)) == ["Hot", "Yacht"]


def test_ships_that_leave_together_arrive_together_without_infecting_each_other() -> None:
    scene = Scene(
        characters=(
            person("Rusk", Aboard("Yacht"), detected=True),
            person("Vane", Aboard("Host"), detected=True),
        ),
        vessels=(yacht(detected=True), cruiser("Host")),
    )
    moves = [TO_REDONDO, Move("Host", OVER_REDONDO)]
    assert [hot(vessels_moved(scene, order)) for order in permutations(moves)] == [[], []]


def test_with_a_lost_vessel_go_those_aboard_and_nothing_else_changes() -> None:
    scene = Scene(
        characters=(
            person("Rusk", Aboard("Yacht"), detected=True),
            person("Vane", detected=True),
            person("Dray", WILDS),
        ),
        vessels=(yacht(detected=True), cruiser()),
    )
    after = without(scene, ["Yacht", "Dray"])
    assert [each.name for each in after.characters] == ["Vane"]
    assert [each.name for each in after.vessels] == ["Cruiser"]
    assert hot(after) == ["Vane"]


WALKS = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from((1, 2, 3, 4))), min_size=1, max_size=10
)
STARTS = st.lists(st.sampled_from((TOWN, WILDS, CAVES, SEA)), min_size=5, max_size=5)


@given(STARTS, WALKS)
def test_walks_infect_along_the_meetings_in_their_order(
    starts: list[OnGround], walks: list[tuple[int, int]]
) -> None:
    scene = closed(
        Scene(characters=tuple(person(f"P{at}", place) for at, place in enumerate(starts)))
    )
    scene = exposed(scene, ["P0"])
    places = {f"P{at}": place.environs for at, place in enumerate(starts)}
    sick = {name for name, place in places.items() if place == places["P0"]}
    for who, to in walks:
        scene = stepped(scene, f"P{who}", Walk(to))
        places[f"P{who}"] = to
        present = {name for name, place in places.items() if place == to}
        sick |= present if sick & present else set()
    assert hot(scene) == sorted(sick)


def after_steps(scene: Scene, steps: Sequence[tuple[str, Step]]) -> Scene:
    """Return a scene after steps of characters, in that order."""
    for name, step in steps:
        scene = stepped(scene, name, step)
    return scene


@given(st.permutations((1, 2, 3, 4)), st.lists(st.integers(1, 4), max_size=4), st.booleans())
def test_the_order_of_two_steps_matters_only_if_they_touch_a_common_place(
    apart: list[int], bystanders: list[int], detected: bool
) -> None:
    one, other, one_to, other_to = apart
    others = (person(f"Q{at}", OnGround(ORLOG, to)) for at, to in enumerate(bystanders))
    walkers = (
        person("P0", OnGround(ORLOG, one), detected=detected),
        person("P1", OnGround(ORLOG, other)),
    )
    scene = closed(Scene(characters=(*walkers, *others)))
    steps: tuple[tuple[str, Step], ...] = (("P0", Walk(one_to)), ("P1", Walk(other_to)))
    assert after_steps(scene, steps) == after_steps(scene, steps[::-1])


def test_the_order_of_steps_matters_through_a_meeting_on_the_way() -> None:
    scene = Scene(characters=(person("Hot", detected=True), person("Vane", WILDS)))
    hot_leaves: tuple[str, Step] = ("Hot", Walk(3))
    vane_comes: tuple[str, Step] = ("Vane", Walk(1))
    assert hot(after_steps(scene, [hot_leaves, vane_comes])) == ["Hot"]
    assert hot(after_steps(scene, [vane_comes, hot_leaves])) == ["Hot", "Vane"]


def test_alerts_name_places_once_and_in_one_order() -> None:
    scene = Scene(
        characters=(
            person("Rusk", Aboard("Yacht"), detected=True),
            person("Vane", WILDS, detected=True),
            person("Dray", WILDS, detected=True),
            person("Clean", TOWN),
            person("Far", Aboard("Drifter"), detected=True),
            person("Foe", TOWN, owner=B, detected=True),
        ),
        vessels=(yacht(detected=True), cruiser("Drifter", SPACE), yacht("Lost", CAVES)),
    )
    assert alerts(scene) == (
        Alert(A, WILDS),
        Alert(A, OVER_ORLOG),
        Alert(A, Aboard("Drifter")),
        Alert(A, Aboard("Yacht")),
        Alert(B, TOWN),
    )


def test_a_detected_empty_ship_raises_an_alert_where_it_stands() -> None:
    scene = Scene(vessels=(yacht(at=CAVES, detected=True),))
    assert alerts(scene) == (Alert(A, CAVES), Alert(A, Aboard("Yacht")))


def test_an_alert_does_not_tell_how_many_are_there() -> None:
    few = Scene(characters=(person("Rusk", detected=True),))
    many = Scene(characters=tuple(person(f"P{at}", detected=True) for at in range(6)))
    assert alerts(few) == alerts(many)


TOGETHER = Scene(
    characters=(
        person("Free", detected=True, mission=2),
        person("Led", stacked=True, detected=True),
        person("Inside", Aboard("Landed"), detected=True),
        person("Other", WILDS, detected=True, mission=1),
        person("Foe", owner=B, detected=True, mission=4),
        person("Second", detected=True, mission=1),
    ),
    vessels=(yacht("Landed", TOWN, detected=True),),
)


def test_a_search_is_for_the_detected_without_troops_of_one_environs() -> None:
    names = [each.name for each in searchable(TOGETHER, A, TOWN)]
    assert names == ["Free", "Inside", "Second"]
    assert [each.name for each in searchable(TOGETHER, A, TOWN, 2)] == ["Free"]
    assert searchable(TOGETHER, A, FAR_TOWN) == ()


def test_nobody_is_searched_for_who_is_not_detected() -> None:
    scene = Scene(characters=(person("Rusk"), person("Vane", WILDS, detected=True)))
    assert searchable(scene, A, TOWN) == ()
    assert [each.name for each in unstacked_at(scene, A, TOWN)] == ["Rusk"]


def test_leaders_are_those_who_stand_with_the_troops() -> None:
    assert [each.name for each in stacked_at(TOGETHER, A, TOWN)] == ["Led"]
    assert stacked_at(TOGETHER, A, WILDS) == ()


def test_mission_groups_are_counted_by_environs_and_owner() -> None:
    assert mission_groups(TOGETHER, A, TOWN) == (1, 2)
    assert mission_groups(TOGETHER, A, WILDS) == (1,)
    assert mission_groups(TOGETHER, B, TOWN) == (4,)


def test_an_orbit_box_is_the_well_of_the_nearest_planet() -> None:
    near = Planet(name=ORLOG, at=Square(10, 10), size=PlanetSize.SMALL)
    far = Planet(name=REDONDO, at=Square(30, 30), size=PlanetSize.SMALL)
    board = Map(planets=(near, far))
    assert orbit_or_space(board, Square(11, 10)) == OVER_ORLOG
    assert orbit_or_space(board, Square(30, 31)) == OVER_REDONDO
    assert orbit_or_space(board, Square(20, 20)) == InSpace(Square(20, 20))
    close = msgspec.structs.replace(far, at=Square(12, 10))
    for planets in permutations((near, close)):
        crowded = Map(planets=planets)
        assert orbit_or_space(crowded, Square(9, 10)) == OVER_ORLOG
        assert orbit_or_space(crowded, Square(13, 10)) == OVER_REDONDO
        assert orbit_or_space(crowded, Square(11, 10)) == InOrbit(planets[0].name)


@pytest.mark.parametrize(
    ("place", "planet"), [(TOWN, ORLOG), (OVER_REDONDO, REDONDO), (SPACE, None)], ids=str
)
def test_ground_and_orbit_box_belong_to_a_planet(place: VesselPlace, planet: str | None) -> None:
    assert planet_of(place) == planet


@pytest.mark.parametrize("name", ["Rusk", "Yacht"])
def test_a_scene_knows_nobody_who_is_not_in_it(name: str) -> None:
    with pytest.raises(KeyError):
        Scene().character(name)
    with pytest.raises(KeyError):
        Scene().vessel(name)
