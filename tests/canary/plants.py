"""Faults planted in a server at its outlets and deeper, which ears must hear.

Each with the scenario in which it is heard, and what is cried then.
"""

from collections.abc import Callable, Iterator

import msgspec
import pytest
import structlog

from sunglare_protocol.ids import PUBLIC, Audience, MatchId, Side, audience_of
from sunglare_protocol.messages.commands import ListMatches
from sunglare_protocol.messages.replies import ClassCard, Frame, FrameView, Matches, Resumed
from sunglare_protocol.refusals import Rejected
from sunglare_server.host import cards
from sunglare_server.host.batch import Batch
from sunglare_server.host.feed import Feed
from sunglare_server.host.files import Files
from sunglare_server.host.lobby import Lobby
from sunglare_server.host.matches import Matches as Running
from sunglare_server.host.parcel import Parcel
from sunglare_server.host.runner import Runner
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
from sunglare_server.net import answers, lobby_talk, match_talk, returning
from sunglare_server.net.lobby_talk import LobbyTalk
from sunglare_server.net.returning import Claim

replace = msgspec.structs.replace


def rooms_of_all(plant: pytest.MonkeyPatch) -> None:
    """List private rooms for everybody."""

    async def listed(self: LobbyTalk, message: ListMatches, account: str) -> Matches:
        lines = await answers.lines_of(self._lobby, self._lobby.rooms.values(), account)
        return Matches(id=message.id, open=tuple(lines.values()))

    plant.setattr(LobbyTalk, "_list", listed)


def staged_of_another(plant: pytest.MonkeyPatch) -> None:
    """Tell who comes back what another seat has staged."""
    made = returning.resumed

    def resumed(
        lobby: Lobby, command: int, claim: Claim, have: int
    ) -> tuple[Resumed, list[Parcel]]:
        told, missed = made(lobby, command, claim, have)
        staged = lobby.matches.runners[claim.room.match].state.staged
        others = [given for side, given in staged.items() if side != told.side]
        if others:
            told = replace(told, rev=others[0].rev, orders=others[0].orders)
        return told, missed

    plant.setattr(match_talk, "resumed", resumed)


def frames_of_another(plant: pytest.MonkeyPatch) -> None:
    """Put another seat's frames into an export."""
    made = Files.frames
    plant.setattr(
        Files,
        "frames",
        lambda self, room, side: made(self, room, _other(room.sides, side)),
    )


def classes_of_another(plant: pytest.MonkeyPatch) -> None:
    """Show each side the classes of another."""

    def class_cards(scenario: Scenario, side: Side) -> tuple[ClassCard, ...]:
        return cards.class_cards(scenario, _other(scenario.sides, side))

    plant.setattr(lobby_talk, "class_cards", class_cards)
    plant.setattr(returning, "class_cards", class_cards)


def _other(sides: tuple[Side, ...], side: Side) -> Side:
    return next(other for other in sides if other != side)


def refusal_with_a_name(plant: pytest.MonkeyPatch) -> None:
    """Name a hidden ship in every refusal of orders."""
    checked = Batch._check_orders  # noqa: SLF001 - the fault is planted inside

    def check(self: Batch, state: MatchState, side: Side, *given: object) -> Rejected | None:
        rejected = checked(self, state, side, *given)  # type: ignore[arg-type]
        hidden = next(ship.name for ship in state.truth.ships.values() if ship.side != side)
        return None if rejected is None else replace(rejected, detail=f"It is not {hidden}.")

    plant.setattr(Batch, "_check_orders", check)


def _mute_forgotten(plant: pytest.MonkeyPatch) -> None:
    plant.setattr(step, "_muted", lambda state, _side, _body: state)


def _class_for_type(plant: pytest.MonkeyPatch) -> None:
    told = spotting.of_spotting

    def of_spotting(event: PieceSpotted, before: Truth) -> Iterator[Grant]:
        for grant in told(event, before):
            is_known = isinstance(grant.fact, Identified)
            name = before.ships[event.piece].type.name
            fact = replace(grant.fact, type=name) if is_known else grant.fact
            yield Grant(grant.audience, grant.role, fact)

    plant.setattr(spotting, "of_spotting", of_spotting)


def _signal_from_the_hull(plant: pytest.MonkeyPatch) -> None:
    told = scanning.of_contact

    def of_contact(
        event: ContactMade, before: Truth, after: Truth, *, values: bool
    ) -> Iterator[Grant]:
        hull = after.ships[event.piece].type.hull
        for grant in told(event, before, after, values=values):
            is_sight = isinstance(grant.fact, Sighted)
            fact = replace(grant.fact, signal=hull) if is_sight else grant.fact
            yield Grant(grant.audience, grant.role, fact)

    plant.setattr(scanning, "of_contact", of_contact)


def _seed_in_the_pad(plant: pytest.MonkeyPatch) -> None:
    made = frames.frame

    def frame(match: MatchId, state: MatchState, audience: Audience, seq: int) -> Frame:
        return replace(made(match, state, audience, seq), pad=state.seed.hex())

    plant.setattr(frames, "frame", frame)


def public_sees_a_side(plant: pytest.MonkeyPatch) -> None:
    """Show the public what the first side sees."""
    shown = frames._view  # noqa: SLF001 - the fault is planted inside

    def view(state: MatchState, audience: Audience) -> FrameView:
        is_public = audience == PUBLIC
        return shown(state, audience_of(state.standing.sides[0]) if is_public else audience)

    plant.setattr(frames, "_view", view)


def _truth_without_delay(plant: pytest.MonkeyPatch) -> None:
    made = Feed.__init__

    def init(self: Feed, match: MatchId, audience: Audience, **_: Delay | None) -> None:
        made(self, match, audience)

    plant.setattr(Feed, "__init__", init)


def _seed_in_the_log(plant: pytest.MonkeyPatch) -> None:
    adopted = Running._adopt  # noqa: SLF001 - the fault is planted inside

    def adopt(self: Running, runner: Runner) -> None:
        structlog.get_logger().info("adopted", seed=runner.state.server_seed.hex())
        adopted(self, runner)

    plant.setattr(Running, "_adopt", adopt)


Plant = Callable[[pytest.MonkeyPatch], None]

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
    "the seed is logged": (_seed_in_the_log, "siege", "log heard the server seed"),
}
