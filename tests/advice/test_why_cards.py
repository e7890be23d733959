"""Which card `why` and `look` give for what; those on the match, the record and notices."""

from typing import Any

import pytest
from msgspec.structs import replace

from builders.advice import code, offered
from builders.sections import lines
from builders.terminals import AGENT, GUARD
from builders.views import C1, S1, S2, contact, own_ship, view
from sunglare_client.verbs.shown import WHY_WORDS
from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.ids import Handle, OwnId, Side
from sunglare_protocol.messages.answers import Card
from sunglare_protocol.notices import (
    InitiativeDrawn,
    Notice,
    NovaSeen,
    Occupation,
    OwnCollected,
    OwnEscaped,
    OwnHit,
    PieceLost,
    PublicNotice,
    RadarSeen,
    ScanAnswered,
    ShotResult,
    ShotSeen,
    SideOut,
    TrackLost,
)
from sunglare_protocol.notices.cloak import JamOver, JamSet, SweepSeen
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import CloakRules, ObjectiveView, View
from sunglare_protocol.views.agents import AlertView
from sunglare_protocol.views.ground import SurfaceView, TokenView
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.scans import Answers, ScanSize, ScanType
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.advice.cards.tallies import goals
from sunglare_rules.advice.cards.told import title_of, why_told
from sunglare_rules.advice.cards.why import WORDS, look, why

G1, P1 = OwnId("G1"), OwnId("P1")
H1, H2 = Handle("cccccc"), Handle("dddddd")
B = Side("B")
SITE = Site("Ceres", 1)


def token(label: str, handle: Handle | None, row: int) -> TokenView:
    """Return a blip on the map."""
    return TokenView(label=label, cell=Cell(0, row), turn=3, handle=handle)


CROWDED: View = replace(
    view(
        Phase.ENGAGE,
        own_ship(),
        own_ship(id=S2, name="", fate=Fate.DESTROYED),
        contacts=(contact(), contact(label="M1", fix=Fix.MEMORY, handle=None)),
    ),
    ground=(GUARD, replace(GUARD, id=OwnId("G2"), name="Watch")),
    agents=(AGENT, replace(AGENT, id=OwnId("P2"), name="Fox")),
    surfaces=(SurfaceView(site=SITE, tokens=(token("T1", H1, 0), token("T2", H2, 1))),),
)


# Which card.


@pytest.mark.parametrize(
    ("about", "title"),
    [
        (S1, "S1 Kite"),
        (S2, "S2"),
        (C1, "C1"),
        ("C1", "C1"),
        ("M1", "M1"),
        ("G1", "G1 Guard"),
        ("G2", "G2 Watch"),
        ("P1", "P1 Agent"),
        ("P2", "P2 Fox"),
        (H1, "T1"),
        (H2, "T2"),
        ("T1", "T1"),
        ("T2", "T2"),
    ],
)
def test_a_thing_is_called_by_its_id_handle_or_label(about: str, title: str) -> None:
    for card in (why(CROWDED, about), look(CROWDED, about)):
        assert isinstance(card, Card)
        assert card.title == title
    assert lines(why(CROWDED, about)) != lines(look(CROWDED, about))


@pytest.mark.parametrize(
    ("word", "title"),
    [
        ("last", "The public record, newest first"),
        ("record", "The whole public record"),
        ("points", "The points"),
        ("agents", "Agents and spies"),
    ],
)
def test_a_word_stands_for_a_card_of_its_own(word: str, title: str) -> None:
    card = why(CROWDED, word)
    assert isinstance(card, Card)
    assert card.title == title


def test_the_words_are_those_that_the_terminal_offers_and_each_has_a_card() -> None:
    assert f"[thing, or {', '.join(WORDS)}, rolls, told, answer, 1, 2...]" == WHY_WORDS
    assert all(isinstance(why(CROWDED, word), Card) for word in WORDS)


def test_an_unknown_word_is_answered_with_all_that_may_be_asked_about() -> None:
    every = ("S1", "S2", "G1", "G2", "P1", "P2", "C1", "M1", "T1", "T2")
    for found in (why(CROWDED, "X"), look(CROWDED, "X")):
        assert code(found) == "ask/about"
        assert offered(found) == every


# The match.


def test_the_card_of_the_match_says_where_it_stands_and_what_is_held() -> None:
    alerts = (AlertView(side=B, planet="Ceres", environs=2), AlertView(side=B, planet="Ceres"))
    seen = replace(CROWDED, points=7, alerts=alerts)
    assert lines(look(seen, None)) == (
        "Turn 3 of 20, engage.",
        "Own ships in play: S1.",
        "Held or remembered: C1 (contact), M1 (memory).",
        "Points that follow from what you know: 7.",
        "Alerts: agents of B near Ceres 2, agents of B near the orbit of Ceres.",
    )


def test_points_that_others_may_share_are_told_as_from_and_to() -> None:
    seen = replace(CROWDED, points=7, points_up_to=4)
    assert "Points that follow from what you know: 7 to 11." in lines(look(seen, None))
    *_, tally, _ = lines(why(seen, "points"))
    assert tally.startswith("7 to 11 points follow from what you know;")


def test_the_card_of_the_match_says_so_if_nothing_is_left_or_held() -> None:
    bare = view(Phase.PLOT, own_ship(fate=Fate.ESCAPED))
    assert lines(look(bare, None))[1:] == (
        "Own ships in play: none.",
        "Held or remembered: nothing.",
        "Points that follow from what you know: 0.",
    )


def test_points_are_explained_by_each_objective_what_gives_any_and_the_tally() -> None:
    seen = replace(view(Phase.PLOT), objectives=(ObjectiveView(kind=ObjectiveKind.HOLD, at=SITE),))
    objective, ships, leaving, tally, given = lines(why(seen, "points"))
    assert ships.startswith("Destroy an enemy ship: its points")
    assert leaving.startswith("Own ship off the map or crashed")
    assert tally.startswith("0 points follow from what you know;")
    assert given.startswith("A destroyed ship shares its points among the sides that damaged it")
    assert objective == (
        "Hold Ceres 1 at the end, with no enemy troops there: 3 points. Victory (turn §8)."
    )
    assert len(lines(why(view(Phase.PLOT), "points"))) == 4


@pytest.mark.parametrize(
    ("environs", "near"),
    [(None, "Agents of B near the orbit of Ceres: "), (2, "Agents of B near Ceres 2: ")],
)
def test_an_alert_names_the_environs_or_the_orbit(environs: int | None, near: str) -> None:
    alert = AlertView(side=B, planet="Ceres", environs=environs)
    (line,) = lines(why(replace(view(Phase.PLOT), alerts=(alert,)), "agents"))
    assert line.startswith(near)


def test_without_agents_the_card_says_that_there_is_nothing_known() -> None:
    (line,) = lines(why(view(Phase.PLOT), "agents"))
    assert line.startswith("No alert stands, nobody was found, no spy has reported.")


# The record.


def scanned(at: str | Square, size: ScanSize, strength: int, effective: int) -> ScanAnswered:
    """Return the public answers to a scan of side A."""
    return ScanAnswered(
        side=Side("A"),
        type=ScanType.IR,
        size=size,
        at=at,
        strength=strength,
        answers=Answers(glare=effective != strength, from_well=False, touches_well=False),
        effective=effective,
    )


@pytest.mark.parametrize(
    ("notice", "words"),
    [
        (scanned("B4", ScanSize.BOX, 1, 1), "Side A, ir 1box at B4, +1: "),
        (scanned("B4", ScanSize.BOX, 1, -5), "Side A, ir 1box at B4, +1, -5 after the glare: "),
        (scanned(Square(7, 22), ScanSize.SQUARE, 4, 4), "Side A, ir 1sq at 7,22, +4: "),
    ],
    ids=["a box", "in the glare", "a square"],
)
def test_a_scan_of_the_record_tells_where_and_with_what_strength(
    notice: ScanAnswered, words: str
) -> None:
    seen = replace(view(Phase.ENGAGE), record=(notice,))
    (line,) = lines(why(seen, "record"))
    assert line.startswith(words)


@pytest.mark.parametrize(("turn", "until", "told"), [(1, 1, 2), (1, 0, 0), (2, 1, 0), (1, 2, 2)])
def test_a_nova_gun_and_a_jam_are_told_up_to_their_last_turn(
    turn: int, until: int, told: int
) -> None:
    seen = replace(
        view(Phase.PLOT, turn=turn), nova_until=until, cloak_rules=CloakRules(jammed=until)
    )
    found = [line for line in lines(why(seen, "last")) if f"up to turn {until}" in line]
    assert len(found) == told


# Notices.

PUBLIC: tuple[PublicNotice, ...] = (
    InitiativeDrawn(order=(B, Side("A"))),
    scanned("B4", ScanSize.BOX, 1, 1),
    RadarSeen(square=Square(3, 4)),
    ShotSeen(square=Square(3, 4)),
    NovaSeen(until=4),
    SweepSeen(square=Square(3, 4)),
    JamSet(until=4),
    JamOver(),
    SideOut(side=B),
    PieceLost(side=B, piece="Kite", turns=2, ends_after=3),
    Occupation(site=Site("Ceres", 1)),
    Occupation(site=Site("Ceres", 1), sides=(Side("A"), B)),
    Occupation(site=Site("Ceres", 1), sides=(B,), turns=1),
    Occupation(site=Site("Ceres", 1), sides=(B,), turns=2),
    Occupation(site=Site("Ceres", 1), sides=(B,), turns=2, ends_after=3),
)


@pytest.mark.parametrize("notice", PUBLIC, ids=lambda notice: type(notice).__name__)
def test_a_public_notice_is_told_by_its_line_of_the_record(notice: PublicNotice) -> None:
    seen = replace(view(Phase.ENGAGE), record=(notice,))
    assert why_told(seen, notice).lines == lines(why(seen, "record"))
    assert len(why_told(seen, notice).lines) == 1


@pytest.mark.parametrize(
    ("notice", "title"),
    [
        (RadarSeen(square=Square(3, 4)), "radar"),
        (SideOut(side=B), "side out"),
        (ShotResult(ship=S1, weapon="W", at=C1, damage=0, dice=()), "shot result S1.W"),
        (OwnHit(ship=S1, weapon=WeaponKind.BEAM, damage=1), "own hit S1"),
        (OwnEscaped(ship=S2, edge=Compass.N), "own escaped S2"),
        (OwnCollected(ship=S2, body="Styx"), "own collected S2"),
        (TrackLost(label="C4"), "lost C4"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_card_of_a_notice_is_called_by_its_kind_and_what_it_is_about(
    notice: Notice, title: str
) -> None:
    assert title_of(notice) == title
    assert why_told(view(Phase.ENGAGE), notice).title == title


def test_the_goals_are_the_own_objectives_and_what_gives_points_to_all() -> None:
    aims = (ObjectiveView(kind=ObjectiveKind.IDENTIFY, piece="Basalt"),)
    seen = replace(CROWDED, objectives=aims)
    first, ships, leaving, ground = goals(seen)
    assert first == "Identify Basalt: 3 points."
    worth = ", ".join({f"{ship.type} {ship.points}": None for ship in CROWDED.own})
    assert ships == f"Destroy an enemy ship: its points (as yours: {worth})."
    assert ground.startswith("Destroy an enemy ground unit: 1 point.")
    assert leaving == "Own ship off the map or crashed: its points go to the others."
    assert goals(replace(CROWDED, objectives=())) == (ships, leaving, ground)


@pytest.mark.parametrize(
    ("changes", "begins"),
    [
        ({}, "Own ship off the map or crashed: "),
        (
            {"objectives": (ObjectiveView(kind=ObjectiveKind.ESCAPE, edge=Compass.S),)},
            "Own ship off the map elsewhere or crashed: ",
        ),
        ({"leaves_free": True}, "Own ship crashed: its points go to the others. It may leave"),
    ],
)
def test_the_goals_say_which_own_ships_give_points_without_an_attack(
    changes: dict[str, Any], begins: str
) -> None:
    seen = replace(CROWDED, objectives=())
    assert sum(goal.startswith(begins) for goal in goals(replace(seen, **changes))) == 1


def test_the_goals_say_where_points_are_shared_and_leave_out_a_ground_that_is_not_there() -> None:
    three = replace(CROWDED.stage, sides=(Side("A"), B, Side("C")))
    ships, _ = goals(replace(CROWDED, stage=three, own=(), ground=(), agents=(), objectives=()))
    assert ships == "Destroy an enemy ship: its points, shared by those who damaged it."


def test_the_goals_show_the_scale_by_a_few_own_types_and_by_each_once() -> None:
    kinds = ("frigate", "cruiser", "raider", "frigate", "courier", "corvette", "decoy")
    own = tuple(
        own_ship(id=OwnId(f"S{number}"), type=kind, points=0 if kind == "decoy" else number)
        for number, kind in enumerate(kinds, 1)
    )
    (ships, *_) = goals(replace(CROWDED, own=own, objectives=()))
    assert ships == (
        "Destroy an enemy ship: its points (as yours: frigate 4, cruiser 2, raider 3, courier 5)."
    )


def test_the_goals_leave_out_types_that_are_worth_nothing() -> None:
    own = (own_ship(id=OwnId("S1"), type="decoy", points=0), own_ship(points=3))
    (ships, *_) = goals(replace(CROWDED, own=own, objectives=()))
    assert ships == "Destroy an enemy ship: its points (as yours: frigate 3)."


@pytest.mark.parametrize("kept", ["ground", "agents"])
def test_the_goals_on_the_ground_are_there_for_troops_and_for_agents(kept: str) -> None:
    fields = {"objectives": (), "ground": (), "agents": ()}
    seen = replace(CROWDED, **(fields | {kept: getattr(CROWDED, kept)}))
    assert getattr(seen, kept)
    assert goals(seen)[-1].startswith("Destroy an enemy ground unit: 1 point.")
