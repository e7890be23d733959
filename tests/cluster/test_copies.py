"""Which servers of an engine are there, by what the leaders of its streams answer."""

from typing import Any

from sunglare_server.cluster.journal.replicas import CopiesSeen, seen_in


def told(leader: str, **copies: bool | str) -> dict[str, Any]:
    """Return the answer of a leader; each copy is current, or not, or offline."""
    replicas = [
        {"name": name, "current": how is True, **({"offline": True} if how == "offline" else {})}
        for name, how in copies.items()
    ]
    return {"cluster": {"leader": leader, "replicas": replicas}}


def test_all_are_there_while_every_copy_is_level_with_its_leader() -> None:
    answers = [told("b", a=True, c=True), told("c", a=True, b=True)]
    assert seen_in(answers, None) == CopiesSeen(("a", "b", "c"), (), answer=True)


def test_one_is_away_that_any_leader_misses_be_it_behind_or_offline() -> None:
    behind = [told("a", b=True, c=True), told("a", b=True, c=False)]
    assert seen_in(behind, None) == CopiesSeen(("a", "b", "c"), ("c",), answer=True)
    assert seen_in(behind[::-1], None) == CopiesSeen(("a", "b", "c"), ("c",), answer=True)
    offline = [told("a", b="offline", c=True)]
    assert seen_in(offline, None) == CopiesSeen(("a", "b", "c"), ("b",), answer=True)


def test_a_leader_that_another_one_misses_is_away_all_the_same() -> None:
    answers = [told("c", a=True, b=True), told("a", b=True, c=False)]
    assert seen_in(answers, None) == CopiesSeen(("a", "b", "c"), ("c",), answer=True)


def test_a_server_that_is_in_no_cluster_is_one() -> None:
    found = seen_in([{}, {"cluster": None}], None)
    assert found is not None
    assert (len(found.names), found.away, found.answer) == (1, (), True)


def test_without_an_answer_the_last_one_stands() -> None:
    before = CopiesSeen(("a", "b", "c"), ("c",), answer=True)
    assert seen_in([], before) == CopiesSeen(("a", "b", "c"), ("c",), answer=False)
    assert seen_in([], None) is None
