"""Whom gateways ask about a match that nobody owns: the same worker, whichever gateway asks."""

from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.ids import MatchId
from sunglare_server.gateway.remote.rpc_client import first_of

WORKERS = st.lists(st.text("abcw123-", min_size=1, max_size=8), unique=True, max_size=8)
MATCHES = st.text("abcdefgh234567", min_size=26, max_size=26).map(MatchId)


@given(WORKERS, MATCHES)
def test_all_gateways_ask_the_same_worker_however_they_heard_of_them(
    workers: list[str], match: MatchId
) -> None:
    heard = sorted(workers)
    assert first_of(tuple(workers), match) == first_of(tuple(heard), match)
    assert (first_of(tuple(workers), match) is None) is (not workers)


@given(WORKERS, MATCHES)
def test_a_worker_that_goes_changes_nothing_for_matches_of_the_others(
    workers: list[str], match: MatchId
) -> None:
    first = first_of(tuple(workers), match)
    for gone in workers:
        left = tuple(worker for worker in workers if worker != gone)
        if gone != first:
            assert first_of(left, match) == first
        elif left:
            assert first_of(left, match) in left
