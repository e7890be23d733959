"""When an owner is gone, and when a worker holds what it owns, by its book alone."""

from sunglare_protocol.ids import MatchId
from sunglare_server.cluster.lease.lease_table import GONE, Holder, LeaseBook, held_by, holder_in

TTL_MS = 1_000
BEAT_MS = 250

ALPHA = MatchId("a" * 26)
ME = Holder("me", "1")
OTHER = Holder("other", "1")


class Course:
    """A worker that hears its beats as it sends them, and those of others when they are told."""

    def __init__(self) -> None:
        self.book = LeaseBook(ME, TTL_MS)
        self.now_ms = 0.0
        self._revision = 0

    def pass_ms(self, ms: float, *, hears: bool = True) -> None:
        """Let time pass, from beat to beat."""
        end_ms = self.now_ms + ms
        while self.now_ms < end_ms:
            self.now_ms = min(self.now_ms + BEAT_MS, end_ms)
            beat = self.book.beat(self.now_ms)
            if hears:
                self.hear(ME.worker, beat)

    def hear(self, worker: str, beat: bytes) -> None:
        """Hear of a new beat."""
        self._revision += 1
        self.book.hear_beat(worker, self._revision, beat, self.now_ms)

    def other_beats(self, life: str = "1") -> None:
        """Hear of a beat of the other worker."""
        self.hear(OTHER.worker, f"{life} 7".encode())


def test_a_lease_says_whose_it_is() -> None:
    assert holder_in(held_by(OTHER)) == OTHER
    assert holder_in(b"") is None


def test_an_owner_is_gone_once_no_beat_of_it_was_heard_for_the_time_to_live() -> None:
    course = Course()
    course.pass_ms(BEAT_MS)
    course.other_beats()
    course.pass_ms(TTL_MS - BEAT_MS)
    assert not course.book.is_gone(OTHER)
    course.pass_ms(BEAT_MS)
    assert course.book.is_gone(OTHER)
    course.other_beats()
    assert not course.book.is_gone(OTHER)


def test_the_same_beat_heard_again_is_no_new_one() -> None:
    course = Course()
    course.pass_ms(BEAT_MS)
    for _ in range(4):
        course.book.hear_beat(OTHER.worker, 77, b"1 7", course.now_ms)
        course.pass_ms(BEAT_MS)
    assert course.book.is_gone(OTHER)


def test_nobody_is_gone_for_a_time_in_which_the_engine_takes_no_beats() -> None:
    course = Course()
    course.pass_ms(BEAT_MS)
    course.other_beats()
    course.pass_ms(20 * TTL_MS, hears=False)
    course.pass_ms(BEAT_MS)
    assert not course.book.is_gone(OTHER)
    # Half of the time to live has passed at most; now the rest does.
    course.pass_ms(TTL_MS)
    assert course.book.is_gone(OTHER)


def test_nobody_is_gone_for_a_time_in_which_this_worker_stood_still() -> None:
    course = Course()
    course.pass_ms(BEAT_MS)
    course.other_beats()
    course.now_ms += 60_000
    course.hear(ME.worker, course.book.beat(course.now_ms))
    assert not course.book.is_gone(OTHER)


def test_a_beat_that_was_heard_late_counts_from_when_it_was_heard() -> None:
    course = Course()
    course.pass_ms(BEAT_MS)
    course.now_ms += BEAT_MS - 1
    course.other_beats()
    course.now_ms += 1
    course.pass_ms(TTL_MS - BEAT_MS)
    assert not course.book.is_gone(OTHER)


def test_an_owner_in_an_earlier_life_is_gone_at_once() -> None:
    course = Course()
    course.pass_ms(BEAT_MS)
    course.other_beats(life="2")
    assert course.book.is_gone(OTHER)
    assert not course.book.is_gone(Holder("other", "2"))


def test_an_owner_that_has_ended_is_gone_at_once() -> None:
    course = Course()
    course.other_beats()
    course.hear(OTHER.worker, GONE)
    assert course.book.is_gone(OTHER)


def test_a_worker_holds_what_it_owns_for_three_quarters_of_the_time_to_live() -> None:
    course = Course()
    assert not course.book.is_renewed(course.now_ms)
    course.pass_ms(BEAT_MS)
    assert course.book.is_renewed(course.now_ms + 0.75 * TTL_MS - 1)
    assert not course.book.is_renewed(course.now_ms + 0.75 * TTL_MS)


def test_a_beat_renews_from_when_it_was_sent() -> None:
    course = Course()
    beat = course.book.beat(course.now_ms)
    course.now_ms += 0.5 * TTL_MS
    course.hear(ME.worker, beat)
    assert course.book.is_renewed(course.now_ms)
    assert not course.book.is_renewed(course.now_ms + 0.25 * TTL_MS)


def test_a_beat_of_an_earlier_life_of_ones_own_renews_nothing() -> None:
    course = Course()
    course.book.beat(course.now_ms)
    course.hear(ME.worker, b"0 1")
    assert not course.book.is_renewed(course.now_ms)


def test_an_owner_does_not_hold_any_more_when_others_may_take_it() -> None:
    owner, other = Course(), LeaseBook(Holder("x", "1"), TTL_MS)
    owner.pass_ms(BEAT_MS)
    beat = owner.book.beat(owner.now_ms)
    owner.hear(ME.worker, beat)
    # Whoever hears of it at the same moment, and then of nothing but beats of its own.
    other.hear_beat("x", 0, other.beat(owner.now_ms), owner.now_ms)
    other.hear_beat(ME.worker, 1, beat, owner.now_ms)
    revision, now_ms = 1, owner.now_ms
    while not other.is_gone(ME):
        assert now_ms - owner.now_ms <= 2 * TTL_MS
        now_ms += 50
        revision += 1
        other.hear_beat("x", revision, other.beat(now_ms), now_ms)
    assert not owner.book.is_renewed(now_ms)
    assert now_ms - owner.now_ms >= TTL_MS


def test_a_match_is_free_without_an_owner_and_when_it_is_gone() -> None:
    course = Course()
    course.pass_ms(BEAT_MS)
    course.other_beats()
    assert not course.book.is_free(ALPHA)
    course.book.hear_entry(ALPHA, 50, held_by(OTHER))
    assert not course.book.is_free(ALPHA)
    course.pass_ms(TTL_MS)
    assert course.book.is_free(ALPHA)
    course.book.hear_entry(ALPHA, 51, held_by(ME))
    assert not course.book.is_free(ALPHA)
    course.book.hear_entry(ALPHA, 52, b"")
    assert course.book.is_free(ALPHA)
    course.book.hear_entry(ALPHA, 53, GONE)
    assert not course.book.is_free(ALPHA)


def test_living_workers_have_all_ranks_of_a_match_whoever_asks() -> None:
    names = ("a", "b", "c", "d")
    books = [LeaseBook(Holder(name, "1"), TTL_MS) for name in names]
    for book in books:
        for revision, name in enumerate(names):
            book.hear_beat(name, revision, b"1 1", 0.0)
        book.hear_beat("dead", 9, b"1 1", 0.0)
        book.hear_beat("dead", 10, GONE, 0.0)
    firsts = []
    for k in range(40):
        match = MatchId(f"match{k}")
        ranks = [book.rank(match) for book in books]
        assert sorted(ranks) == [0, 1, 2, 3]
        firsts.append(ranks.index(0))
    assert set(firsts) == {0, 1, 2, 3}


def test_what_a_new_watch_does_not_tell_is_there_no_more() -> None:
    course = Course()
    course.other_beats()
    course.book.hear_entry(ALPHA, 1, held_by(OTHER))
    course.book.keep_only(frozenset(), frozenset())
    assert course.book.entries == {}
    assert course.book.is_gone(OTHER)


def test_to_be_looked_at_is_what_has_no_owner_a_gone_one_or_this_worker() -> None:
    course = Course()
    course.pass_ms(BEAT_MS)
    course.other_beats()
    book = course.book
    for revision, (name, data) in enumerate(
        [
            ("others", held_by(OTHER)),
            ("mine", held_by(ME)),
            ("nobodys", b""),
            ("over", held_by(OTHER)),
            ("over", GONE),
            ("taken", held_by(OTHER)),
            ("taken", held_by(ME)),
            ("given", held_by(ME)),
            ("given", held_by(OTHER)),
        ]
    ):
        book.hear_entry(MatchId(name), revision, data)
    assert sorted(book.doubtful()) == ["mine", "nobodys", "taken"]
    course.pass_ms(TTL_MS)
    assert sorted(book.doubtful()) == ["given", "mine", "nobodys", "others", "taken"]
    book.keep_only(frozenset([MatchId("others"), MatchId("mine")]), frozenset(["me", "other"]))
    assert sorted(book.doubtful()) == ["mine", "others"]
