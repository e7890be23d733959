"""Rules of the keyed dice: fairness, independence, handles, and the layout a verifier needs."""

import hashlib
import itertools
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.seals import commitment, pledge
from sunglare_server.match.dice import HANDLES_MOST, Dice, Purpose, match_seed

SEED = bytes(range(32))
DICE = Dice(seed=SEED)
OTHER = Dice(seed=bytes(range(1, 33)))

# The values that chi-square passes once in a thousand times, by degrees of freedom.
CHI_SQUARE_5 = 20.52
CHI_SQUARE_35 = 66.62

PURPOSES = st.sampled_from(Purpose)
TURNS = st.integers(0, 60)
INDICES = st.integers(0, 1000)


def written_out(purpose: str, viewer: str, piece: str, turn: int, index: int, attempt: int) -> int:
    """Return the keyed number for that key, derived from the documented layout alone."""
    message = b""
    for text in (purpose, viewer, piece):
        raw = text.encode("utf-8")
        message += len(raw).to_bytes(8, "big") + raw
    for number in (turn, index, attempt):
        message += number.to_bytes(8, "big")
    return int.from_bytes(hashlib.blake2b(message, key=SEED, digest_size=16).digest(), "big")


def chi_square(counts: Counter[int] | Counter[tuple[int, int]], cells: int) -> float:
    """Return how far counts lie from equal counts in that many cells."""
    even = counts.total() / cells
    seen = sum((count - even) ** 2 / even for count in counts.values())
    return seen + (cells - len(counts)) * even


def test_a_die_is_fair_over_sixty_thousand_rolls() -> None:
    rolls = Counter(DICE.d6(1, Purpose.FIRE, "piece", index) for index in range(60_000))
    assert set(rolls) == set(range(1, 7))
    assert chi_square(rolls, 6) < CHI_SQUARE_5


@pytest.mark.parametrize(
    "neighbour",
    [
        pytest.param((1, Purpose.FIRE, "piece", 1), id="next index"),
        pytest.param((2, Purpose.FIRE, "piece", 0), id="next turn"),
        pytest.param((1, Purpose.SENSE, "piece", 0), id="other purpose"),
        pytest.param((1, Purpose.FIRE, "piecf", 0), id="other piece"),
    ],
)
def test_a_die_says_nothing_about_the_die_of_another_key(
    neighbour: tuple[int, Purpose, str, int],
) -> None:
    turn, purpose, piece, index = neighbour
    pairs = Counter(
        (
            DICE.d6(1, Purpose.FIRE, "piece", 2 * pair),
            DICE.d6(turn, purpose, piece, 2 * pair + index),
        )
        for pair in range(10_000)
    )
    assert chi_square(pairs, 36) < CHI_SQUARE_35


def test_another_seed_gives_other_dice() -> None:
    pairs = Counter(
        (DICE.d6(1, Purpose.FIRE, "a", index), OTHER.d6(1, Purpose.FIRE, "a", index))
        for index in range(10_000)
    )
    assert chi_square(pairs, 36) < CHI_SQUARE_35


@given(TURNS, PURPOSES, st.text(), INDICES)
def test_the_same_key_is_the_same_die_whatever_was_rolled_between(
    turn: int, purpose: Purpose, piece: str, index: int
) -> None:
    first = DICE.d6(turn, purpose, piece, index)
    for other in range(3):
        DICE.d6(turn + other, purpose, piece + "'", index)
    assert Dice(seed=SEED).d6(turn, purpose, piece, index) == first


@given(st.one_of(st.integers(1, 100), st.integers(1, 2**128)), INDICES)
def test_a_die_stays_within_its_sides(sides: int, index: int) -> None:
    assert 1 <= DICE.roll(sides, 1, Purpose.DEPLOY, "piece", index) <= sides


@pytest.mark.parametrize("sides", [1, 2, 3, 6, 10, 12])
def test_a_die_shows_each_of_its_sides(sides: int) -> None:
    rolled = {DICE.roll(sides, 1, Purpose.ROSTER, "A", index) for index in range(300)}
    assert rolled == set(range(1, sides + 1))


@pytest.mark.parametrize("sides", [0, -6, 2**128 + 1])
def test_there_is_no_die_without_sides_or_with_more_than_a_draw_has(sides: int) -> None:
    with pytest.raises(ValueError, match="sides"):
        DICE.roll(sides, 1, Purpose.FIRE, "piece", 0)


def test_a_verifier_can_derive_a_die_from_the_documented_layout() -> None:
    for index in range(200):
        number = written_out("fire", "", "Ceres \N{SNOWMAN}", 7, index, 0)
        assert number < 2**128 - 4
        assert DICE.d6(7, Purpose.FIRE, "Ceres \N{SNOWMAN}", index) == number % 6 + 1


def test_a_draw_beyond_the_fair_range_is_thrown_away_and_drawn_again() -> None:
    # Nearly half of all draws are beyond what so large a die can divide evenly.
    sides = 2**127 + 1
    attempts_taken = set()
    for index in range(100):
        numbers = (written_out("fire", "", "a", 1, index, attempt) for attempt in range(60))
        attempt, number = next(pair for pair in enumerate(numbers) if pair[1] < sides)
        attempts_taken.add(attempt)
        assert DICE.roll(sides, 1, Purpose.FIRE, "a", index) == number + 1
    assert {0, 1, 2} <= attempts_taken


def test_two_dice_are_neighbours_and_pairs_do_not_overlap() -> None:
    stream = DICE.stream(3, Purpose.INITIATIVE, "A")
    for pair in range(20):
        expected = (stream(2 * pair), stream(2 * pair + 1))
        assert DICE.two_d6(3, Purpose.INITIATIVE, "A", pair) == expected


@given(TURNS, PURPOSES, st.text(), INDICES)
def test_a_stream_is_the_dice_of_its_key_by_index(
    turn: int, purpose: Purpose, piece: str, index: int
) -> None:
    expected = written_out(purpose.value, "", piece, turn, index, 0) % 6 + 1
    assert DICE.stream(turn, purpose, piece)(index) == expected


@given(st.tuples(TURNS, st.text(), st.text()), st.tuples(TURNS, st.text(), st.text()))
def test_tie_keys_are_equal_only_for_the_same_key(
    one: tuple[int, str, str], other: tuple[int, str, str]
) -> None:
    assert (DICE.tie(*one) == DICE.tie(*other)) == (one == other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(("ab", "c"), ("a", "bc"), id="a letter across the border"),
        pytest.param(("ab", ""), ("", "ab"), id="an empty part"),
        pytest.param(("a\0", "b"), ("a", "\0b"), id="a null across the border"),
        pytest.param(
            ("a" + "\0" * 7 + "\x01b", ""), ("a", "b"), id="a text that looks like a count"
        ),
    ],
)
def test_keys_that_read_alike_when_joined_are_different_keys(
    one: tuple[str, str], other: tuple[str, str]
) -> None:
    assert DICE.tie(1, *one) != DICE.tie(1, *other)


def test_a_tie_is_broken_either_way_and_anew_each_turn() -> None:
    wins = sum(DICE.tie(turn, "A", "one") < DICE.tie(turn, "A", "two") for turn in range(1000))
    assert 400 < wins < 600


def test_handle_tokens_are_six_letters_and_never_repeat_for_a_viewer() -> None:
    tokens = [DICE.token("A", k) for k in range(20_000)]
    assert all(re.fullmatch("[a-z2-7]{6}", token) for token in tokens)
    assert len(set(tokens)) == len(tokens)


@given(st.integers(0, HANDLES_MOST - 1), st.integers(0, HANDLES_MOST - 1), st.text())
def test_handle_tokens_are_equal_only_for_the_same_number(
    one: int, other: int, viewer: str
) -> None:
    assert (DICE.token(viewer, one) == DICE.token(viewer, other)) == (one == other)


def test_a_verifier_can_derive_a_handle_from_the_documented_layout() -> None:
    for k in (0, 1, 40_000, HANDLES_MOST - 1):
        left, right = k >> 15, k & 0x7FFF
        for number in range(4):
            mask = written_out("handle", "B", "", 0, right, number) & 0x7FFF
            left, right = right, left ^ mask
        bits = f"{left:015b}{right:015b}"
        digits = [int("".join(five), 2) for five in zip(*[iter(bits)] * 5, strict=True)]
        token = "".join("abcdefghijklmnopqrstuvwxyz234567"[digit] for digit in digits)
        assert DICE.token("B", k) == token


def test_handle_tokens_use_every_letter_in_every_place() -> None:
    tokens = [DICE.token("A", k) for k in range(2000)]
    for place in range(6):
        assert len({token[place] for token in tokens}) == 32


def test_viewers_and_matches_have_unrelated_handles() -> None:
    of_a, of_b, of_other = (
        [dice.token(viewer, k) for k in range(100)]
        for dice, viewer in ((DICE, "A"), (DICE, "B"), (OTHER, "A"))
    )
    for one, other in itertools.combinations((of_a, of_b, of_other), 2):
        assert sum(x == y for x, y in zip(one, other, strict=True)) == 0


@pytest.mark.parametrize("k", [-1, HANDLES_MOST])
def test_there_is_no_handle_beyond_what_six_letters_hold(k: int) -> None:
    with pytest.raises(ValueError, match="handle"):
        DICE.token("A", k)


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_a_seed_of_another_length_is_refused(seed: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Dice(seed=seed)


def test_the_text_of_the_dice_hides_the_seed() -> None:
    text = f"{DICE} {DICE!r}"
    assert repr(SEED)[2:-1] not in text
    assert SEED.hex() not in text


def test_the_match_seed_follows_from_the_server_and_the_seats_in_order() -> None:
    message = b""
    for part in (b"sunglare seed", b"server", b"seat one", b"seat two"):
        message += len(part).to_bytes(8, "big") + part
    expected = hashlib.blake2b(message, digest_size=32).digest()
    assert match_seed(b"server", (b"seat one", b"seat two")) == expected


@pytest.mark.parametrize(
    ("server", "entropies"),
    [
        pytest.param(b"server", (b"two", b"one"), id="other order"),
        pytest.param(b"server", (b"one",), id="a seat left out"),
        pytest.param(b"server", (b"onetwo",), id="joined"),
        pytest.param(b"server", (b"on", b"etwo"), id="a byte across the border"),
        pytest.param(b"server", (b"one", b"two", b""), id="an empty seat"),
        pytest.param(b"servero", (b"ne", b"two"), id="a byte from the server"),
    ],
)
def test_any_other_part_makes_another_match_seed(
    server: bytes, entropies: tuple[bytes, ...]
) -> None:
    assert match_seed(server, entropies) != match_seed(b"server", (b"one", b"two"))


@pytest.mark.parametrize("entropies", [(), (b"one",), (b"one", b"two", b"three", b"four")])
def test_a_match_seed_fits_the_dice_however_many_seats_reveal(
    entropies: tuple[bytes, ...],
) -> None:
    assert Dice(seed=match_seed(b"server", entropies)).d6(1, Purpose.FIRE, "a") in range(1, 7)


@pytest.mark.parametrize(
    ("published", "label"),
    [
        pytest.param(commitment(SEED), b"sunglare commitment", id="commitment"),
        pytest.param(pledge(SEED), b"sunglare pledge", id="pledge"),
    ],
)
def test_a_published_hash_can_be_checked_from_the_documented_layout(
    published: str, label: bytes
) -> None:
    message = b"".join(len(part).to_bytes(8, "big") + part for part in (label, SEED))
    assert published == hashlib.blake2b(message, digest_size=32).hexdigest()


def test_what_is_published_of_a_seed_is_no_seed() -> None:
    published = {commitment(SEED), pledge(SEED), match_seed(SEED, ()).hex(), SEED.hex()}
    assert len(published) == 4
