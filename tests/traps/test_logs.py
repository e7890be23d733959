"""What records, hints, refusals, counts and numbers must never tell of what happened unseen."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from builders.matches import Course, crowd, scenario_of, view_of
from builders.played import rig
from builders.questions import asked
from builders.scenarios import scenarios
from builders.truths import A, B, C, ship
from sunglare_protocol.geometry import Compass
from sunglare_protocol.ids import OMNI, PUBLIC, Audience, OwnId, audience_of
from sunglare_protocol.messages.commands import Question
from sunglare_protocol.orders import Order, Scan, Thrust
from sunglare_protocol.views import View
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.answer import answer
from sunglare_server.match.dice import Dice
from sunglare_server.match.record import ChatSaid, DrawOffered, Muted

ROOT = Path(__file__).parents[2]

FREE_TEXT: dict[str, str] = {
    "runtime/incompatible_matches.py: Rejected": "the rules versions of match and server",
    "gateway/session.py: Rejected": "the place and kind of a fault in the sender's own message",
    "data/options.py: Rejected": "the name of a match option and the values it takes",
    "lobby/post_match_chat.py: Rejected": "how many lines of chat a seat has after the end",
    "lobby/rematches.py: News": "the id of the room that waits for a rematch, and its code",
    "control/match_actions.py: tell_room": "what the operator of the server says",
    "control/match_actions.py: tell_seats": "what the operator says, or a side that was removed",
}
"""Every text that the server makes out of parts, and what it is made of."""

SPEAKING = ("Rejected", "News", "NewsPost", "Bye", "refused", "tell_seats", "tell_room", "Refused")
"""What takes a text that goes to a peer."""

CALLS = re.compile(rf"\b({'|'.join(SPEAKING)})\s*\(")
"""How a call of one of them begins."""


def spoken(path: Path) -> Iterator[str]:
    """Yield where a module of the server makes a text for a peer out of parts."""
    text = path.read_text(encoding="utf-8")
    if not CALLS.search(text):
        return  # most modules need not be parsed
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        made = any(isinstance(part, ast.JoinedStr | ast.BinOp) for part in given)
        if name in SPEAKING and made:
            yield f"{path.parent.name}/{path.name}: {name}"


def test_no_text_for_a_peer_is_ever_made_of_anything_in_the_truth() -> None:
    sources = sorted((ROOT / "server" / "sunglare_server").rglob("*.py"))
    assert len(sources) > 100
    assert {text for path in sources for text in spoken(path)} == set(FREE_TEXT)


def answers_to(view: View, seed: int) -> list[bytes]:
    """Return the answers to a choice of questions."""
    questions = list(asked(view, Random(seed)))
    return [msgspec.msgpack.encode(answer(view, *question)) for question in questions]


@pytest.mark.parametrize("name", ["duel", "parade", "garrison", "stalk-2"])
def test_no_hint_is_ever_held_back_because_somebody_has_had_it_before(name: str) -> None:
    match, rng = rig(scenarios()[name], 2, PUBLIC), Random(2)
    match.play(rng, 14)
    views = {side: view_of(match.state, audience_of(side)) for side in match.sides}
    first = {side: answers_to(view, 1) for side, view in views.items()}
    assert all(first.values())
    for side in reversed(match.sides):
        for _ in range(3):
            assert answers_to(views[side], 1) == first[side]
        assert view_of(match.state, audience_of(side)) == views[side]


def restless(seed: int, times: int) -> Course:
    """Return a match in which B changes its mind, and takes offers back, so often."""
    course, rng = Course(crowd(2, 3)), Random(seed)
    for _ in range(12):
        mine, theirs = (orders_of(course.view(side), rng) for side in ("A", "B"))
        for _ in range(times):
            course.orders(B, lock=True)
            course.orders(B, Thrust(ship=OwnId("S1"), to=(Compass.N,)), lock=False)
            course.put(DrawOffered(on=True), B)
            course.put(DrawOffered(on=False), B)
            course.put(Muted(whom=A, on=True), B)
            course.put(Muted(whom=A, on=False), B)
        course.orders(A, *mine)
        course.orders(B, *theirs)
        course.now += 500
        course.close()
    return course


def orders_of(view: View, rng: Random) -> tuple[Order, ...]:
    """Return a scan of some box in the windows that take one."""
    order = Scan(
        ship=OwnId("S1"),
        type=rng.choice(list(ScanType)),
        size=ScanSize.BOXES,
        at=f"{rng.choice('ABCD')}{rng.randint(1, 4)}",
    )
    return (order,) if view.stage.phase.value == "scan" else ()


def test_orders_that_were_replaced_and_offers_taken_back_never_leave_a_trace() -> None:
    calm, busy = restless(1, 0), restless(1, 5)
    assert len(busy.records) > 3 * len(calm.records)
    assert set(calm.sent) == {"A", "B", PUBLIC, OMNI}
    for audience, sent in calm.sent.items():
        assert busy.sent[audience] == sent, audience


def test_no_number_that_an_audience_is_sent_ever_counts_what_others_were_sent() -> None:
    quiet, loud = Course(crowd(3, 2)), Course(crowd(3, 2))
    loud.put(Muted(whom=B, on=True), A)
    loud.put(Muted(whom=B, on=True), C)
    for course in (quiet, loud):
        for number in range(6):
            if course is loud:
                course.put(ChatSaid(text=f"line {number}"), B)
            course.now += 100
            course.close()
    for audience in ("A", "C"):
        assert loud.sent[Audience(audience)] == quiet.sent[Audience(audience)]
    heard = [post.seq for post in loud.sent[PUBLIC]]
    assert heard == list(range(1, len(heard) + 1))
    assert len(heard) == len(quiet.sent[PUBLIC]) + 6


def test_handles_never_tell_in_which_order_things_were_made() -> None:
    tokens = [
        [Dice(seed=number.to_bytes(32, "big")).token(Audience("A"), k) for k in range(4)]
        for number in range(4000)
    ]
    for first in range(4):
        for second in range(first + 1, 4):
            rising = sum(given[first] < given[second] for given in tokens)
            assert 0.46 < rising / len(tokens) < 0.54
    assert len({token for given in tokens for token in given}) > 15_900


def test_the_handle_of_a_piece_never_follows_from_which_piece_it_is() -> None:
    # Two matches in which the same look finds another piece in the same square.
    def found(number: int) -> View:
        others = [ship(B, 1, (30, 30)), ship(B, 2, (30, 30))]
        others[number - 1] = ship(B, number, (12, 6))
        course = Course(scenario_of(ship(A, at=(12, 8)), *others))
        course.close_until(course.state.standing.phase.SCAN, A)
        look = Scan(ship=OwnId("S1"), type=ScanType.NEUTRINO, size=ScanSize.BOX, at="C2")
        course.orders(A, look)
        course.close()
        return course.view("A")

    first, second = found(1), found(2)
    assert len(first.contacts) == 1
    assert first == second


def test_no_hidden_piece_ever_changes_what_may_be_ordered_or_asked() -> None:
    def asked_of(hidden: int) -> list[list[bytes]]:
        others = [ship(B, n + 1, (30 - n, 30)) for n in range(hidden)]
        course = Course(scenario_of(ship(A, at=(12, 8)), ship(B, 9, (25, 25)), *others))
        told = []
        for _ in range(5):
            view = course.view("A")
            told.append(
                [
                    msgspec.msgpack.encode(answer(view, kind, about))
                    for kind, about in (
                        (Question.LEGAL, None),
                        (Question.LEGAL, "S1"),
                        (Question.LOOK, None),
                        (Question.WHY, "S1"),
                        (Question.REVIEW, None),
                    )
                ]
            )
            course.close()
        return [*told, [*map(msgspec.msgpack.encode, course.sent[Audience("A")])]]

    assert asked_of(0) == asked_of(1) == asked_of(5)
