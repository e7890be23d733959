"""Faults planted in a server at its outlets and deeper, which ears must hear.

Each with the scenario in which it is heard, and what is cried then.
"""

from collections.abc import Awaitable, Iterator

import msgspec
import pytest
import structlog

from builders.plants import Plant, Real, in_place_of
from builders.runners import runners_of
from sunglare_protocol.ids import PUBLIC, Audience, MatchId, Side, audience_of
from sunglare_protocol.messages.commands import ListMatches
from sunglare_protocol.messages.replies import ClassCard, Frame, FrameView, Matches, Resumed
from sunglare_protocol.refusals import Rejected
from sunglare_server.api import lobby_handlers, match_handlers
from sunglare_server.api import responses as answers
from sunglare_server.api import resume as returning
from sunglare_server.api.lobby_handlers import LobbyHandlers
from sunglare_server.api.resume import Claim
from sunglare_server.archive.files import Files
from sunglare_server.lobby.match_service import MatchService
from sunglare_server.match import frames, step
from sunglare_server.match.clock.presets import Delay
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.events.blips import PieceSpotted
from sunglare_server.match.events.space import ContactMade
from sunglare_server.match.facts.space import Grant, Identified, Sighted
from sunglare_server.match.learn import blips as spotting
from sunglare_server.match.learn import sensors as scanning
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.truth import Truth
from sunglare_server.ports import cards
from sunglare_server.ports.rooms import Room
from sunglare_server.runtime.batch import Batch
from sunglare_server.runtime.encoded_message import EncodedMessage
from sunglare_server.runtime.feed import Feed
from sunglare_server.runtime.registry import Matches as Running
from sunglare_server.runtime.runner import Runner
from sunglare_server.runtime.spectator_fanout import SpectatorBroadcaster

replace = msgspec.structs.replace


@in_place_of(LobbyHandlers, "_list")
async def rooms_of_all(
    _real: object, self: LobbyHandlers, message: ListMatches, who: str
) -> Matches:
    """List private rooms for everybody."""
    lines = await answers.lines_of(self._matches, self._lobby.rooms.values(), who)
    return Matches(id=message.id, open=tuple(lines.values()))


@in_place_of(match_handlers, "resumed")
def staged_of_another(
    real: Real[tuple[Resumed, list[EncodedMessage]]],
    service: MatchService,
    command: int,
    claim: Claim,
    have: int,
) -> tuple[Resumed, list[EncodedMessage]]:
    """Tell who comes back what another seat has staged."""
    told, missed = real(service, command, claim, have)
    matches = service._matches  # noqa: SLF001 - a fault of the product itself
    runner = runners_of(matches).get(claim.room.match)
    staged = {} if runner is None else runner.state.staged
    others = [given for side, given in staged.items() if side != told.side]
    if others:
        told = replace(told, rev=others[0].rev, orders=others[0].orders)
    return told, missed


@in_place_of(Files, "frames")
def frames_of_another(
    real: Real[Awaitable[bytes]], files: Files, room: Room, side: Side
) -> Awaitable[bytes]:
    """Put another seat's frames into an export."""
    return real(files, room, _other(room.sides, side))


def classes_of_another(plant: pytest.MonkeyPatch) -> None:
    """Show each side the classes of another."""

    def class_cards(scenario: Scenario, side: Side) -> tuple[ClassCard, ...]:
        return cards.class_cards(scenario, _other(scenario.sides, side))

    plant.setattr(lobby_handlers, "class_cards", class_cards)
    plant.setattr(returning, "class_cards", class_cards)


def _other(sides: tuple[Side, ...], side: Side) -> Side:
    return next(other for other in sides if other != side)


@in_place_of(Batch, "_check_orders")
def refusal_with_a_name(
    real: Real[Rejected | None], batch: Batch, state: MatchState, side: Side, *given: object
) -> Rejected | None:
    """Name a hidden ship in every refusal of orders."""
    rejected = real(batch, state, side, *given)
    hidden = next(ship.name for ship in state.truth.ships.values() if ship.side != side)
    return None if rejected is None else replace(rejected, detail=f"It is not {hidden}.")


@in_place_of(step, "_muted")
def _mute_forgotten(_real: object, state: MatchState, *_mute: object) -> MatchState:
    return state


@in_place_of(spotting, "of_spotting")
def _class_for_type(
    real: Real[Iterator[Grant]], event: PieceSpotted, before: Truth
) -> Iterator[Grant]:
    for grant in real(event, before):
        is_known = isinstance(grant.fact, Identified)
        name = before.ships[event.piece].type.name
        fact = replace(grant.fact, type=name) if is_known else grant.fact
        yield Grant(grant.audience, grant.role, fact)


@in_place_of(scanning, "of_contact")
def _signal_from_the_hull(
    real: Real[Iterator[Grant]], event: ContactMade, before: Truth, after: Truth, *, values: bool
) -> Iterator[Grant]:
    hull = after.ships[event.piece].type.hull
    for grant in real(event, before, after, values=values):
        is_sight = isinstance(grant.fact, Sighted)
        fact = replace(grant.fact, signal=hull) if is_sight else grant.fact
        yield Grant(grant.audience, grant.role, fact)


@in_place_of(frames, "frame")
def _seed_in_the_pad(
    real: Real[Frame], match: MatchId, state: MatchState, audience: Audience, seq: int
) -> Frame:
    return replace(real(match, state, audience, seq), pad=state.seed.hex())


@in_place_of(frames, "_view")
def public_sees_a_side(real: Real[FrameView], state: MatchState, audience: Audience) -> FrameView:
    """Show the public what the first side sees."""
    is_public = audience == PUBLIC
    return real(state, audience_of(state.standing.sides[0]) if is_public else audience)


@in_place_of(Feed, "__init__")
def _truth_without_delay(
    real: Real[None],
    feed: Feed,
    match: MatchId,
    audience: Audience,
    broadcaster: SpectatorBroadcaster,
    **_: Delay | None,
) -> None:
    real(feed, match, audience, broadcaster)


@in_place_of(Running, "_adopt")
def _seed_in_the_log(real: Real[None], running: Running, runner: Runner) -> None:
    structlog.get_logger().info("adopted", seed=runner.state.server_seed.hex())
    real(running, runner)


@in_place_of(Running, "_adopt")
def _ship_in_a_figure(real: Real[None], running: Running, runner: Runner) -> None:
    ship, *_ = runner.state.truth.ships.values()
    running.scheduler.figures.refused.note(ship.name)
    real(running, runner)


PLANTS: dict[str, tuple[Plant, str, str]] = {
    "the list shows private rooms": (rooms_of_all, "siege", "kind='(title|player)'.*\"matches\""),
    "who comes back gets the staged orders of another": (staged_of_another, "siege", '"resumed"'),
    "the export holds the frames of another seat": (frames_of_another, "siege", '"piece"'),
    "the cards are those of another side": (classes_of_another, "siege", '"seated"'),
    "a refusal names a hidden ship": (refusal_with_a_name, "siege", "kind='ship'.*\"refused\""),
    "who is muted is heard": (_mute_forgotten, "siege", "B heard.*kind='chat'"),
    "an identified blip tells its class": (_class_for_type, "parade", "variant.*as Held.type"),
    "the signal of a contact is its hull": (_signal_from_the_hull, "parade", "b'signal'"),
    "a frame is filled up with the seed": (_seed_in_the_pad, "siege", "heard the match seed"),
    "the public sees what a side sees": (public_sees_a_side, "siege", 'public heard.*"frame"'),
    "the truth is not held back": (_truth_without_delay, "siege", 'omni heard.*"truth"'),
    "a ship is a label of a figure": (_ship_in_a_figure, "siege", "figures heard .*kind='ship'"),
    "the seed is logged": (_seed_in_the_log, "siege", "log heard the server seed"),
}
