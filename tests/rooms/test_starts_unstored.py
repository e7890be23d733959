"""A match that is ready begins as soon as its first record can be stored, without another word."""

from builders.remotematches import A, B, Person, RemoteMatches, yonder
from sunglare_protocol import messages
from sunglare_protocol.ids import MatchId
from sunglare_protocol.refusals import Code
from sunglare_server.ports.journal import JournalError

JOURNAL = Code.SERVER_JOURNAL.value


async def unstored(y: RemoteMatches, times: int) -> tuple[list[Person], MatchId]:
    """Return two who are ready in a room, and the match, whose start is refused at first."""
    gate = await y.gate("near")
    people = [await gate.one(name) for name in ("ann", "bob")]
    match = await y.room(people[0])
    for person, side in zip(people, (A, B), strict=True):
        await person.expect(messages.Seated, messages.Join, match=match, side=side)
    await people[0].accepted(messages.Ready, match=match)
    y.journal.fail_next(JournalError("full"), times)
    await people[1].accepted(messages.Ready, match=match)
    return people, match


async def test_a_start_that_cannot_be_stored_is_tried_again_until_it_is() -> None:
    async with yonder() as y:
        people, match = await unstored(y, 3)
        await y.go_on(2_000)
        assert y.lobby.matches.handle(match) is None
        await y.go_on(1_500)
        assert y.lobby.matches.handle(match) is not None
        for person in people:
            assert person.peer.texts(match).count(JOURNAL) == 1
            assert person.peer.posts(match)


async def test_who_comes_while_a_start_cannot_be_stored_hears_what_it_waits_for() -> None:
    async with yonder() as y:
        (ann, _), match = await unstored(y, 60)
        token = next(one for one in ann.peer.messages if isinstance(one, messages.Welcome)).token
        await y.go_on(1_000)
        ann.hang_up()
        again = await y.gates[0].one(token=token)
        await again.expect(messages.Resumed, messages.Resume, match=match)
        assert again.peer.texts(match) == [JOURNAL]
        await y.go_on(70_000)
        assert again.peer.posts(match)


async def test_a_room_that_waits_to_be_stored_is_not_left_half_way() -> None:
    async with yonder() as y:
        (ann, bob), match = await unstored(y, 3)
        refused = await ann.expect(messages.Refused, messages.Leave, match=match)
        assert refused.code is Code.MATCH_STARTED
        await y.go_on(5_000)
        assert bob.peer.posts(match)
