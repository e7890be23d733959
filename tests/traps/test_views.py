"""What a view, a frame or a snapshot must never hold: true names, classes, cargo, the past."""

import inspect
from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from builders.matches import Course, scenario_of, view_of
from builders.played import Rig, audiences, rig
from builders.scenarios import scenarios
from builders.truths import A1, FRIGATE, MATCH, A, B, C, ratings, ship
from sunglare_protocol import geometry
from sunglare_protocol.codec import Form, decode_server
from sunglare_protocol.geometry import Compass, Vector
from sunglare_protocol.ids import PUBLIC, Audience, OwnId, audience_of
from sunglare_protocol.messages import Frame, answers, commands, replies
from sunglare_protocol.notices import agents as agents_notices
from sunglare_protocol.notices import base as noticebase
from sunglare_protocol.notices import space as notices
from sunglare_protocol.orders import Scan, Thrust
from sunglare_protocol.orders import space as orders
from sunglare_protocol.views import TruthView, View
from sunglare_protocol.views import agents as agents_views
from sunglare_protocol.views import ground as ground_views
from sunglare_protocol.views import space as views
from sunglare_protocol.words import dossiers as dossier
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_server.match import frames
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.fog import view as fog

CROWDED = (
    "duel",
    "melee",
    "gunnery",
    "broadside",
    "garrison",
    "siege",
    "parade",
    "stalk-2",
    "stalk-3",
    "hunt",
    "orlog",
    "blip-parade",
    "picket-line",
    "four-corners",
)

Path = tuple[str, ...]

NAMED_BY_THE_RULES: dict[Path, str] = {
    ("view", "objectives", "piece"): "an own objective names the piece it is about",
    ("view", "found", "agents", "name"): "who was found by a search is known by name",
    ("view", "spied", "leaders"): "spies know the leaders of the troops they spied on",
    ("notices", "by"): "both sides of a fight know who fought",
    ("notices", "beaten"): "both sides of a fight know who fought",
    ("notices", "fallen"): "both sides of a fight know who fell",
    ("notices", "escaped"): "both sides of a fight know who got away",
}
"""The only places in which a foreign piece's name may stand, and why."""

TYPED_BY_THE_RULES: dict[Path, str] = {
    ("view", "contacts", "dossier", "variant"): "a data scan tells the class",
    ("notices", "dossier", "variant"): "a data scan tells the class",
    ("view", "surfaces", "tokens", "dossier", "variant"): "a data scan tells the class",
    ("view", "spied", "units", "variant"): "spies know the classes of the troops",
}
"""The only places in which the class of a foreign piece may stand, where its type is another."""


def texts(value: object, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Yield every text in a decoded message with the keys that lead to it, keys included."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield path, str(key)
            yield from texts(part, (*path, str(key)))
    elif isinstance(value, list | tuple):
        for part in value:
            yield from texts(part, path)


def sent_to(match: Rig, audience: Audience) -> Iterator[tuple[Path, str]]:
    """Yield every text that an audience was sent, once each."""
    seen: set[tuple[Path, str]] = set()
    for data in match.sent[audience]:
        for found in texts(msgspec.to_builtins(decode_server(data, Form.PACKED))):
            if found not in seen:
                seen.add(found)
                yield found


def played(name: str, seed: int, windows: int = 60, **options: str) -> Rig:
    """Return a match of random orders."""
    match = rig(scenarios()[name], seed, **options)
    match.play(Random(seed), windows)
    return match


def names_of(scenario: Scenario, others_of: Audience) -> set[str]:
    """Return the names of all pieces that are not `others_of`'s own."""
    setups = [
        setup for side, setup in scenario.data.sides.items() if audience_of(side) != others_of
    ]
    return {
        *(entry.name for setup in setups for entry in setup.ships),
        *(entry.name for setup in setups for entry in setup.ground),
        *(agent.name for setup in setups for agent in setup.agents),
    }


@pytest.mark.parametrize("name", CROWDED)
def test_no_audience_is_ever_told_the_name_of_a_foreign_piece(name: str) -> None:
    match = played(name, 3)
    for audience in (*map(audience_of, match.sides), PUBLIC):
        foreign = names_of(scenarios()[name], audience)
        assert foreign
        for path, text in sent_to(match, audience):
            if path not in NAMED_BY_THE_RULES:
                assert not [secret for secret in foreign if secret in text], (audience, path, text)


@pytest.mark.parametrize("name", ["parade", "blip-parade", "garrison", "hunt", "siege"])
def test_no_audience_is_ever_told_the_class_of_a_foreign_piece_but_in_a_dossier(name: str) -> None:
    match = played(name, 8)
    truth = match.state.truth
    types = {one_ship.type.name for one_ship in truth.ships.values()}
    types |= {unit.type.name for unit in truth.ground.values()}
    families = {one_ship.type.family or one_ship.type.name for one_ship in truth.ships.values()}
    families |= {unit.type.type for unit in truth.ground.values()}
    classes = types - families
    assert classes
    checked = 0
    for audience in (*map(audience_of, match.sides), PUBLIC):
        for path, text in sent_to(match, audience):
            is_own = path[:2] in (("view", "own"), ("view", "ground"))
            if not is_own and path not in TYPED_BY_THE_RULES:
                assert text not in classes, (audience, path, text)
                checked += text in families
    assert checked > 0


CARGO = {"aboard", "flights", "cargo", "load", "bays", "dispensers", "launchers", "agents"}
"""How a field would be called that tells what a piece carries."""


@pytest.mark.parametrize("name", ["garrison", "siege", "broadside", "parade"])
def test_whoever_sees_a_carrier_never_learns_what_is_aboard(name: str) -> None:
    assert not {*views.ContactView.__struct_fields__} & CARGO
    assert not {*ground_views.TokenView.__struct_fields__} & CARGO
    assert not {*dossier.Dossier.__struct_fields__} & CARGO
    match = played(name, 5)
    for audience in map(audience_of, match.sides):
        told = [path for path, _ in sent_to(match, audience) if {"contacts", "tokens"} & {*path}]
        assert told
        assert not [path for path in told if {*path} & CARGO]


@pytest.mark.parametrize("name", CROWDED)
def test_one_thing_is_never_in_a_view_twice(name: str) -> None:
    match, rng = rig(scenarios()[name], 6, PUBLIC), Random(6)
    seen = 0
    while not match.state.is_over and match.state.standing.turn < 6:
        match.play(rng, 1)
        for audience in (*map(audience_of, match.sides), PUBLIC):
            view = view_of(match.state, audience)
            tokens = [token for surface in view.surfaces for token in surface.tokens]
            labels = [
                *(contact.label for contact in view.contacts),
                *(token.label for token in tokens),
            ]
            held = [
                *(contact.handle for contact in view.contacts),
                *(token.handle for token in tokens),
            ]
            handles = [handle for handle in held if handle]
            assert len(set(labels)) == len(labels)
            assert len(set(handles)) == len(handles)
            seen += len(handles)
    assert seen > 0


@pytest.mark.parametrize("name", CROWDED)
def test_a_snapshot_never_differs_from_what_the_stream_has_come_to(name: str) -> None:
    match, rng = rig(scenarios()[name], 7), Random(7)
    for _ in range(12):
        if match.state.is_over:
            break
        match.play(rng, 1)
        head = "0" * 64
        for audience in audiences(scenarios()[name]):
            (first, *rest) = frames.keyframe(MATCH, match.state, audience, head)
            shown = [decode_server(data, Form.PACKED) for data in match.sent[audience]]
            last = [message for message in shown if isinstance(message, Frame)][-1]
            assert isinstance(first, Frame)
            # A snapshot is one frame with the newest view, and holds no history but its own.
            assert (first.view, first.notices, first.window) == (
                last.view,
                last.notices,
                last.window,
            )
            assert len(rest) == match.state.is_over


def test_a_view_that_was_sent_is_never_changed_by_what_comes_later() -> None:
    match, rng = rig(scenarios()["duel"], 8), Random(8)
    kept: list[tuple[View | TruthView, bytes]] = []
    while not match.state.is_over:
        match.play(rng, 1)
        for audience in audiences(scenarios()["duel"]):
            made = frames.frame(MATCH, match.state, audience, 1).view
            kept.append((made, msgspec.msgpack.encode(made)))
    assert len(kept) > 100
    assert [msgspec.msgpack.encode(view) for view, _ in kept] == [data for _, data in kept]


MESSAGES = (
    answers,
    commands,
    dossier,
    geometry,
    ground_views,
    noticebase,
    notices,
    orders,
    agents_notices,
    agents_views,
    replies,
    views,
)


@pytest.mark.parametrize("module", MESSAGES, ids=lambda module: str(module.__name__))
def test_nothing_that_is_handed_out_can_ever_be_changed(module: object) -> None:
    kinds = [
        kind
        for _, kind in inspect.getmembers(module, inspect.isclass)
        if issubclass(kind, msgspec.Struct)
    ]
    assert kinds
    assert [kind for kind in kinds if not kind.__struct_config__.frozen] == []
    assert [
        (kind.__name__, field.name)
        for kind in kinds
        for field in msgspec.structs.fields(kind)
        if "list[" in str(field.type) or "set[" in str(field.type).replace("frozenset[", "")
    ] == []


KEEN = msgspec.structs.replace(FRIGATE, name="keen", sensors=ratings(4))


def test_a_side_that_has_lost_its_last_piece_never_goes_on_to_follow_anybody() -> None:
    leaving = msgspec.structs.replace(
        ship(C, at=(10, 8), kind=KEEN), vector=Vector(0, -3), popped_out=True, facing=Compass.E
    )
    course = Course(scenario_of(ship(A, at=(12, 6)), ship(B, at=(30, 30)), leaving))
    course.close()
    course.close_until(Phase.SCAN, C)
    course.orders(C, Scan(ship=OwnId("S1"), type=ScanType.RADAR, size=ScanSize.BOX, at="C2"))
    course.close()
    assert [contact.fix for contact in course.view("C").contacts] == [Fix.TRACKED]
    while not course.state.truth.out:
        course.close()
    turn = course.state.standing.turn
    while course.state.standing.turn < turn + 2:
        course.orders(A, *moved(course.view("A")))
        course.close()
    (left,) = course.view("C").contacts
    assert (left.handle, left.fix, left.turn) == (None, Fix.MEMORY, 2)
    assert left.square == (12, 6)
    assert course.state.truth.ships[A1].square != left.square
    assert not [type(own) for own in course.view("C").own if own.fate is Fate.IN_PLAY]


def moved(view: View) -> tuple[Thrust, ...]:
    """Return orders to thrust ahead, in the window that takes them."""
    ahead = Thrust(ship=OwnId("S1"), to=(Compass.N,))
    return (ahead,) if view.stage.phase is Phase.PLOT else ()


def test_an_audience_that_nobody_knows_never_gets_a_view() -> None:
    match = played("duel", 9, 10)
    assert match.last is not None
    for nobody in ("", "C", "nobody", "a", "None"):
        with pytest.raises(KeyError):
            frames.frame(MATCH, match.state, Audience(nobody), 1)
        with pytest.raises(KeyError):
            frames.keyframe(MATCH, match.state, Audience(nobody), "")


def test_whoever_has_learned_nothing_never_sees_more_than_the_map_and_the_stage() -> None:
    match = played("garrison", 10, 30)
    empty = msgspec.structs.replace(
        type(match.state.intel[PUBLIC])(audience=PUBLIC), options=match.state.options
    )
    view = fog.view(empty, match.state.standing, match.state.board)
    bare = View(audience=PUBLIC, stage=view.stage, board=view.board, cloak_rules=view.cloak_rules)
    assert view == bare
