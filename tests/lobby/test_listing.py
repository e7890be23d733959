"""The list of lively matches: those that everybody may see, by what went on and how long."""

from msgspec.structs import replace

from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import Listing, RoomState
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.app import App
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.ports.rooms import Room
from sunglare_server.rooms.listing import Page, lively


def room_of(letter: str, started_ms: int | None = 0) -> Room:
    """Return the room of a running match."""
    return Room(
        match=MatchId(letter * 26),
        scenario="shadow-of-ceres",
        sides=(Side("A"), Side("B")),
        options=MatchOptions(),
        host="host",
        server_seed=b"",
        state=RoomState.RUNNING,
        started_ms=started_ms,
    )


def listed(rooms: list[Room], activity: dict[str, int], most: int = 100) -> str:
    """Return the list, a letter for each match."""
    page = lively(rooms, lambda room: activity.get(room.match[0], 0), None, most)
    assert isinstance(page, Page)
    assert page.more is None
    return "".join(room.match[0] for room in page.rooms)


def test_the_one_with_the_most_entries_comes_first_and_of_equal_ones_the_oldest() -> None:
    rooms = [room_of("a", 30), room_of("b", 20), room_of("c", 10), room_of("d", 5)]
    assert listed(rooms, {"a": 7, "b": 4, "c": 4}) == "acbd"
    assert listed(rooms, {}) == "dcba"
    assert listed(rooms, {"a": 7, "b": 4, "c": 4}, most=2) == "ac"


def test_of_when_nothing_was_noted_is_older_than_all_else() -> None:
    assert listed([room_of("a", 10), room_of("b", None)], {}) == "ba"


def test_matches_of_the_same_age_have_an_order_of_their_own() -> None:
    rooms = [room_of("b"), room_of("a"), room_of("c")]
    assert listed(rooms, {}) == listed(rooms[::-1], {}) == "abc"


async def test_one_that_is_put_away_is_as_lively_as_it_was(app: App) -> None:
    lobby = app.lobby
    for room in (room_of("a", 1), replace(room_of("b", 2), bustle=3)):
        lobby.rooms[room.match] = room
    page = await lobby.listed(Listing.LIVELY, "anybody", None, 100)
    assert isinstance(page, Page)
    assert [room.match[0] for room in page.rooms] == ["b", "a"]


def test_only_public_matches_that_run_are_lively() -> None:
    rooms = [
        replace(room_of("a"), code="SECRET"),
        replace(room_of("b"), state=RoomState.LOBBY),
        replace(room_of("c"), state=RoomState.OVER),
        room_of("d"),
    ]
    assert listed(rooms, {"a": 9, "b": 9, "c": 9}) == "d"


def test_the_list_of_lively_matches_has_no_further_page() -> None:
    assert lively([], lambda _: 0, "a" * 26, 1) == Rejected(code=Code.LIST_AFTER, at="$.after")
