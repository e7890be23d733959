"""Parcels of feeds among all that went over a road: for every gateway, and for one."""

from collections.abc import Iterable
from typing import NamedTuple, final

from builders.memorytransport import Posted
from sunglare_server.transport.messages import FeedMessage, PrivateFeedMessage, push_of, shown_of


@final
class Published(NamedTuple):
    """A parcel of a feed that the worker has published: where and when."""

    subject: str
    match: str
    feed: str
    shown: FeedMessage
    at_ms: int


def parcels_of(posts: Iterable[Posted]) -> list[Published]:
    """Return the parcels among what was published: for all gateways, and for one."""
    found = []
    for post in posts:
        kind, _, rest = post.subject.partition(".")
        if kind == "view":
            match, _, feed = rest.partition(".")
            found.append(Published(post.subject, match, feed, shown_of(post.data), post.at_ms))
        elif kind == "line" and isinstance(push := push_of(post.data), PrivateFeedMessage):
            where = (post.subject, push.match, push.feed)
            found.append(Published(*where, push.shown, post.at_ms))
    return found
