"""All feeds of one match: its sides', the public one, and the truth's with and without delay."""

from typing import final

from sunglare_protocol.ids import CASTER, OMNI, PUBLIC, Audience, MatchId, is_of_side
from sunglare_server.match.data.options import truth_delay
from sunglare_server.match.state import MatchState
from sunglare_server.ports.rooms import PublicStanding
from sunglare_server.runtime.activity import ActivityScore
from sunglare_server.runtime.batch import Sealed
from sunglare_server.runtime.encoded_message import EncodedMessage, Subscriber
from sunglare_server.runtime.feed import Feed, Numbered
from sunglare_server.runtime.recovery import Loaded
from sunglare_server.runtime.spectator_fanout import SpectatorBroadcaster, Viewer


@final
class Feeds(dict[Audience, Feed]):
    """The feeds of a match by what is watched; `omni` has the delay of the match's options.

    `caster` gives out the same without delay.

    `told` is the newest state of which nothing waits to be shown to the sides; None before there
    was one. Whatever a side is answered about the match follows from it: a newer state would
    reveal that a window is closed whose frames are not out. `activity` counts what the public was
    shown.
    """

    def __init__(self, feeds: dict[Audience, Feed] | None = None) -> None:
        """Begin with nothing shown."""
        super().__init__(feeds or {})
        self.told: MatchState | None = None
        self.activity = ActivityScore()

    @classmethod
    def of(cls, match: MatchId, state: MatchState, broadcaster: SpectatorBroadcaster) -> "Feeds":
        """Return the empty feeds of a match, whose spectators are served by `broadcaster`."""
        feeds = cls({audience: Feed(match, audience, broadcaster) for audience in state.intel})
        feeds[PUBLIC] = Feed(match, PUBLIC, broadcaster, on_release=feeds.activity.note)
        feeds[OMNI] = Feed(match, OMNI, broadcaster, delay=truth_delay(state.options))
        feeds[CASTER] = Feed(match, OMNI, broadcaster)
        return feeds

    @classmethod
    def loaded(cls, match: MatchId, loaded: Loaded, broadcaster: SpectatorBroadcaster) -> "Feeds":
        """Return the feeds of a match that was loaded.

        The turns before those shown are in the stored rings, and those before these in a keyframe;
        but the truth's may lag behind.
        """
        feeds = cls.of(match, loaded.sealed[-1].stepped.state, broadcaster)
        for place, sealed in enumerate(loaded.sealed):
            if place >= loaded.shown:
                feeds.queue(sealed)
            else:
                if sealed.stepped.posts:
                    feeds[OMNI].queue(sealed.stepped, sealed.head.hex(), _release_ms(sealed))
                feeds.activity.note(sealed.stepped)
        for audience, feed in feeds.items():
            kept = [] if feed.first is None else loaded.rings.before(audience, feed.first)
            feed.ring.extend(kept)
        return feeds

    @property
    def public_standing(self) -> PublicStanding | None:
        """Return where the newest frame released to the public says that the match stands."""
        released = self[PUBLIC].released
        if released is None:
            return None
        standing = released.standing
        return PublicStanding(turn=standing.turn, phase=standing.phase)

    @property
    def rings(self) -> dict[Audience, tuple[Numbered, ...]]:
        """Return what is kept of the seats' feeds for a resume."""
        return {seat: tuple(self[seat].ring) for seat in filter(is_of_side, self)}

    def queue(self, sealed: Sealed) -> None:
        """Queue what a stored record gives out."""
        if sealed.stepped.posts:
            head, release_ms = sealed.head.hex(), _release_ms(sealed)
            for feed in self.values():
                feed.queue(sealed.stepped, head, release_ms)

    def release(self, now_ms: int, newest: MatchState) -> None:
        """Release everything whose time has come; `newest` is the state of the match now."""
        waiting = [audience for audience, feed in self.items() if not feed.is_empty]
        for audience in waiting:
            self[audience].release(now_ms, newest)
        if not [
            audience for audience in waiting if audience != OMNI and not self[audience].is_empty
        ]:
            self.told = newest

    def cut(self) -> None:
        """Send nothing more to anybody: another owner does."""
        self.told = None
        for feed in self.values():
            feed.cut()

    def postpone(self, to_ms: int) -> None:
        """Release nothing of what waits before `to_ms`."""
        for feed in self.values():
            feed.postpone(to_ms)

    def next_release_ms(self, newest: MatchState) -> int | None:
        """Return when the clock alone releases something first; None if nothing waits for it."""
        waiting = [feed.next_release_ms(newest) for feed in self.values() if not feed.is_empty]
        return min([due_ms for due_ms in waiting if due_ms is not None], default=None)

    @property
    def are_empty(self) -> bool:
        """Return whether nothing waits."""
        return all(feed.is_empty for feed in self.values())

    @property
    def are_idle(self) -> bool:
        """Return whether there are no listeners, and nothing waits but truth that is held back."""
        waiting = [audience for audience, feed in self.items() if not feed.is_empty]
        return not self.have_listeners and waiting in ([], [OMNI])

    @property
    def have_listeners(self) -> bool:
        """Return whether any connection follows the match."""
        return any(feed.is_followed for feed in self.values())

    def sit(self, audience: Audience, subscriber: Subscriber) -> None:
        """Send what is released to a seat to `subscriber` as well, from now on."""
        self[audience].sit(subscriber)

    def stand_up(self, audience: Audience, subscriber: Subscriber) -> None:
        """Send nothing more of a seat to `subscriber`."""
        self[audience].stand_up(subscriber)

    def watch(self, feed: Audience, viewer: Viewer) -> None:
        """Send what is released of a feed to a viewer as well, from now on."""
        self[feed].watch(viewer)

    def leave(self, feed: Audience, viewer: Viewer) -> None:
        """Send nothing more of a feed to a viewer."""
        self[feed].leave(viewer)

    def tell_seats(self, encoded_message: EncodedMessage) -> None:
        """Send an encoded message to every connection that holds a seat."""
        for feed in self.values():
            for subscriber in tuple(feed.seats):
                subscriber.put(encoded_message)


def _release_ms(sealed: Sealed) -> int:
    return sealed.stepped.state.opened_ms if sealed.shows_frame else sealed.at_ms
