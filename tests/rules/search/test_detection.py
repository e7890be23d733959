"""Detection: its causes, and how it spreads against an independent reckoning."""

from collections.abc import Hashable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.cases import cases
from builders.searches import (
    CAVES,
    FAR_TOWN,
    OVER_ORLOG,
    OVER_REDONDO,
    SPACE,
    TOWN,
    WILDS,
    A,
    B,
    agent,
    cruiser,
    hot,
    scene_of,
    yacht,
)
from sunglare_rules.search.agents import (
    Aboard,
    Agent,
    InOrbit,
    OnGround,
    Scene,
    Vessel,
    VesselPlace,
)
from sunglare_rules.search.detection import (
    VesselMove,
    alerts,
    closed,
    exposed,
    tracked,
    vessels_moved,
)

GROUNDS = st.sampled_from((TOWN, WILDS, CAVES, FAR_TOWN))
VESSEL_PLACES: st.SearchStrategy[VesselPlace] = st.sampled_from(
    (TOWN, WILDS, OVER_ORLOG, OVER_REDONDO, SPACE)
)
VESSEL_NAMES = ("V0", "V1", "V2", "V3")


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    """Draw a scene of two sides with four vessels and up to eight agents, not yet closed."""
    sides = st.sampled_from((A, B))
    vessels = tuple(
        Vessel(
            name=name,
            owner=draw(sides),
            at=draw(VESSEL_PLACES),
            is_agent_spaceship=(own := draw(st.booleans())),
            detected=own and draw(st.integers(0, 4)) == 0,
        )
        for name in VESSEL_NAMES
    )
    agents = tuple(
        draw(_agent(f"P{number}", vessels)) for number in range(draw(st.integers(0, 8)))
    )
    return Scene(agents=agents, vessels=vessels)


@st.composite
def _agent(draw: st.DrawFn, name: str, vessels: tuple[Vessel, ...]) -> Agent:
    owner = draw(st.sampled_from((A, B)))
    own = [Aboard(vessel.name) for vessel in vessels if vessel.owner == owner]
    at = draw(st.one_of(GROUNDS, st.sampled_from(own)) if own else GROUNDS)
    return agent(
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
    roots, places = Roots(), {vessel.name: vessel.at for vessel in scene.vessels}
    sparks: list[Hashable] = [
        ("vessel", vessel.name) for vessel in scene.vessels if vessel.detected
    ]
    for one_agent in scene.agents:
        me, place = ("agent", one_agent.name), one_agent.at
        if isinstance(place, Aboard):
            roots.join(me, ("vessel", place.vessel))
            outside: VesselPlace = places[place.vessel]
        else:
            outside = place
        if isinstance(outside, OnGround):
            roots.join(me, (one_agent.owner, "ground", outside.planet, outside.environs))
        elif isinstance(outside, InOrbit):
            roots.join(me, (one_agent.owner, "orbit", outside.planet))
        if one_agent.detected or one_agent.stacked:
            sparks.append(me)
    burning = {roots.root(spark) for spark in sparks}
    agents = [
        one_agent.name
        for one_agent in scene.agents
        if roots.root(("agent", one_agent.name)) in burning
    ]
    ships = [
        vessel.name
        for vessel in scene.vessels
        if vessel.is_agent_spaceship and roots.root(("vessel", vessel.name)) in burning
    ]
    return sorted(agents + ships)


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
    turned = replace(scene, agents=scene.agents[::-1], vessels=scene.vessels[::-1])
    assert hot(closed(turned)) == hot(closed(scene))
    assert alerts(closed(turned)) == alerts(closed(scene))


def aboard(ship: str) -> Agent:
    """Return Vane aboard a ship."""
    return agent("Vane", Aboard(ship))


@cases(
    ("at", "other", "infected"),
    {
        "one environs": (TOWN, agent("Vane"), True),
        "two environs": (TOWN, agent("Vane", WILDS), False),
        "two planets": (TOWN, agent("Vane", FAR_TOWN), False),
        "two owners": (TOWN, agent("Vane", owner=B), False),
        "town, orbit": (TOWN, aboard("Orbiter"), False),
        "town, landed": (TOWN, aboard("Lander"), True),
        "one orbit box": (Aboard("Orbiter"), aboard("Orbiter 2"), True),
        "two orbit boxes": (Aboard("Orbiter"), aboard("Farer"), False),
        "two ships in one spot of open space": (Aboard("Drifter"), aboard("Drifter 2"), False),
        "one ship in open space": (Aboard("Drifter"), aboard("Drifter"), True),
    },
)
def test_detection_spreads_within_one_place_of_one_owner(
    at: OnGround | Aboard, other: Agent, infected: bool
) -> None:
    scene = scene_of(
        agent("Hot", at),
        other,
        cruiser("Orbiter"),
        cruiser("Orbiter 2"),
        cruiser("Lander", TOWN),
        cruiser("Farer", OVER_REDONDO),
        cruiser("Drifter", SPACE),
        cruiser("Drifter 2", SPACE),
    )
    assert hot(exposed(scene, ["Hot"])) == (["Hot", "Vane"] if infected else ["Hot"])


def test_a_ship_and_its_crew_detect_each_other_but_no_empty_ship_nearby() -> None:
    scene = scene_of(
        agent("Rusk", Aboard("Yacht")), agent("Vane", Aboard("Yacht")), yacht(), yacht("Empty")
    )
    assert hot(exposed(scene, ["Rusk"])) == ["Rusk", "Vane", "Yacht"]
    assert hot(tracked(scene, "Yacht")) == ["Rusk", "Vane", "Yacht"]
    assert hot(tracked(scene, "Empty")) == ["Empty"]


def test_a_starship_has_no_flag_even_with_detected_agents_aboard() -> None:
    scene = scene_of(agent("Rusk", Aboard("Cruiser")), cruiser())
    assert hot(tracked(scene, "Cruiser")) == []
    assert hot(exposed(scene, ["Rusk"])) == ["Rusk"]


@pytest.mark.parametrize(
    ("place", "detected"), [(OVER_ORLOG, True), (SPACE, False), (TOWN, False)], ids=str
)
def test_tracking_detects_an_agent_spaceship_in_an_orbit_box_only(
    place: VesselPlace, detected: bool
) -> None:
    assert bool(hot(tracked(scene_of(yacht(at=place)), "Yacht"))) is detected


def test_merely_orbiting_beside_enemies_or_with_troops_below_is_no_cause() -> None:
    scene = scene_of(
        agent("Rusk", Aboard("Cruiser")),
        agent("Vane", Aboard("Yacht")),
        cruiser(),
        yacht(),
        cruiser("Enemy", owner=B),
        troops=((A, TOWN), (B, TOWN)),
    )
    assert hot(closed(scene)) == []


def test_landing_in_an_agent_spaceship_is_no_cause() -> None:
    scene = scene_of(agent("Rusk", Aboard("Yacht")), yacht())
    assert hot(vessels_moved(scene, [VesselMove("Yacht", TOWN)])) == []


def test_whoever_stands_with_troops_detects_the_rest_of_the_environs() -> None:
    scene = scene_of(agent("Led", stacked=True), agent("Rusk"), agent("Far", WILDS))
    assert hot(closed(scene)) == ["Led", "Rusk"]
