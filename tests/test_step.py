"""A match as a fold of its records: windows, the table, the end, sequences, clocks, the chain."""

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.geometry import Compass, Planet, PlanetSize, Square, Vector, box_of
from sunglare_protocol.ids import OMNI, PUBLIC, Audience, OwnId, Side, WindowId, audience_of
from sunglare_protocol.ladder import Fate, Fix, Phase
from sunglare_protocol.messages import Ending, Frame, News, NewsKind, Over
from sunglare_protocol.notices import ContactDestroyed, OwnDestroyed, ScanResult, ShotResult
from sunglare_protocol.orders import Fire, Order, Scan, Thrust
from sunglare_protocol.scanwords import ScanSize, ScanType
from sunglare_rules.sectors import in_body
from sunglare_server.host.library import load_library
from sunglare_server.match.apply import apply
from sunglare_server.match.clocks import PRESETS, recorded_close_ms
from sunglare_server.match.dice import match_seed
from sunglare_server.match.events import (
    InitiativeRolled,
    PointsScored,
    ScanDeclared,
    ShipDestroyed,
    SideWentOut,
)
from sunglare_server.match.options import MatchOptions
from sunglare_server.match.record import (
    RECORD_VERSION,
    RULES_VERSION,
    Adjourned,
    Body,
    ChatSaid,
    Closed,
    DrawOffered,
    Kind,
    Muted,
    Opened,
    OrdersGiven,
    PauseAsked,
    PauseEnded,
    Record,
    RecordError,
    Resigned,
    Seat,
    WindowDue,
    chain,
    packed,
    unpacked,
)
from sunglare_server.match.scenario import Objective, Scenario, ShipEntry, SideSetup
from sunglare_server.match.state import ANSWERS_KEPT, MatchState, digest
from sunglare_server.match.step import step
from truthrigs import (
    A1,
    B1,
    C1,
    CRUISER,
    D1,
    FRIGATE,
    MATCH,
    SEED,
    A,
    B,
    C,
    Course,
    D,
    beam,
    crowd,
    only,
    opened,
    play,
    scenario_of,
    ship,
)

S1 = OwnId("S1")
Wanted = dict[Side, tuple[Objective, ...]]
SHIPPED = load_library()
ROSTERS = (("Lone wolf", 1), ("Two wolves", 2), ("Three wolves", 3))
TEST = MatchOptions(clock="test")
TWO = scenario_of(ship(A, at=(5, 30)), ship(B, at=(30, 5)))
FOUR = scenario_of(
    ship(A, at=(5, 30)), ship(B, at=(30, 5)), ship(C, at=(5, 5)), ship(D, at=(30, 30))
)


def turn_of(course: Course) -> None:
    """Close every window of the open turn."""
    turn = course.state.standing.turn
    while not course.state.is_over and course.state.standing.turn == turn:
        course.close()


def leaving(side: Side, at: tuple[int, int]) -> Scenario:
    """Return the four-sided scenario in which the ship of `side` leaves in turn 1."""
    places = {A: (5, 30), B: (30, 5), C: (5, 5), D: (30, 30), side: at}
    ships = [ship(each, at=place) for each, place in places.items()]
    gone = [replace(one, vector=Vector(0, -3)) if one.side == side else one for one in ships]
    return scenario_of(*gone)


# The start.


def test_a_match_begins_in_plot_of_turn_1_with_the_initiative_drawn() -> None:
    course = Course(FOUR)
    standing = course.state.standing
    assert (standing.turn, standing.phase, standing.window) == (1, Phase.PLOT, "1.plot")
    assert sorted(standing.initiative) == [A, B, C, D]
    assert [type(each) for each in course.steps[0].events] == [InitiativeRolled]


def test_fixed_ships_stand_where_the_scenario_puts_them() -> None:
    ships = Course(FOUR).state.truth.ships
    assert {each: one.square for each, one in ships.items()} == {
        A1: (5, 30),
        B1: (30, 5),
        C1: (5, 5),
        D1: (30, 30),
    }


def seats(*entropies: bytes) -> Opened:
    made = opened(TWO, TEST)
    both = zip((A, B), entropies, strict=True)
    return replace(
        made, seats=tuple(Seat(side=side, person="x", entropy=some) for side, some in both)
    )


def state_after(body: Opened) -> MatchState:
    record = Record(v=RECORD_VERSION, m=MATCH, n=1, k=Kind.OPEN, t=0, b=body)
    return step(None, record).state


@pytest.mark.parametrize(
    ("entropies", "counted"),
    [
        ((b"one", b"two"), (b"one", b"two")),
        ((b"one", b""), (b"one",)),
        ((b"", b"two"), (b"two",)),
        ((b"", b""), ()),
    ],
    ids=["both", "the first", "the second", "none"],
)
def test_a_seat_that_revealed_nothing_is_left_out_of_the_seed(
    entropies: tuple[bytes, bytes], counted: tuple[bytes, ...]
) -> None:
    assert state_after(seats(*entropies)).seed == match_seed(SEED, counted)


def in_zones(scenario: Scenario, seed: int) -> MatchState:
    return Course(scenario, seed=bytes([seed]) * 32).state


@pytest.mark.parametrize("name", ["shadow-of-ceres", "four-corners"])
def test_the_dice_place_ships_in_the_zone_of_their_side_at_rest(name: str) -> None:
    scenario = SHIPPED.scenarios[name]
    seen = set()
    for seed in range(30):
        for one in in_zones(scenario, seed).truth.ships.values():
            seen.add(one.square)
            assert box_of(one.square).name in scenario.data.sides[one.side].zone
            assert not in_body(scenario.board, one.square)
            assert one.vector == Vector(0, 0)
    assert len(seen) > 30
    assert in_zones(scenario, 1).truth == in_zones(scenario, 1).truth


def test_a_zone_with_a_planet_in_it_leaves_its_body_free() -> None:
    juno = Planet(name="Juno", at=Square(7, 7), size=PlanetSize.LARGE)
    setups = {
        A: SideSetup(zone=("B2",), ships=(ShipEntry(name="One", type="frigate"),)),
        B: SideSetup(zone=("F6",), ships=(ShipEntry(name="Two", type="frigate"),)),
    }
    data = replace(TWO.data, sides=setups, fixed=False, planets=(juno,))
    squares = {
        in_zones(replace(TWO, data=data), seed).truth.ships[A1].square for seed in range(150)
    }
    free = {(x, y) for x in range(5, 10) for y in range(5, 10)} - {
        (x, y) for x in (6, 7, 8) for y in (6, 7, 8)
    }
    assert squares == free


def test_the_dice_draw_one_of_several_rosters_and_nobody_else_is_told_which() -> None:
    rosters = tuple((ShipEntry(name=name, type="frigate"),) * count for name, count in ROSTERS)
    setups = {
        A: SideSetup(zone=("B2",), drawn=rosters),
        B: SideSetup(zone=("F6",), ships=(ShipEntry(name="Two", type="frigate"),)),
    }
    scenario = replace(TWO, data=replace(TWO.data, sides=setups, fixed=False))
    drawn = set()
    for seed in range(60):
        course = Course(scenario, seed=bytes([seed]) * 32)
        names = [one.name for one in course.state.truth.ships_of(A)]
        drawn.add((names[0], len(names)))
        for audience in (B, PUBLIC):
            [sent] = course.sent[Audience(audience)]
            assert not [name for name, _ in ROSTERS if name.encode() in msgspec.json.encode(sent)]
    assert drawn == set(ROSTERS)


# Windows.


def test_a_turn_of_two_sides_has_five_windows_and_slots_in_reverse_initiative() -> None:
    course = Course(TWO)
    first, second = course.state.standing.initiative
    names, slots = [], []
    for _ in range(5):
        names.append(course.state.standing.window)
        slots.append(course.state.standing.slot_side)
        course.close()
    assert names == ["1.plot", "1.scan.1", "1.scan.2", "1.detect", "1.engage"]
    assert slots == [None, second, first, None, None]
    assert course.state.standing.window == "2.plot"


def test_sealed_slots_are_one_window_resolved_in_reverse_initiative() -> None:
    course = Course(TWO, MatchOptions(clock="test", scan_slots="sealed"))
    course.close()
    assert course.state.standing.window == "1.scan"
    for side in (A, B):
        course.orders(side, Scan(ship=S1, type=ScanType.MASS, size=ScanSize.BOX, at="D4"))
    made = only(course.close().events, ScanDeclared)
    order = course.state.standing.initiative
    assert [each.piece[0] for each in made] == list(reversed(order))
    assert course.state.standing.window == "1.detect"


def test_orders_are_sealed_until_the_window_closes() -> None:
    course = Course(TWO)
    before = course.everywhere()
    stepped = course.orders(A, Thrust(ship=S1, to=(Compass.N,)))
    assert (stepped.posts, stepped.events) == ((), ())
    assert course.everywhere() == before


def test_orders_that_come_later_replace_those_before() -> None:
    course = Course(TWO)
    course.orders(A, Thrust(ship=S1, to=(Compass.N,)), lock=False)
    course.orders(A, Thrust(ship=S1, to=(Compass.NE,)))
    course.close()
    assert course.state.truth.ships[A1].square == Square(6, 29)


def test_orders_are_used_unlocked_when_the_window_closes_and_only_there() -> None:
    course = Course(TWO)
    course.orders(A, Thrust(ship=S1, to=(Compass.N,)), lock=False)
    course.close()
    assert course.state.truth.ships[A1].square == Square(5, 29)
    assert course.state.staged == {}


def test_a_window_waits_for_every_seat_that_has_a_say() -> None:
    course = Course(TWO)
    assert not course.state.all_locked
    course.orders(A)
    assert [course.state.awaits(side) for side in (A, B)] == [False, True]
    course.orders(B, lock=False)
    assert not course.state.all_locked
    course.orders(B)
    assert course.state.all_locked


def test_a_seat_whose_slot_it_is_not_counts_as_locked() -> None:
    course = Course(TWO)
    course.close()
    slot = course.state.standing.slot_side
    assert [side for side in (A, B) if course.state.awaits(side)] == [slot]


@pytest.mark.parametrize("window", ["1.scan.1", "2.plot", "1.PLOT", ""])
def test_a_deadline_of_another_window_is_a_damaged_record(window: str) -> None:
    course = Course(TWO)
    with pytest.raises(RecordError):
        course.put(WindowDue(window=WindowId(window)), kind=Kind.TICK)


def test_a_command_without_a_seat_is_a_damaged_record() -> None:
    course = Course(TWO)
    for body in (
        ChatSaid(text="hello"),
        Resigned(),
        OrdersGiven(window=WindowId("1.plot"), rev=1, orders=(), lock=True),
    ):
        with pytest.raises(RecordError):
            course.put(body)


def test_a_match_is_opened_once_and_by_its_first_record() -> None:
    course = Course(TWO)
    with pytest.raises(RecordError):
        course.put(opened(TWO, TEST), kind=Kind.OPEN)
    record = Record(v=RECORD_VERSION, m=MATCH, n=1, k=Kind.CLOSE, t=0, b=Closed())
    with pytest.raises(RecordError):
        step(None, record)


# The end.


def test_the_match_ends_after_the_turn_limit() -> None:
    course = Course(replace(TWO, data=replace(TWO.data, turns=3)))
    for turn in (1, 2, 3):
        assert not course.state.is_over
        assert course.state.standing.turn == turn
        turn_of(course)
    assert course.state.result is not None
    assert course.state.result.ending is Ending.TURNS
    assert course.state.result.winner is None
    assert (course.state.standing.turn, course.state.standing.phase) == (3, Phase.OVER)


def test_the_end_is_sent_to_all_after_the_last_frame() -> None:
    course = Course(replace(TWO, data=replace(TWO.data, turns=1)))
    turn_of(course)
    for audience in (A, B, PUBLIC, OMNI):
        last_frame, over = course.sent[Audience(audience)][-2:]
        assert isinstance(last_frame, Frame)
        assert isinstance(over, Over)
        assert over.result == course.state.result
        assert over.seed == SEED.hex()
        assert over.seq == last_frame.seq + 1
        assert last_frame.closes_ms == 0


def test_the_match_ends_at_the_end_of_the_turn_when_one_side_has_pieces_left() -> None:
    course = Course(scenario_of(replace(ship(A, at=(5, 1)), vector=Vector(0, -3)), ship(B)))
    course.close()
    assert course.state.truth.ships[A1].fate is Fate.ESCAPED
    assert not course.state.is_over
    turn_of(course)
    assert course.state.result is not None
    assert course.state.result.ending is Ending.LAST_SIDE


def test_a_side_that_is_out_is_announced_and_its_slot_opens_no_more() -> None:
    course = Course(leaving(C, (5, 1)))
    slots = []
    while course.state.standing.turn < 3:
        if course.state.standing.phase is Phase.SCAN:
            slots.append((course.state.standing.turn, course.state.standing.slot_side))
        course.close()
    assert sorted(str(side) for turn, side in slots if turn == 1) == ["A", "B", "C", "D"]
    assert sorted(str(side) for turn, side in slots if turn == 2) == ["A", "B", "D"]
    assert course.state.standing.out == (C,)
    assert [type(each) for step in course.steps for each in only(step.events, SideWentOut)] == [
        SideWentOut
    ]
    assert not course.state.awaits(C)


def test_points_of_survivors_are_counted_at_the_end_and_not_shown_before() -> None:
    wanted: Wanted = {A: (Objective(kind="survive", piece="CanaryA1"),)}
    short = scenario_of(ship(A, at=(5, 30)), ship(B, at=(30, 5)), turns=1, objectives=wanted)
    course = Course(short)
    turn_of(course)
    assert course.state.result is not None
    assert course.state.result.points == {A: 3, B: 0}
    assert course.state.result.winner == A
    assert course.view(A).points == 0


def test_with_two_sides_the_other_wins_by_resignation_whatever_the_points() -> None:
    course = Course(TWO)
    stepped = course.put(Resigned(), A)
    assert course.state.result is not None
    assert (course.state.result.winner, course.state.result.ending) == (B, Ending.RESIGNED)
    assert course.state.standing.phase is Phase.OVER
    assert [type(each) for each in course.sent[PUBLIC][-2:]] == [News, Over]
    assert stepped.state.is_over


def test_with_four_sides_the_match_goes_on_until_all_but_one_have_resigned() -> None:
    course = Course(FOUR)
    for side in (B, D):
        course.put(Resigned(), side)
        assert not course.state.is_over
        assert not course.state.awaits(side)
    for side in (A, C):
        course.orders(side)
    assert course.state.all_locked
    course.close()
    course.put(Resigned(), A)
    assert course.state.result is not None
    assert course.state.result.winner == C


def test_who_has_resigned_cannot_win_at_the_turn_limit() -> None:
    wanted: Wanted = {A: (Objective(kind="survive", piece="CanaryA1"),)}
    three = scenario_of(
        ship(A, at=(5, 30)), ship(B, at=(30, 5)), ship(C, at=(5, 5)), turns=1, objectives=wanted
    )
    course = Course(three)
    course.put(Resigned(), A)
    turn_of(course)
    assert course.state.result is not None
    assert course.state.result.winner is None


def test_an_adjourned_match_has_no_winner() -> None:
    wanted: Wanted = {A: (Objective(kind="survive", piece="CanaryA1"),)}
    course = Course(scenario_of(ship(A, at=(5, 30)), ship(B, at=(30, 5)), objectives=wanted))
    course.put(Adjourned(), kind=Kind.TICK)
    assert course.state.result is not None
    assert (course.state.result.winner, course.state.result.ending) == (None, Ending.ADJOURNED)


@pytest.mark.parametrize(
    "body", [ChatSaid(text="hello"), Resigned(), DrawOffered(on=True), Adjourned()]
)
def test_nothing_but_the_closing_record_follows_the_end(body: Body) -> None:
    course = Course(TWO)
    course.put(Resigned(), A)
    with pytest.raises(RecordError):
        course.put(body, B)
    course.put(Closed(), kind=Kind.CLOSE)
    with pytest.raises(RecordError):
        course.put(body, B)


def test_a_match_is_closed_once() -> None:
    course = Course(TWO)
    course.put(Resigned(), A)
    course.put(Closed(), kind=Kind.CLOSE)
    with pytest.raises(RecordError):
        course.put(Closed(), kind=Kind.CLOSE)


def test_a_running_match_is_not_closed() -> None:
    with pytest.raises(RecordError):
        Course(TWO).put(Closed(), kind=Kind.CLOSE)


# Draws, pauses, chat.


def test_a_draw_offer_is_sealed_until_every_seat_has_made_it() -> None:
    course = Course(FOUR)
    frames = course.everywhere()
    for side in (A, B, C):
        assert course.put(DrawOffered(on=True), side).posts == ()
    assert course.everywhere() == frames
    course.put(DrawOffered(on=True), D)
    assert course.state.result is not None
    assert (course.state.result.winner, course.state.result.ending) == (None, Ending.DRAW)


def test_a_draw_offer_can_be_taken_back() -> None:
    course = Course(TWO)
    course.put(DrawOffered(on=True), A)
    assert course.put(DrawOffered(on=False), A).posts == ()
    course.put(DrawOffered(on=True), B)
    assert not course.state.is_over


def test_who_has_resigned_need_not_agree_to_a_draw() -> None:
    course = Course(FOUR)
    course.put(Resigned(), D)
    for side in (A, B, C):
        course.put(DrawOffered(on=True), side)
    assert course.state.result is not None
    assert course.state.result.ending is Ending.DRAW


def test_a_draw_is_agreed_when_the_last_seat_that_had_not_offered_resigns() -> None:
    course = Course(FOUR)
    for side in (A, B, C):
        course.put(DrawOffered(on=True), side)
    course.put(Resigned(), D)
    assert course.state.result is not None
    assert course.state.result.ending is Ending.DRAW


def test_a_pause_needs_every_seat_and_moves_the_deadline_by_its_length() -> None:
    course = Course(TWO)
    closes = course.state.closes_ms
    course.now = 10_000
    course.put(PauseAsked(on=True), A)
    assert course.state.table.paused_ms is None
    assert course.state.due_ms == closes
    course.now = 15_000
    course.put(PauseAsked(on=True), B)
    assert course.state.table.paused_ms == 15_000
    assert course.state.due_ms is None
    course.now = 40_000
    course.put(PauseAsked(on=False), A)
    assert course.state.table.paused_ms is None
    assert course.state.due_ms == closes + 25_000


def test_a_pause_that_has_lasted_long_enough_ends_by_itself() -> None:
    course = Course(TWO)
    closes = course.state.closes_ms
    course.now = 10_000
    for side in (A, B):
        course.put(PauseAsked(on=True), side)
    course.now = 310_000
    course.put(PauseEnded(), kind=Kind.TICK)
    assert course.state.due_ms == closes + 300_000


def test_a_request_taken_back_is_no_pause() -> None:
    course = Course(TWO)
    closes = course.state.closes_ms
    course.put(PauseAsked(on=True), A)
    course.put(PauseAsked(on=False), A)
    course.put(PauseAsked(on=True), B)
    assert course.state.table.paused_ms is None
    assert course.state.closes_ms == closes


def test_a_pause_needs_no_seat_that_has_resigned() -> None:
    course = Course(FOUR)
    course.put(Resigned(), B)
    for side in (A, C, D):
        assert course.state.table.paused_ms is None
        course.put(PauseAsked(on=True), side)
    assert course.state.table.paused_ms is not None


def test_orders_stay_sealed_during_a_pause() -> None:
    course = Course(TWO)
    course.orders(A, Thrust(ship=S1, to=(Compass.N,)))
    for side in (A, B):
        course.put(PauseAsked(on=True), side)
    course.put(PauseAsked(on=False), B)
    assert course.state.staged[A].orders == (Thrust(ship=S1, to=(Compass.N,)),)


def news(course: Course, audience: str) -> list[tuple[str, str | None]]:
    sent = course.sent[Audience(audience)]
    return [
        (each.text, each.side)
        for each in sent
        if isinstance(each, News) and each.kind is NewsKind.CHAT
    ]


def test_chat_is_heard_by_all_but_those_who_have_muted_it() -> None:
    course = Course(FOUR)
    course.put(ChatSaid(text="one"), A)
    course.put(Muted(whom=A, on=True), B)
    course.put(ChatSaid(text="two"), A)
    course.put(ChatSaid(text="three"), C)
    course.put(Muted(whom=A, on=False), B)
    course.put(ChatSaid(text="four"), A)
    every = [("one", A), ("two", A), ("three", C), ("four", A)]
    for audience in ("A", "C", "D", PUBLIC):
        assert news(course, audience) == every
    assert news(course, "B") == [("one", A), ("three", C), ("four", A)]


def test_nobody_is_told_who_has_muted_whom() -> None:
    course = Course(FOUR)
    assert course.put(Muted(whom=A, on=True), B).posts == ()


# Sequences.


def test_each_audience_has_a_sequence_of_its_own_without_gaps() -> None:
    course = play(Course(crowd(3, 2)), 3, 6)
    course.put(Muted(whom=A, on=True), B)
    course.put(ChatSaid(text="one"), A)
    play(course, 4, 3)
    course.put(ChatSaid(text="two"), A)
    course.put(ChatSaid(text="three"), C)
    play(course, 5, 20)
    for audience, sent in course.sent.items():
        assert [each.seq for each in sent] == list(range(1, len(sent) + 1))
        assert course.state.seqs[audience] == len(sent)
    assert len(course.sent[Audience("B")]) == len(course.sent[PUBLIC]) - 2


def test_every_audience_gets_one_frame_for_each_window_empty_or_not() -> None:
    course = Course(FOUR)
    while course.state.standing.turn < 3:
        before = {audience: len(sent) for audience, sent in course.sent.items()}
        course.close()
        for audience, sent in course.sent.items():
            [frame] = sent[before[audience] :]
            assert isinstance(frame, Frame)
            assert frame.window == course.state.standing.window
            assert frame.turn == course.state.standing.turn


def test_a_keyframe_is_the_last_frame_again() -> None:
    course = play(Course(crowd(2, 3)), 1, 9)
    for audience, sent in course.sent.items():
        assert course.present(audience) == (sent[-1],)


def test_a_keyframe_after_news_shows_the_same_view_under_the_newest_number() -> None:
    course = play(Course(crowd(2, 3)), 1, 4)
    frame = course.sent[Audience("A")][-1]
    assert isinstance(frame, Frame)
    course.put(ChatSaid(text="hello"), B)
    assert course.present(A) == (replace(frame, seq=frame.seq + 1),)


def test_after_the_end_the_last_view_and_the_end_are_all_there_is() -> None:
    course = Course(replace(TWO, data=replace(TWO.data, turns=1)))
    turn_of(course)
    for audience, sent in course.sent.items():
        assert course.present(audience) == tuple(sent[-2:])


# Commands and their answers.


def test_accepted_commands_are_remembered_with_their_first_answer() -> None:
    course = Course(TWO)
    window = course.state.standing.window
    given = OrdersGiven(window=window, rev=4, orders=(), lock=False)
    course.put(given, A, number=11)
    course.put(ChatSaid(text="x"), A, number=12)
    assert [(each.id, each.window, each.rev) for each in course.state.taken[A]] == [
        (11, window, 4),
        (12, None, None),
    ]
    assert B not in course.state.taken


def test_the_last_256_commands_of_a_seat_are_remembered() -> None:
    course = Course(TWO)
    for number in range(1, 301):
        course.put(ChatSaid(text="x"), A, number=number)
    assert ANSWERS_KEPT == 256
    assert [each.id for each in course.state.taken[A]] == list(range(300 - 256 + 1, 301))


# Clocks.


@pytest.mark.parametrize(
    ("clock", "plot", "sense", "fire"),
    [
        ("blitz", 12, 6, 6),
        ("standard", 30, 15, 15),
        ("friendly", 60, 30, 30),
        ("correspondence", 24 * 3600, 12 * 3600, 12 * 3600),
        ("demo", 1, 1, 1),
    ],
)
def test_each_window_is_open_for_the_base_of_its_phase(
    clock: str, plot: int, sense: int, fire: int
) -> None:
    course = Course(TWO, msgspec.convert({"clock": clock, "scan_slots": "sealed"}, MatchOptions))
    seconds = {}
    for _ in range(4):
        frame = course.sent[Audience("A")][-1]
        assert isinstance(frame, Frame)
        seconds[course.state.standing.phase] = frame.closes_ms / 1000
        course.now = course.state.closes_ms
        course.close()
    assert seconds == {
        Phase.PLOT: plot,
        Phase.SCAN: sense,
        Phase.DETECT: sense,
        Phase.ENGAGE: fire,
    }


@pytest.mark.parametrize(
    ("clock", "closed", "opens"),
    [
        ("friendly", 61_000, 61_250),
        ("friendly", 61_001, 61_500),
        ("friendly", 61_249, 61_500),
        ("friendly", 61_250, 61_500),
        ("demo", 61_001, 61_001),
        ("test", 61_001, 61_001),
    ],
)
def test_a_window_opens_with_the_release_of_its_frames_on_the_beat(
    clock: str, closed: int, opens: int
) -> None:
    course = Course(TWO, msgspec.convert({"clock": clock}, MatchOptions))
    course.now = closed
    course.close()
    assert course.state.opened_ms == opens
    assert course.state.closes_ms > opens


@pytest.mark.parametrize(
    ("clock", "locked", "closes"),
    [
        ("friendly", 400, 1_250),
        ("friendly", 1_250, 1_250),
        ("friendly", 1_251, 1_500),
        ("friendly", 20_000, 20_000),
        ("test", 400, 400),
    ],
    ids=["before the floor", "on the floor", "up to the beat", "on the beat", "no beat"],
)
def test_a_window_in_which_all_have_locked_closes_on_the_beat_and_not_before_the_floor(
    clock: str, locked: int, closes: int
) -> None:
    course = Course(TWO, msgspec.convert({"clock": clock}, MatchOptions))
    # The first frames go out one beat after the start in rated play.
    assert course.state.opened_ms == (250 if clock == "friendly" else 0)
    course.orders(A)
    course.now = locked
    course.orders(B)
    assert course.state.due_ms == closes


def test_a_rated_scan_slot_lasts_its_whole_base_locked_or_not() -> None:
    course = Course(TWO, MatchOptions(clock="friendly"))
    course.close()
    slot = course.state.standing.slot_side
    assert slot is not None
    course.now = course.state.opened_ms + 5
    course.orders(slot)
    assert course.state.all_locked
    assert course.state.due_ms == course.state.opened_ms + 30_000


@pytest.mark.parametrize(
    ("clock", "now", "recorded"),
    [
        ("friendly", 10_000, 10_000),
        ("friendly", 10_249, 10_000),
        ("friendly", 10_250, 10_250),
        ("friendly", 11_003, 11_003),
        ("test", 10_003, 10_003),
    ],
    ids=["on time", "within the allowance", "too late", "far too late", "no beat"],
)
def test_the_work_of_a_close_does_not_move_the_release_unless_it_slips(
    clock: str, now: int, recorded: int
) -> None:
    assert recorded_close_ms(PRESETS[clock], 10_000, now) == recorded


def test_nobody_is_shown_when_another_seat_has_locked() -> None:
    course = Course(TWO, MatchOptions(clock="friendly"))
    before = course.present(B)
    course.now = 3_000
    course.orders(A)
    assert course.present(B) == before


# Replay and the chain of records.


def test_a_match_is_a_fold_of_its_records() -> None:
    course = play(Course(crowd(3, 2)), 11, 12)
    state: MatchState | None = None
    for record in course.records:
        state = step(state, record).state
    assert state == course.state
    assert digest(course.state) == digest(step_all(course))


def step_all(course: Course) -> MatchState:
    state: MatchState | None = None
    before = b""
    for number, data in enumerate(course.stored, 1):
        state = step(state, unpacked(data, number, before)).state
        before = data
    if state is None:
        raise ValueError("no records")
    return state


def test_the_stored_records_fold_to_the_same_state() -> None:
    course = play(Course(crowd(2, 3)), 12, 14)
    assert step_all(course) == course.state


def test_events_alone_change_the_truth() -> None:
    course = play(Course(crowd(4, 2)), 13, 20)
    truth = course.steps[0].state.truth
    for stepped in course.steps[1:]:
        for event in stepped.events:
            truth = apply(truth, event)
        assert truth == stepped.state.truth


def test_two_matches_with_other_seeds_do_not_have_the_same_digest() -> None:
    one, two = Course(TWO), Course(TWO, seed=bytes(32))
    assert digest(one.state) == digest(Course(TWO).state)
    assert digest(one.state) != digest(two.state)


def stored() -> list[bytes]:
    course = Course(TWO)
    course.orders(A, Thrust(ship=S1, to=(Compass.N,)))
    course.close()
    return course.stored


def test_a_record_comes_back_as_it_was_stored() -> None:
    course = play(Course(crowd(2, 3)), 2, 8)
    before = b""
    for number, (data, record) in enumerate(zip(course.stored, course.records, strict=True), 1):
        assert unpacked(data, number, before) == record
        before = data


def test_a_record_out_of_place_is_refused() -> None:
    one, two, three = stored()
    with pytest.raises(RecordError, match="record 3"):
        unpacked(two, 3, one)
    with pytest.raises(RecordError, match="follow"):
        unpacked(three, 3, one)
    with pytest.raises(RecordError, match="follow"):
        unpacked(two, 2, b"")
    assert unpacked(three, 3, two).n == 3


STORED = stored()


@given(st.integers(0, len(STORED[1]) - 1), st.integers(1, 255))
@example(20, 255)
def test_a_damaged_record_or_the_one_after_it_is_refused(at: int, change: int) -> None:
    one, two, three = STORED
    broken = bytearray(two)
    broken[at] ^= change
    refused = 0
    for number, data, before in ((2, bytes(broken), one), (3, three, bytes(broken))):
        try:
            unpacked(data, number, before)
        except RecordError:
            refused += 1
    # If the damage leaves a record, the next one no longer follows from it.
    assert refused >= 1


@given(st.binary(max_size=300))
@example(b"")
@example(b"\x80")
@example(b"\xc1")
@example(b"\x91" * 100_000)
@example(b"\xdd\xff\xff\xff\xff")
def test_bytes_that_are_no_record_are_refused(data: bytes) -> None:
    with pytest.raises(RecordError):
        unpacked(data, 1, b"")


def first(**changes: object) -> bytes:
    record = Record(v=RECORD_VERSION, m=MATCH, n=1, k=Kind.OPEN, t=0, b=opened(TWO, TEST))
    return packed(replace(record, **changes))


def test_a_record_of_another_format_or_other_rules_is_refused() -> None:
    assert unpacked(first(), 1, b"").n == 1
    with pytest.raises(RecordError, match="format"):
        unpacked(first(v=RECORD_VERSION + 1), 1, b"")
    other = replace(opened(TWO, TEST), rules=RULES_VERSION + 1)
    with pytest.raises(RecordError, match="rules"):
        unpacked(first(b=other), 1, b"")


def test_a_record_of_an_unknown_kind_is_refused() -> None:
    raw = msgspec.msgpack.decode(first())
    raw["b"] = {"t": "teleport"}
    with pytest.raises(RecordError):
        unpacked(msgspec.msgpack.encode(raw), 1, b"")


def test_the_chain_is_over_the_stored_bytes() -> None:
    one, two, _ = stored()
    assert unpacked(two, 2, one).p == chain(one)
    assert len(chain(one)) == 16
    assert chain(one) != chain(two)


# What always holds, in matches of random legal orders.


RANDOM = pytest.mark.parametrize(
    ("sides", "each", "slots", "seed"),
    [
        (2, 3, "sequential", 21),
        (2, 3, "sealed", 22),
        (3, 2, "sequential", 23),
        (3, 2, "sealed", 24),
        (4, 2, "sequential", 25),
        (4, 2, "sealed", 26),
    ],
)


def played(sides: int, each: int, slots: str, seed: int) -> Course:
    options = msgspec.convert({"clock": "test", "scan_slots": slots}, MatchOptions)
    return play(Course(crowd(sides, each), options, seed=bytes([seed]) * 32), seed, 80)


@RANDOM
def test_a_side_holds_in_its_intel_what_it_holds_in_truth(
    sides: int, each: int, slots: str, seed: int
) -> None:
    for stepped in played(sides, each, slots, seed).steps:
        truth = stepped.state.truth
        for side in truth.sides:
            held = stepped.state.intel[audience_of(side)].held
            fixes = {piece: hold.fix for piece, hold in truth.holds[side].items()}
            assert {piece: one.fix for piece, one in held.items()} == fixes


@RANDOM
def test_a_live_track_shows_where_the_ship_is_and_how_it_moves(
    sides: int, each: int, slots: str, seed: int
) -> None:
    seen = 0
    for stepped in played(sides, each, slots, seed).steps:
        truth = stepped.state.truth
        for side in truth.sides:
            for piece, held in stepped.state.intel[audience_of(side)].held.items():
                one = truth.ships[piece]
                if held.fix is Fix.TRACKED:
                    seen += 1
                    assert (held.square, held.vector, held.facing, held.size) == (
                        one.square,
                        one.vector,
                        one.facing,
                        one.echo,
                    )
                elif held.fix is Fix.CONTACT:
                    assert held.square == one.square
    assert seen


@RANDOM
def test_an_owner_knows_which_of_its_ships_are_held_but_not_that_a_track_coasts(
    sides: int, each: int, slots: str, seed: int
) -> None:
    for stepped in played(sides, each, slots, seed).steps:
        truth = stepped.state.truth
        for one in truth.in_play():
            known = stepped.state.intel[audience_of(one.side)].exposed.get(one.own, {})
            held = {
                side: Fix.CONTACT if hold.fix is Fix.CONTACT else Fix.TRACKED
                for side in truth.others(one.side)
                if (hold := truth.holds[side].get(one.id)) is not None
            }
            assert known == held


@RANDOM
def test_no_viewer_is_given_a_handle_or_a_label_twice(
    sides: int, each: int, slots: str, seed: int
) -> None:
    course = played(sides, each, slots, seed)
    for audience in course.state.intel:
        by_handle: dict[str, set[str]] = {}
        for stepped in course.steps:
            for held in stepped.state.intel[audience].held.values():
                by_handle.setdefault(held.handle, set()).add(held.label)
        labels = [label for labels in by_handle.values() for label in labels]
        assert len(set(labels)) == len(labels) == len(by_handle)


@RANDOM
def test_every_match_ends_and_its_points_are_those_of_its_events(
    sides: int, each: int, slots: str, seed: int
) -> None:
    course = played(sides, each, slots, seed)
    while not course.state.is_over:
        course.close()
    assert course.state.result is not None
    scored = dict.fromkeys(course.state.standing.sides, 0)
    for stepped in course.steps:
        for event in only(stepped.events, PointsScored):
            scored[event.side] += event.points
    assert course.state.result.points == scored


@pytest.mark.parametrize(
    ("clock", "pad", "is_padded"),
    [
        ("friendly", "auto", True),
        ("test", "auto", False),
        ("friendly", "no", False),
        ("test", "yes", True),
    ],
)
def test_frames_are_padded_in_rated_matches_or_as_the_option_says(
    clock: str, pad: str, is_padded: bool
) -> None:
    options = msgspec.convert({"clock": clock, "pad_frames": pad}, MatchOptions)
    course = play(Course(crowd(2, 3), options), 1, 6)
    for sent in course.sent.values():
        for message in sent:
            assert isinstance(message, Frame)
            length = len(encode_server(message, Form.PACKED))
            assert bool(message.pad) is is_padded
            assert not is_padded or length % 256 == 0


# A whole fight, through records and views.


def fight() -> Course:
    """Return a match after ENGAGE of turn 1, in which B fires on a ship known by its radar."""
    weak = replace(FRIGATE, hull=1, name="tug")
    guns = tuple(beam(f"B{number}", 3) for number in range(1, 9))
    armed = replace(CRUISER, weapons=guns)
    hunted = replace(ship(A, at=(10, 10), kind=weak), popped_out=True)
    hunter = ship(B, at=(10, 14), kind=armed)
    course = Course(scenario_of(hunted, ship(A, 2, (30, 30)), hunter))
    course.close_until(Phase.SCAN, A)
    course.orders(A, Scan(ship=S1, type=ScanType.RADAR, size=ScanSize.BOX, at="H8"))
    course.close_until(Phase.ENGAGE)
    [seen] = course.view(B).contacts
    assert seen.handle is not None
    assert (seen.fix, seen.square, seen.signatures) == (Fix.CONTACT, (10, 10), ("radar",))
    orders: tuple[Order, ...] = tuple(Fire(ship=S1, weapon=gun.id, at=seen.handle) for gun in guns)
    course.orders(B, *orders)
    return course


def test_a_ship_that_its_radar_gave_away_is_fired_on_and_destroyed() -> None:
    course = fight()
    events = course.close().events
    assert [each.killers for each in only(events, ShipDestroyed)] == [(B,)]
    assert course.state.truth.ships[A1].fate is Fate.DESTROYED
    assert course.state.truth.points == {A: 0, B: 4}
    told = {
        audience: {type(each) for each in course.state.intel[Audience(audience)].told}
        for audience in (A, B, PUBLIC)
    }
    assert OwnDestroyed in told[A]
    assert {ShotResult, ContactDestroyed} <= told[B]
    assert ShotResult not in told[A] | told[PUBLIC]
    assert course.view(B).points == 4
    assert course.view(A).own[0].fate is Fate.DESTROYED
    assert [each.fate for each in course.view(B).contacts] == [Fate.DESTROYED]


def test_a_scan_has_one_result_in_the_frame_of_its_slot_and_nobody_elses() -> None:
    course = Course(TWO)
    course.close_until(Phase.SCAN, A)
    course.orders(A, Scan(ship=S1, type=ScanType.MASS, size=ScanSize.BOX, at="H8"))
    course.close()
    results = {
        audience: [each for each in intel.told if isinstance(each, ScanResult)]
        for audience, intel in course.state.intel.items()
    }
    assert results[Audience("A")] == [ScanResult(ship=S1)]
    assert not any(found for audience, found in results.items() if audience != Audience("A"))


def test_notices_are_those_of_the_window_that_closed() -> None:
    course = fight()
    course.close()
    assert course.state.intel[Audience("B")].told
    course.close()
    assert course.state.intel[Audience("B")].told == ()


def test_a_view_shows_what_its_side_knows_and_no_more() -> None:
    course = fight()
    for audience in (PUBLIC, "A", "B"):
        seen = course.view(audience)
        assert [each.id for each in seen.own] == {"A": ["S1", "S2"], "B": ["S1"]}.get(audience, [])
