"""The compact form of the wire: a frame as its changes against the one before it.

Theory of operation. In the subprotocol `sunglare.v1.compact` every message is what it is in
`sunglare.v1`, but for frames: one that follows another one of the same feed on the same line may
come as a `Change`, which names the frame that it changes and says how. The receiver keeps the last
frame of each feed as the plain map that it was, edits it, and has the next one, key by key as it
would have come whole. So views, hashes and what a client does not know yet are the same in every
form, and a change may always be replaced by the whole frame: at the start of a feed, after a
resume, for a spectator that skips.

The form of an edit depends on what it is applied to:

- to a map, it is a map: a key with nil goes, any other key gets its value, edited where there was
  a map or a list; a map with the one key `=` puts in its value as it is;
- to a list, it is a map too: `-` are the places of items that go, in the old list; `+` the items
  that come, each with its place in the new one, from the first on; `~` edits of items, each with
  its place in the new one;
- anything else takes the place of what was there, and so does a list.

What is compared are two frames of one audience and nothing else. That an object is the very one
it was before saves time, and changes no byte.
"""

from collections.abc import Callable
from functools import cache
from itertools import takewhile
from operator import attrgetter, is_
from typing import Any, final, overload

import msgspec
from msgspec.structs import astuple

from sunglare_protocol.codec import Form, pad_letters, probe, shortened
from sunglare_protocol.errors import DecodeError
from sunglare_protocol.ids import OMNI, Audience, MatchId
from sunglare_protocol.messages.replies import Frame
from sunglare_protocol.views import (
    AgentPieceView,
    AgentView,
    ContactView,
    GroundView,
    OwnView,
    PieceView,
    SurfaceView,
    TokenView,
    UnitPieceView,
    View,
)

PADDED_LEAST = 1024
"""A padded change has at least so many bytes."""

_SEQ_AND_PAD = ("seq", "pad")
_MAPS = (msgspec.Struct, dict)
_MISSING: Any = object()
_EMPTY: Any = object()


@final
class Stream(msgspec.Struct, frozen=True, gc=False):
    """The frames of one feed of one match, of which each may change the one before it."""

    match: MatchId
    feed: Audience


@final
class Change(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="t", tag="change"
):
    """Frame `seq` of a feed as its difference from frame `on`: `edit` makes it of that one.

    The number itself is no part of the edit. `pad` fills the message up.
    """

    match: MatchId
    feed: Audience
    seq: int
    on: int
    edit: dict[str, Any]
    pad: str = ""


_packer = msgspec.msgpack.Encoder()
_changes = msgspec.msgpack.Decoder(Change)
_plain = msgspec.msgpack.Decoder(dict[str, Any])


class _Seen(msgspec.Struct):
    audience: Audience = OMNI


class _Head(msgspec.Struct):
    match: MatchId
    view: _Seen


_heads = msgspec.msgpack.Decoder(_Head)


class _NullError(Exception):
    """A null is to stand where an edit can only take away."""


def stream_of(frame: Frame) -> Stream:
    """Return to which feed a frame belongs, as far as one frame may change another."""
    view = frame.view
    return Stream(frame.match, view.audience if isinstance(view, View) else OMNI)


def changed(before: Frame, after: Frame, *, is_padded: bool) -> bytes:
    """Return the bytes of a message that makes `after` of `before`, both of one feed.

    With `is_padded` they are filled up to `PADDED_LEAST` and to a multiple of `PAD_STEP`.
    """
    stream = stream_of(after)
    change = Change(
        match=stream.match,
        feed=stream.feed,
        seq=after.seq,
        on=before.seq,
        edit=_edited(before, after),
    )
    data = _packer.encode(change)
    if not is_padded:
        return data
    letters = pad_letters(len(data), PADDED_LEAST)
    return _packer.encode(msgspec.structs.replace(change, pad="." * letters))


def _edited(old: Any, new: Any) -> Any:
    """Return the edit that makes `new` of `old`, which differ and are both there."""
    try:
        if type(old) is type(new) and isinstance(new, msgspec.Struct):
            return _of_fields(old, new)
        if isinstance(old, dict) and isinstance(new, dict):
            return _of_maps(old, new)
    except _NullError:
        return {"=": new}
    if isinstance(new, _MAPS) and isinstance(old, (*_MAPS, tuple, list)):
        return {"=": new}
    is_list = isinstance(old, tuple) and isinstance(new, tuple) and len(new) > 0
    return _of_lists(old, new) if is_list and isinstance(new[0], msgspec.Struct) else new


def _of_fields(old: msgspec.Struct, new: msgspec.Struct) -> dict[str, Any]:
    edit: dict[str, Any] = {}
    keys, defaults = _told(type(new))
    for was, now, key, default in zip(astuple(old), astuple(new), keys, defaults, strict=True):
        if was is now or key is None:
            continue
        if now is default or (default is _EMPTY and not now):
            if not (was is default or (default is _EMPTY and not was)):
                edit[key] = None
        elif now is None:
            raise _NullError
        elif was is default or (default is _EMPTY and not was):
            edit[key] = now
        elif not _is_same(was, now):
            edit[key] = _edited(was, now)
    return edit


@cache
def _told(kind: type[msgspec.Struct]) -> tuple[tuple[str | None, ...], tuple[Any, ...]]:
    """Return the keys of a class in frames, None for those outside of edits, and omitted values.

    As the encoder has it, that is the very default, or a map or list that is empty.
    """
    fields, told = kind.__struct_fields__, kind.__struct_encode_fields__
    silent = _SEQ_AND_PAD if kind is Frame else ()
    keys = tuple(None if name in silent else key for name, key in zip(fields, told, strict=True))
    if not kind.__struct_config__.omit_defaults:
        return keys, (_MISSING,) * len(keys)
    made = [_EMPTY if _is_factory(each) else each for each in kind.__struct_defaults__]
    return keys, (*[_MISSING] * (len(keys) - len(made)), *made)


def _is_factory(default: Any) -> bool:
    return type(default).__name__ == "Factory"


def _is_same(was: Any, now: Any) -> bool:
    if was is now or (type(was) is type(now) is tuple and _are_one(was, now)):
        return True
    # What is equal may still be written in two ways: a part may be there or be left out.
    return was == now and _packer.encode(was) == _packer.encode(now)


def _are_one(was: tuple[Any, ...], now: tuple[Any, ...]) -> bool:
    return len(was) == len(now) and all(map(is_, was, now))


def _of_maps(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    edit: dict[str, Any] = dict.fromkeys(key for key in old if key not in new)
    for key, now in new.items():
        was = old.get(key, _MISSING)
        if now is None:
            raise _NullError
        if was is _MISSING:
            edit[key] = now
        elif not _is_same(was, now):
            edit[key] = _edited(was, now)
    return edit


def _of_lists(old: tuple[Any, ...], new: tuple[Any, ...]) -> Any:
    kept = _kept(old, new)
    if not kept:
        return new
    edit: dict[str, Any] = {}
    if len(kept) < len(old):
        stay = {place for place, _ in kept}
        edit["-"] = [place for place in range(len(old)) if place not in stay]
    if len(kept) < len(new):
        stay = {place for _, place in kept}
        edit["+"] = [(place, item) for place, item in enumerate(new) if place not in stay]
    others = [
        (place, _edited(old[was], new[place]))
        for was, place in kept
        if old[was] is not new[place] and not _is_same(old[was], new[place])
    ]
    if others:
        edit["~"] = others
    return edit


def _kept(old: tuple[Any, ...], new: tuple[Any, ...]) -> list[tuple[int, int]]:
    """Return the places, old and new, of what stands in both lists in the same order.

    Pieces are the same by their name, whatever has become of them; of all else only what both
    lists begin with is looked for.
    """
    named = _NAMES.get(type(new[0]))
    if named is None:
        alike = takewhile(lambda pair: _is_same(*pair), zip(old, new, strict=False))
        return [(place, place) for place, _ in enumerate(alike)]
    places = {name: place for place, name in enumerate(map(named, old))}
    kept: list[tuple[int, int]] = []
    for place, name in enumerate(map(named, new)):
        was = places.get(name)
        if was is not None and (not kept or was > kept[-1][0]):
            kept.append((was, place))
    return kept


_NAMES: dict[type, Callable[[Any], Any]] = {
    OwnView: attrgetter("id"),
    GroundView: attrgetter("id"),
    AgentView: attrgetter("id"),
    ContactView: attrgetter("label"),
    TokenView: attrgetter("label"),
    SurfaceView: attrgetter("site"),
    PieceView: attrgetter("side", "id"),
    UnitPieceView: attrgetter("side", "id"),
    AgentPieceView: attrgetter("side", "id"),
}
"""How to read the name of what keeps it from one frame to the next."""


@final
class Unfolding:
    """One line's frames at its receiving end: makes changes into whole frames."""

    def __init__(self) -> None:
        """Begin without a frame."""
        self._frames: dict[Stream, dict[str, Any]] = {}

    @overload
    def whole(self, data: bytes) -> bytes: ...

    @overload
    def whole(self, data: str) -> str: ...

    def whole(self, data: bytes | str) -> bytes | str:
        """Return a message as `sunglare.v1` has it, a change as the frame that it makes.

        Raise `DecodeError` for a change of a frame that did not come, or one that does not fit.
        What is no message comes back as it is, for the caller to decode.
        """
        if isinstance(data, str):
            return data
        kind = _kind(data)
        if kind == "frame":
            self._keep(data)
        return _packer.encode(self._made(_change(data))) if kind == "change" else data

    def _keep(self, data: bytes) -> None:
        try:
            named = _heads.decode(data)
            self._frames[Stream(named.match, named.view.audience)] = _plain.decode(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            # It is no frame, which the decoder of messages says of it, and nothing changes it.
            return

    def _made(self, change: Change) -> dict[str, Any]:
        stream = Stream(change.match, change.feed)
        frame = self._frames.get(stream)
        if frame is None or frame.get("seq") != change.on:
            raise DecodeError(
                f"it changes frame {change.on}, which did not come before it", "$.on"
            )
        try:
            made: dict[str, Any] = folded({**frame, "seq": change.seq}, change.edit)
        except (KeyError, IndexError, TypeError, ValueError, RecursionError):
            raise DecodeError("an edit that does not fit what it changes", "$.edit") from None
        made.pop("pad", None)
        self._frames[stream] = made
        return made


def _kind(data: bytes) -> str:
    return probe(data, Form.PACKED).t


def _change(data: bytes) -> Change:
    try:
        return _changes.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        raise DecodeError(f"a change that is none: {shortened(str(fault))}") from None


def folded(old: Any, edit: Any) -> Any:
    """Return what an edit makes of `old`, which stays as it is."""
    if not isinstance(edit, dict) or not isinstance(old, dict | list):
        return edit
    if list(edit) == ["="]:
        return edit["="]
    if isinstance(old, dict):
        made = dict(old)
        for key, value in edit.items():
            if value is None:
                made.pop(key, None)
            else:
                made[key] = folded(old.get(key), value)
        return made
    gone = frozenset(edit.get("-", ()))
    items = [item for place, item in enumerate(old) if place not in gone]
    for place, item in edit.get("+", ()):
        items.insert(place, item)
    for place, change in edit.get("~", ()):
        items[place] = folded(items[place], change)
    return items
