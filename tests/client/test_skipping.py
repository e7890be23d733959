"""Windows with nothing to decide: passed with a sentence, unless the player says `skip off`."""

from builders.tables import PostedTable
from builders.terminals import over
from client.test_plain import DETECT, ENGAGE, MINE, PLOT, TURN, locked, played

PASSED = "nothing to decide in DETECT; passed"


def detect() -> PostedTable:
    return PostedTable((PLOT, DETECT, ENGAGE, over()), awaits=("4.plot", "4.detect", "4.engage"))


async def test_a_person_hears_that_a_window_without_a_choice_was_passed() -> None:
    table = detect()
    _, text = await played(table, "ready!", "ready!", script=False)
    assert text.count(PASSED) == 1
    assert list(locked(table)) == ["4.plot", "4.detect", "4.engage"]


async def test_a_script_passes_it_without_a_word() -> None:
    table = PostedTable(TURN, awaits=MINE)
    _, text = await played(table, "ready", "ready", "ready")
    assert "passed" not in text
    assert list(locked(table)) == list(MINE)


async def test_with_skip_off_such_a_window_waits_for_ready() -> None:
    table = detect()
    lines = ("skip off", "ready!", "contacts", "ready!", "ready!")
    _, text = await played(table, *lines, script=False)
    assert "windows in which you have nothing to decide wait for your ready" in text
    assert PASSED not in text
    assert text.count("your orders, please") == 3
    assert list(locked(table)) == ["4.plot", "4.detect", "4.engage"]


async def test_skip_on_passes_at_once_what_waits() -> None:
    table = detect()
    _, text = await played(table, "skip off", "ready!", "skip on", "ready!", script=False)
    assert text.count(PASSED) == 1
    assert list(locked(table)) == ["4.plot", "4.detect", "4.engage"]


async def test_a_script_may_have_them_wait_too() -> None:
    table = PostedTable(TURN, awaits=MINE)
    _, text = await played(table, "skip off", "ready", "ready", "ready", "ready")
    assert list(locked(table)) == list(MINE)
    assert text.count("your orders, please") == len(MINE)


async def test_skip_without_a_word_is_told_the_words() -> None:
    table = PostedTable((PLOT, over()), awaits=("4.plot",))
    _, text = await played(table, "skip", "skip maybe", "ready")
    assert text.count("off on") + text.count("off, on") >= 2
