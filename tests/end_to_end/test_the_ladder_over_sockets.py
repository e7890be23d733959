"""The ladder as it is told over the wire: names, ratings, intervals, one's own line."""

from pathlib import Path

import pytest

from builders.commandlines import sunglare
from builders.ratedresults import result
from builders.venues import Venue
from builders.wires import Talker
from sunglare_protocol.messages import (
    Accepted,
    AskLadder,
    Create,
    Created,
    Forget,
    Info,
    Join,
    Ladder,
    MatchInfo,
    Seated,
)
from sunglare_protocol.refusals import Code
from sunglare_server.ops.control.requests import FoldRatings
from sunglare_server.ports.rating_model import RatedResult, player_of

HUNTER = player_of("any", "hunter")


async def told(talker: Talker, **fields: object) -> Ladder:
    return await talker.expect(Ladder, AskLadder, **fields)


async def folded(venue: Venue, *results: RatedResult) -> None:
    for one in results:
        assert await venue.app.lobby.ladder.ratings.add(one)


async def account(venue: Venue, name: str) -> str:
    found = await venue.app.lobby.accounts.called(name)
    assert found is not None
    return found


async def test_nobody_has_a_rating_before_a_match_has_counted(venue: Venue) -> None:
    anna = await venue.one("Anna")
    ladder = await told(anna)
    assert (ladder.family, ladder.families, ladder.lines, ladder.mine) == (None, (), (), None)


async def test_a_ladder_tells_names_ratings_intervals_and_matches(venue: Venue) -> None:
    anna, _, carl = await venue.named("Anna", "Boris", "Carl")
    ann, ben = [await account(venue, name) for name in ("Anna", "Boris")]
    await folded(venue, result(1, ann, HUNTER), result(2, ann, ben), result(3, HUNTER, ben))
    ladder = await told(carl)
    assert (ladder.family, ladder.families) == ("shadow-of-ceres", ("shadow-of-ceres",))
    assert [(line.rank, line.name, line.bot, line.matches) for line in ladder.lines] == [
        (1, "Anna", False, 2),
        (2, "hunter", True, 2),
        (3, "Boris", False, 2),
    ]
    assert all(line.low < line.rating < line.high for line in ladder.lines)
    assert ladder.lines[0].rating > 1500 > ladder.lines[2].rating
    assert ladder.mine is None
    assert (await told(anna)).mine == ladder.lines[0]


async def test_a_long_ladder_comes_in_parts_each_with_ones_own_line(venue: Venue) -> None:
    names = [f"Player {n}" for n in range(5)]
    last, *_ = await venue.named(*names)
    accounts = [await account(venue, name) for name in names]
    await folded(venue, *[result(n, other, accounts[0]) for n, other in enumerate(accounts[1:])])
    first = await told(last, most=2)
    rest = await told(last, after=2)
    assert first.more
    assert not rest.more
    assert [line.rank for line in (*first.lines, *rest.lines)] == [1, 2, 3, 4, 5]
    assert first.mine == rest.lines[-1] == rest.mine


async def test_each_family_has_a_ladder_of_its_own(venue: Venue) -> None:
    anna, _ = await venue.named("Anna", "Boris")
    ann, ben = [await account(venue, name) for name in ("Anna", "Boris")]
    await folded(venue, result(1, ann, ben, family="redondo"), result(2, ben, ann))
    redondo, ceres = await told(anna, family="redondo"), await told(anna, family="shadow-of-ceres")
    assert redondo.families == ceres.families == ("redondo", "shadow-of-ceres")
    assert [line.name for line in redondo.lines] == ["Anna", "Boris"]
    assert [line.name for line in ceres.lines] == ["Boris", "Anna"]
    assert (await told(anna)).family == "redondo"


async def test_a_family_without_ratings_is_refused_with_those_there_are(venue: Venue) -> None:
    anna, _ = await venue.named("Anna", "Boris")
    ann, ben = [await account(venue, name) for name in ("Anna", "Boris")]
    await folded(venue, result(1, ann, ben))
    refusal = await anna.refused(AskLadder, family="orlog")
    assert (refusal.code, refusal.at) == (Code.LADDER_FAMILY, "$.family")
    assert refusal.choices == ("shadow-of-ceres",)


async def test_whoever_has_been_forgotten_is_someone_on_the_ladder(venue: Venue) -> None:
    anna, boris = await venue.named("Anna", "Boris")
    ann, ben = [await account(venue, name) for name in ("Anna", "Boris")]
    await folded(venue, result(1, ann, ben))
    await anna.expect(Accepted, Forget)
    assert [line.name for line in (await told(boris)).lines] == ["someone", "Boris"]


async def test_a_rated_match_is_called_so_in_lists_and_to_whoever_sits_down(venue: Venue) -> None:
    anna, boris = await venue.named("Anna", "Boris")
    wish = {"scenario": "shadow-of-ceres", "options": {"clock": "blitz"}}
    for rated in (True, False):
        match = (await anna.expect(Created, Create, rated=rated, **wish)).match
        assert (await boris.expect(Seated, Join, match=match)).rated is rated
        assert (await anna.expect(MatchInfo, Info, match=match)).line.rated is rated
        boris = await venue.one()


async def test_a_match_that_cannot_count_is_not_opened_as_one(venue: Venue) -> None:
    anna = await venue.one("Anna")
    wish = {"scenario": "shadow-of-ceres", "options": {"clock": "friendly"}, "rated": True}
    assert await anna.code(Create, **wish) is Code.RATED_TERMS


async def test_the_operator_folds_all_results_anew(venue: Venue) -> None:
    anna, _ = await venue.named("Anna", "Boris")
    ann, ben = [await account(venue, name) for name in ("Anna", "Boris")]
    await folded(venue, result(1, ann, ben), result(2, ann, ben))
    before = await told(anna)
    answer = await venue.app.operator.perform(FoldRatings())
    assert answer.done == "folded 2 results of rated matches"
    assert (await told(anna)).lines == before.lines


@pytest.mark.parametrize("is_plain", [True, False])
async def test_sunglare_ladder_shows_a_ladder_and_says_where_it_goes_on(
    venue: Venue, tmp_path: Path, is_plain: bool
) -> None:
    names = [f"Player {n}" for n in range(3)]
    await venue.named(*names)
    accounts = [await account(venue, name) for name in names]
    if not is_plain:
        await folded(venue, result(1, *accounts), result(2, *accounts[:2], family="redondo"))
    words = () if is_plain else ("--family", "shadow-of-ceres", "--after", "1")
    done = await sunglare("ladder", *words, "--url", venue.app.url, home=tmp_path)
    assert done.code == 0
    if is_plain:
        assert done.out == "nobody has played a rated match here yet\n"
        return
    lines = done.out.splitlines()
    assert lines[0] == "shadow-of-ceres:"
    assert lines[1].split() == ["rank", "name", "rating", "interval", "matches"]
    assert [line.split()[:3] for line in lines[2:4]] == [
        ["2", "Player", "1"],
        ["3", "Player", "2"],
    ]
    assert lines[4].strip() == "also: redondo"
