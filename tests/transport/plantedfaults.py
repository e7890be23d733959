"""Faults planted in the road and at its two ends, each with the test that must find it."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from builders.memorytransport import Harm, Weather
from builders.plants import Plant, Real, in_place_of
from builders.remotepeers import Peer
from canary.words import Words
from sunglare_protocol.ids import Audience, MatchId
from sunglare_protocol.messages import ClientMessage, Welcome
from sunglare_server.api.port import Immediate
from sunglare_server.gateway.remote.feed_cache import FeedReplica
from sunglare_server.gateway.remote.session import RemoteSession
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.rooms.tickets import Tickets
from sunglare_server.runtime.feed import Feed
from sunglare_server.transport.messages import (
    ClientContext,
    FeedMessage,
    Release,
    Request,
    Response,
    SignedClaim,
)
from sunglare_server.transport.subjects import Trust
from sunglare_server.worker import request_handler, rpc_server, signed_claims
from sunglare_server.worker.gateway_sessions import GatewaySessions
from sunglare_server.worker.publisher import Publisher
from transport import test_feeds_at_gateways as feeds
from transport import test_hostile_gateways as hostile
from transport import test_rights_at_gateways as rights
from transport import test_secrecy_on_the_line as secrecy
from transport import test_spectators_gateways as spectators
from transport import test_stalls_at_gateways as stalls
from transport.words_of_sides import library_of

Check = Callable[[Path], Awaitable[None]]
"""Plays a test, for which there is an empty folder."""


@in_place_of(FeedReplica, "take_shown")
def old_epochs(real: Real[None], view: FeedReplica, shown: FeedMessage) -> None:
    """Pass on what an owner shows that there was before."""
    view.epoch = min(view.epoch, shown.epoch)
    real(view, shown)


@in_place_of(Feed, "queue")
def before_the_beat(real: Real[None], feed: Feed, *given: Any) -> None:
    """Publish a frame as soon as it is made."""
    real(feed, *given)
    for _, encoded_message in feed._pending[-1].encoded_messages or ():
        for sink in feed.seats:
            sink.put(encoded_message)


@in_place_of(FeedReplica, "catch_up")
def never_asks(_real: object, _view: FeedReplica, *_: object) -> None:
    """Ask for nothing that lines have missed."""


@in_place_of(FeedReplica, "_pass_on")
def gaps(real: Real[None], view: FeedReplica, shown: FeedMessage) -> None:
    """Give a line that has missed something what comes next all the same."""
    for follower in view._followers:
        follower.have = max(follower.have, shown.seq - 1)
    real(view, shown)


@in_place_of(request_handler, "is_open")
def any_message(_real: object, _message: object, _trust: Trust, **_held: bool) -> bool:
    """Let a spectators' gateway pass on whatever it likes."""
    return True


@in_place_of(signed_claims, "_mac_of")
def any_seal(_real: object, _key: bytes, seal: SignedClaim, _context: ClientContext) -> bytes:
    """Believe a gateway whose lines it has."""
    return seal.mac


@in_place_of(GatewaySessions, "holds")
def any_line(_real: object, _sessions: GatewaySessions, *_: object) -> bool:
    """Give out what was released of a feed for a line that does not hold it."""
    return True


@in_place_of(rpc_server, "is_anybodys")
def all_open(_real: object, _lobby: Lobby, _match: MatchId, _feed: Audience) -> bool:
    """Show every gateway what only those may see who have a grant or a code."""
    return True


@in_place_of(RemoteSession, "_ask_open")
async def for_whoever_has_gone(
    _real: object, talk: RemoteSession, message: ClientMessage
) -> Response:
    """Ask on for a line that has ended."""
    return await talk._ask(message)


@in_place_of(RemoteSession, "let_go")
def holds_on(_real: object, _talk: RemoteSession, _gone: Release) -> None:
    """Give a line more of a feed to which its right has ended."""


@in_place_of(RemoteSession, "_note")
def holds_again(real: Real[None], talk: RemoteSession, told: Any) -> None:
    """Look for nothing that a line holds no more when it is back."""
    if told.holds or not talk.holds:
        real(talk, told)


@in_place_of(Tickets, "is_newest")
async def any_proof(_real: object, *_: object) -> bool:
    """Give a line the seat back that it had, whoever has it by now."""
    return True


@in_place_of(rpc_server, "_check_asker")
def any_asker(_real: object, _asked: Request, _asker: str, _trust: Trust) -> None:
    """Let a gateway speak for the lines of another one."""


@in_place_of(RemoteSession, "_ask")
async def keeps_tokens(
    real: Callable[..., Awaitable[Response]], talk: RemoteSession, message: ClientMessage
) -> Response:
    """Keep the tokens of players, and send them along with all they say."""
    peer = talk.line
    assert isinstance(peer, Peer)
    for one in peer.messages:
        if isinstance(one, Welcome) and talk.seal is not None:
            talk.seal = replace(talk.seal, name=one.token)
    return await real(talk, message)


@in_place_of(RemoteSession, "_sent")
async def sent_once(_real: object, talk: RemoteSession, message: Immediate) -> object:
    """Send no command again whose answer is lost."""
    told = await talk._ask(message)
    return talk._taken(told)


@in_place_of(Publisher, "show")
def shown_to_each(real: Real[None], posts: Publisher, *given: Any) -> None:
    """Publish a parcel once for each line that follows its feed."""
    posts._newest.clear()
    real(posts, *given)


def _look(what: str, feed: str, who: int, *, has_token: bool, kind: str = "Watch") -> Check:
    """Return what asks one thing as a spectators' gateway, that of a seat or of a watcher."""

    async def check(folder: Path) -> None:
        words = Words("road")
        draw = (what, kind, Audience(feed), who, has_token, 1, 0)
        await spectators.nothing_is_got(library_of(folder, words), words, [draw])

    return check


def _plays(test: Callable[..., Awaitable[None]], *given: object) -> Check:
    return lambda _: test(*given)


PLANTS: dict[str, tuple[Plant, Check]] = {
    "old epochs": (
        old_epochs,
        _plays(feeds.test_frames_of_an_old_owner_are_dropped_after_the_first_of_a_new_one),
    ),
    "before the beat": (
        before_the_beat,
        _plays(secrecy.test_frames_are_published_on_their_beat_and_nothing_before, 0),
    ),
    "never asks": (
        never_asks,
        _plays(feeds.test_a_gateway_that_was_cut_off_gives_its_lines_what_they_missed, 100),
    ),
    "gaps": (gaps, lambda _: feeds.storm(Weather([Harm.LOST] * 4), "view")),
    "any message": (any_message, _look("speak", "A", 2, has_token=True)),
    "any command": (any_message, _look("speak", "A", 0, has_token=True, kind="FetchRecord")),
    "for whoever has gone": (
        for_whoever_has_gone,
        _plays(stalls.test_what_a_line_asked_for_that_has_ended_is_asked_no_more),
    ),
    "any seal": (
        any_seal,
        _plays(hostile.test_a_line_is_whose_its_seal_says_and_nobody_elses, Trust.PLAYERS),
    ),
    "any line": (
        any_line,
        _plays(
            hostile.test_what_was_released_of_a_feed_is_told_only_for_a_line_that_holds_it,
            Trust.PLAYERS,
        ),
    ),
    "all open": (
        all_open,
        _plays(hostile.test_nothing_of_a_private_match_is_shown_to_all_gateways),
    ),
    "holds on": (
        holds_on,
        _plays(rights.test_a_grant_that_is_taken_back_ends_at_the_gateway),
    ),
    "holds again": (
        holds_again,
        _plays(
            rights.test_a_grant_that_was_taken_back_while_the_gateway_was_away_is_not_found_again,
            Harm.LATEST,
        ),
    ),
    "any proof": (
        any_proof,
        _plays(rights.test_a_seat_that_was_left_and_taken_meanwhile_is_not_taken_back),
    ),
    "any asker": (
        any_asker,
        _plays(secrecy.test_no_gateway_speaks_for_a_line_of_another, "speak"),
    ),
    "keeps tokens": (
        keeps_tokens,
        _plays(rights.test_nothing_that_a_gateway_keeps_or_says_again_holds_a_players_token),
    ),
    "sent once": (
        sent_once,
        _plays(
            stalls.test_orders_whose_answer_is_lost_are_given_once_and_answered, Harm.UNANSWERED
        ),
    ),
    "shown to each": (
        shown_to_each,
        _plays(secrecy.test_each_parcel_is_published_once_however_many_lines_follow_it),
    ),
}
"""By name: what is planted, and what must fail then."""
