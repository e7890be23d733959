"""Questions of the terminal: what agrees, and that no means no."""

from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_client.spectating.spectators import follows, leaves
from sunglare_client.terminal.actions import is_no, is_yes
from sunglare_client.terminal.agreeing import ASKED, agrees
from sunglare_client.terminal.screen import CTRL_D

YES = ("y", "Y", "yes", " Yes ")
NO = ("n", "N", "no", " No ")


@pytest.mark.parametrize("line", YES)
def test_yes_agrees(line: str) -> None:
    assert is_yes(line)


@pytest.mark.parametrize("line", NO)
def test_no_declines(line: str) -> None:
    assert is_no(line)


@given(line=st.one_of(st.sampled_from((*YES, *NO, "", "note C3", "yes no")), st.text()))
def test_no_line_agrees_and_declines_at_once(line: str) -> None:
    assert not (is_yes(line) and is_no(line))
    assert is_yes(line) == (line.strip().lower() in ("y", "yes"))
    assert is_no(line) == (line.strip().lower() in ("n", "no"))


@pytest.mark.parametrize(
    ("typed", "agreed"),
    [
        *(([line], True) for line in ("", *YES)),
        *(([line], False) for line in (*NO, "what?")),
        ([], False),
    ],
    ids=repr,
)
async def test_who_comes_to_terms_agrees_by_enter_or_yes_alone(
    typed: list[str], *, agreed: bool
) -> None:
    async def lines() -> AsyncIterator[str]:
        for line in typed:
            yield line

    shown: list[str] = []
    assert await agrees(lines(), shown.extend) is agreed
    assert shown == [ASKED]


@pytest.mark.parametrize("line", NO)
def test_a_spectator_who_says_no_to_a_rematch_leaves(line: str) -> None:
    assert leaves(line, is_over=True)
    assert not follows(line)


@pytest.mark.parametrize("line", [*NO, ""])
def test_a_spectator_who_was_asked_nothing_does_not_leave_by_a_no(line: str) -> None:
    assert not leaves(line, is_over=False)


@pytest.mark.parametrize("line", ["q", "quit", CTRL_D])
def test_a_spectator_may_quit_at_any_time(line: str) -> None:
    assert leaves(line, is_over=False)
    assert leaves(line, is_over=True)


@pytest.mark.parametrize("line", [*YES, "follow"])
def test_a_spectator_who_says_yes_to_a_rematch_watches_it(line: str) -> None:
    assert follows(line)
    assert not leaves(line, is_over=True)
