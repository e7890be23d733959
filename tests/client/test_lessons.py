"""The lessons: their positions, what solves them, what is said of all else, and what is kept."""

import asyncio
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from builders.commandlines import sunglare
from builders.fullscreens import SMALL, press_keys, screen_rows, settled, stage_of
from builders.lessons import LESSONS, PLOTS, orders_file, position_file
from builders.terminals import screen, typed
from sunglare_client.command import Give
from sunglare_client.commands.arguments import command_line
from sunglare_client.learning import progress
from sunglare_client.learning.pupil import GO_ON, MATCHES_ONLY, SOLVED, WAYS, Pupil
from sunglare_client.learning.teaching import END, TOLD, given, learn_first, scene_of
from sunglare_client.map.evidence import NONE
from sunglare_client.terminal.input.parser import parse
from sunglare_client.text.labels import held
from sunglare_client.text.story import window_lines
from sunglare_protocol.lessons.lesson import Position, positions
from sunglare_protocol.views import View
from sunglare_rules.advice.lessons import Verdict, judged

NAMES = [position.name for position in positions()]
HIT, GRAZE = "burn S1 +1,+0", "burn S1 +2,+0"
"""What solves the third lesson, and what does not."""

each = pytest.mark.parametrize("position", positions(), ids=NAMES)


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUNGLARE_HOME", str(tmp_path))


def pupil_of(position: Position) -> Pupil:
    face, _ = screen()
    return Pupil(position, face)


def named(name: str) -> Position:
    return next(position for position in positions() if position.name == name)


def test_there_are_six_lessons_and_marre_red() -> None:
    assert list(PLOTS) == NAMES
    assert len(NAMES) == 7
    assert NAMES[-1].endswith("marre-red")


@pytest.mark.parametrize("name", PLOTS)
def test_a_position_is_what_the_match_of_its_plot_comes_to(name: str) -> None:
    assert (LESSONS / f"{name}.json").read_bytes() == position_file(PLOTS[name])


@each
def test_the_orders_of_a_lesson_are_those_that_its_lines_give(position: Position) -> None:
    lines = (*position.lesson.accepted, *position.lesson.wrong)
    written = (LESSONS / f"{position.name}.orders.json").read_bytes()
    assert written == orders_file(position.view, lines)


@each
def test_every_answer_that_is_accepted_solves_it_and_tells_the_idea(position: Position) -> None:
    assert position.lesson.accepted
    for line in position.lesson.accepted:
        pupil = pupil_of(position)
        said = pupil.obey(line)
        assert pupil.is_solved, line
        assert SOLVED in said
        assert said[-2:] == [" ".join(position.lesson.idea.split()), GO_ON]
        assert pupil.reminder()[-2:] == said[-2:]


@each
def test_the_answer_of_the_plot_is_accepted_and_what_came_of_it_is_told(
    position: Position,
) -> None:
    (answer,) = PLOTS[position.name].answer
    said = pupil_of(position).obey(answer)
    came = [row for frame in position.frames[1:] for row in window_lines(frame)]
    assert SOLVED in said
    assert came
    told = said[said.index(SOLVED) + 1 :][: len(came)]
    assert len(told) == len(came)
    assert told[-1] == came[-1]


@each
def test_the_board_is_drawn_as_it_stands_after_the_answer(position: Position) -> None:
    pupil = pupil_of(position)
    pupil.obey(position.lesson.accepted[0])
    assert pupil.session.view == position.frames[-1].view
    assert pupil.session.board_lines(screen()[0])[-1] == "(the map is as before)"


@pytest.mark.parametrize("name", ["01-contact", "02-sun", "04-planet", "05-cloak"])
def test_of_a_scan_or_a_shot_the_place_is_drawn_with_the_outcome(name: str) -> None:
    pupil = pupil_of(named(name))
    pupil.obey(pupil.position.lesson.accepted[0])
    assert pupil.session.evidence != NONE


@each
def test_after_the_answer_orders_and_an_empty_line_say_how_to_go_on(position: Position) -> None:
    pupil = pupil_of(position)
    assert pupil.obey("") == [position.lesson.task, WAYS]
    pupil.obey(position.lesson.accepted[0])
    assert all(pupil.obey(line) == [GO_ON] for line in islice(_possible(pupil), 5))


@pytest.mark.parametrize("word", ["", "next", "ready", "r"])
async def test_each_way_to_say_ready_goes_on_once_a_lesson_is_solved(word: str) -> None:
    face, paper = screen()
    first, second = positions()[:2]
    lines = (word, first.lesson.accepted[0], word, "quit")
    assert await given([first, second], typed(*lines), face) == 1
    assert paper.getvalue().index(SOLVED) < paper.getvalue().index("Lesson 2: ")


@pytest.mark.parametrize("keys", [("f1", "up", "up", "enter"), ("enter",), ("f1", "enter")])
async def test_enter_goes_on_wherever_the_keys_are_and_the_next_task_is_in_sight(
    keys: tuple[str, ...],
) -> None:
    first, second = positions()[:2]
    async with stage_of(SMALL) as (stage, board, pilot):

        def seat(pupil: Pupil) -> None:
            stage.scene = scene_of(pupil)

        lessons = asyncio.create_task(given([first, second], stage.lines(), stage, seat))
        await settled(pilot)
        board.line.put(first.lesson.accepted[0])
        await press_keys(pilot, "enter", *keys)
        shown = screen_rows(board)
        lessons.cancel()
        await asyncio.gather(lessons, return_exceptions=True)
    assert shown[0].startswith(f"Lesson 2: {second.lesson.title}  side A")
    assert any("Task (1 of" in row for row in shown)


def test_the_number_of_a_lesson_stands_apart_from_the_number_of_a_list() -> None:
    scene = scene_of(pupil_of(positions()[3]))
    assert scene.heading().startswith("Lesson 4: ")
    assert scene.panels()[0].title == "Task"


@each
def test_no_handle_is_ever_shown(position: Position) -> None:
    views = [frame.view for frame in position.frames if isinstance(frame.view, View)]
    handles = {str(piece.handle) for view in views for piece in held(view)} - {"None"}
    for line in (*position.lesson.accepted, *position.lesson.tries, "contacts", "orders"):
        said = "\n".join(pupil_of(position).obey(line))
        assert not [handle for handle in sorted(handles) if handle in said]


@each
def test_what_comes_to_mind_is_possible_and_told_why_it_is_not_sought(
    position: Position,
) -> None:
    for line, why in position.lesson.wrong.items():
        pupil = pupil_of(position)
        assert why in pupil.obey(line)
        assert not pupil.is_solved
        assert not pupil.session.plan


@each
def test_whatever_else_is_possible_is_told_that_it_is_not_sought(position: Position) -> None:
    pupil = pupil_of(position)
    others = (line for line in _possible(pupil) if not _is_named(pupil, line))
    said = [pupil.obey(line) for line in islice(others, 40)]
    refused = [rows for rows in said if rows[0].startswith("E-")]
    assert all((position.lesson.otherwise in rows) != (rows in refused) for rows in said)
    # In the sixth there are searches alone, and the lesson has something to say of each.
    assert len(refused) < len(said) or position.name == "06-search"
    assert not pupil.is_solved
    assert not pupil.session.plan


def _possible(pupil: Pupil) -> Iterator[str]:
    """Yield orders of all words that may stand first and second, with the first to follow."""
    pairs = ((one, two) for one in pupil.complete("") for two in pupil.complete(f"{one} "))
    lines = (_grown(pupil, f"{one} {two}") for one, two in pairs)
    return (line for line in lines if isinstance(parse(line, pupil.session.view), Give))


def _grown(pupil: Pupil, line: str) -> str:
    for _ in range(6):
        if isinstance(parse(line, pupil.session.view), Give):
            break
        following = pupil.complete(f"{line} ")
        if not following:
            break
        line = f"{line} {following[0]}"
    return line


def _is_named(pupil: Pupil, line: str) -> bool:
    """Return whether a line is right, or one that the lesson says something of."""
    command = parse(line, pupil.session.view)
    assert isinstance(command, Give)
    verdict = judged(pupil.position, command.orders)
    return isinstance(verdict, Verdict) and verdict.said != pupil.position.lesson.otherwise


@each
def test_a_hint_names_commands_that_show_something(position: Position) -> None:
    pupil = pupil_of(position)
    hint = pupil.obey("hint")
    assert position.lesson.tries
    for line in position.lesson.tries:
        assert f"  {line}" in hint
        said = pupil.obey(line)
        assert said
        assert not said[0].startswith("E-"), said
        assert said != [MATCHES_ONLY]
    assert not pupil.is_solved


def test_what_is_wrong_is_told_as_in_a_match_and_nothing_is_lost() -> None:
    pupil = pupil_of(named("03-shadow"))
    assert pupil.obey("burn S9 +1,+0")[0].startswith("E-")
    assert pupil.obey("rubbish")[0].startswith("E-")
    assert pupil.obey("say all hello") == [MATCHES_ONLY]
    assert SOLVED in pupil.obey(HIT)


async def test_lessons_come_one_after_the_other_and_solved_ones_are_kept() -> None:
    face, paper = screen()
    lines = [line for position in positions() for line in (position.lesson.accepted[0], "")]
    assert await given(positions(), typed(*lines), face) == 0
    assert paper.getvalue().count(SOLVED) == len(NAMES)
    assert END in paper.getvalue()
    assert list(progress.load().solved) == NAMES


async def test_one_that_is_skipped_is_not_solved_and_the_next_begins() -> None:
    face, paper = screen()
    first, second = positions()[:2]
    assert await given([first, second], typed("skip", second.lesson.accepted[0]), face) == 1
    assert f"Lesson 2: {second.lesson.title}" in paper.getvalue()
    assert progress.load().solved == (second.name,)


async def test_whoever_has_solved_one_may_look_around_before_going_on() -> None:
    face, paper = screen()
    first, second = positions()[:2]
    lines = (first.lesson.accepted[0], "look S1", "", "quit")
    assert await given([first, second], typed(*lines), face) == 1
    said = paper.getvalue()
    assert (
        said.index(SOLVED)
        < said.rindex("S1 Kite", 0, said.index("Lesson 2"))
        < said.index("Lesson 2")
    )
    assert progress.load().solved == (first.name,)


@pytest.mark.parametrize("lines", [("quit",), ()])
async def test_who_quits_or_says_nothing_more_leaves(lines: tuple[str, ...]) -> None:
    face, paper = screen()
    assert await given(positions(), typed(*lines), face) == 1
    assert "Lesson 2" not in paper.getvalue()
    assert progress.load().solved == ()


async def test_on_the_full_screen_a_lesson_is_solved_by_keys() -> None:
    position = named("03-shadow")
    async with stage_of(SMALL) as (stage, board, pilot):
        pupil = Pupil(position, stage)
        stage.scene = scene_of(pupil)
        stage.draw()
        await settled(pilot)
        shown = " ".join(" ".join(screen_rows(board)).split())
        assert position.lesson.title in shown
        assert ":00" not in shown
        board.line.put(HIT)
        await pilot.press("enter")
        await settled(pilot)
        line = await anext(stage.lines())
        assert line == HIT
        assert SOLVED in pupil.obey(line)


@each
async def test_on_the_smallest_full_screen_nothing_of_a_lesson_is_cut(position: Position) -> None:
    async with stage_of(SMALL) as (stage, board, pilot):
        pupil = Pupil(position, stage)
        stage.scene = scene_of(pupil)
        stage.draw()
        await settled(pilot)
        asked = screen_rows(board)
        pupil.obey(position.lesson.accepted[0])
        stage.draw()
        await settled(pilot)
        solved = screen_rows(board)
    assert asked[0].endswith("your orders")
    assert any(WAYS in row for row in asked)
    assert any(GO_ON in row for row in solved)
    assert not [row for row in (*asked, *solved) if "more (PgDn)" in row]


async def test_the_map_of_the_next_lesson_begins_where_its_pieces_are() -> None:
    async def rows_of(*shown: Position) -> list[str]:
        async with stage_of(SMALL) as (stage, board, pilot):
            for position in shown:
                stage.scene = scene_of(Pupil(position, stage))
                stage.draw()
                await settled(pilot)
            return screen_rows(board)

    first, second = positions()[:2]
    assert await rows_of(first, second) == await rows_of(second)


async def test_the_program_gives_lessons_and_says_which_are_solved(tmp_path: Path) -> None:
    done = await sunglare("learn", "3", "--plain", home=tmp_path, typed=f"{GRAZE}\n{HIT}\n")
    assert (done.code, done.err) == (0, "")
    assert SOLVED in done.out
    listed = await sunglare("learn", "--list", home=tmp_path)
    rows = listed.out.splitlines()
    assert [row.split()[1] == "solved" for row in rows] == [n == 2 for n in range(7)]
    left = await sunglare("learn", "--plain", home=tmp_path, typed="skip\nskip\nquit\n")
    assert left.code == 1
    assert [f"Lesson {n}:" in left.out for n in (1, 2, 3, 4)] == [True, True, False, True]


async def test_where_lines_are_typed_lessons_are_told_of_once_before_a_match() -> None:
    options = command_line().parse_args(["play", "--lines"])
    for said in (f"{TOLD}\n", ""):
        face, paper = screen()
        await learn_first(options, face)
        assert paper.getvalue() == said


async def test_a_lesson_that_does_not_exist_is_told_so(tmp_path: Path) -> None:
    done = await sunglare("learn", "8", home=tmp_path)
    assert (done.code, done.out) == (1, "")
    assert "there is no lesson 8: they are 1 to 7" in done.err


async def test_a_file_of_solved_lessons_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "lessons.json").write_text('{"solved": 3}')
    done = await sunglare("learn", "--list", home=tmp_path)
    assert done.code == 1
    assert "lessons.json does not say which lessons you solved" in done.err
