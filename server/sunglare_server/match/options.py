"""The options of a match: each has a name, a default, a one-line meaning and its source."""

from typing import Final, Literal, final

import msgspec

from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.match.clocks import ALLOWANCE_MOST

OptionValue = str | int | bool
"""What an option may be set to on the wire."""

ClockName = Literal[
    "friendly", "blitz", "standard", "correspondence", "arena", "demo", "local", "test"
]
"""The clock presets."""

DELAY_MOST = 100_000
"""The longest delay of the `omni` feed, in turns or in seconds."""


@final
class MatchOptions(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False
):
    """The options in force; the defaults are the first values of `MEANINGS`."""

    scan_slots: Literal["sequential", "sealed"] = "sequential"
    contact_values: Literal["no", "yes"] = "no"
    passive_reveals: Literal["nearest", "all"] = "nearest"
    tracker_mode: Literal["window", "dice"] = "window"
    sweep_six: Literal["reminder", "strict"] = "reminder"
    noise_blinds: Literal["self", "all"] = "self"
    cloak_variant: Literal["return_fire", "jam"] = "return_fire"
    wave_gun_blinds: Literal["no", "yes"] = "no"
    clock: ClockName = "friendly"
    omni_delay_turns: int = 1
    omni_delay_s: int = 0
    pad_frames: Literal["auto", "no", "yes"] = "auto"
    allowance_beats: int = 1
    afk: Literal["auto", "forfeit", "autopilot", "pause"] = "auto"
    readiness: Literal["auto", "hidden", "count", "named"] = "auto"


@final
class Meaning(msgspec.Struct, frozen=True, gc=False):
    """What an option is for: its values, its meaning in a line, and the rule it comes from."""

    values: str
    text: str
    source: str


MEANINGS: Final[dict[str, Meaning]] = {
    "scan_slots": Meaning(
        "sequential | sealed",
        "whether each side scans in a slot of its own, or all declare at once",
        "turn sequence, SCAN",
    ),
    "contact_values": Meaning(
        "no | yes",
        "whether a contact shows the strongest signal besides the signatures' names",
        "sensors, who learns what",
    ),
    "passive_reveals": Meaning(
        "nearest | all",
        "which of the cloaked ships that a passive roll beats are revealed",
        "cloak hunting, passive roll",
    ),
    "tracker_mode": Meaning(
        "window | dice",
        "whether past turns of detection or the two dice decide on a solution",
        "cloak hunting, trackers",
    ),
    "sweep_six": Meaning(
        "reminder | strict",
        "whether a sweep of nothing but sixes still finds the nearest ship",
        "cloak hunting, active sweep",
    ),
    "noise_blinds": Meaning(
        "self | all",
        "whether a sweep robs the sweeping ship or every ship of its passive roll",
        "cloak hunting, noise",
    ),
    "cloak_variant": Meaning(
        "return_fire | jam",
        "whether cloaked ships may fire at ships that sweep, or sweeps jam space",
        "cloak hunting, variants",
    ),
    "wave_gun_blinds": Meaning(
        "no | yes",
        "whether nobody detects passively on the turn after a wave gun was fired",
        "cloak hunting, passive roll",
    ),
    "clock": Meaning(
        "friendly | blitz | standard | correspondence | arena | demo | local | test",
        "how long the windows are",
        "clock model",
    ),
    "omni_delay_turns": Meaning("0 ...", "turns by which the truth feed lags", "spectators"),
    "omni_delay_s": Meaning("0 ...", "seconds by which the truth feed lags", "spectators"),
    "pad_frames": Meaning(
        "auto | no | yes",
        "whether frames are filled up to steps of 256 bytes; auto: with rated clocks",
        "secrecy, shape of frames",
    ),
    "allowance_beats": Meaning(
        f"1 ... {ALLOWANCE_MOST}",
        "beats from the close of a window to the release of its frames, with rated clocks",
        "secrecy, release on the beat",
    ),
    "afk": Meaning(
        "auto | forfeit | autopilot | pause",
        "what a seat comes to that is absent; auto: as its clock says",
        "clock model",
    ),
    "readiness": Meaning(
        "auto | hidden | count | named",
        "whether all are told how many or which seats have locked; auto: as the clock says",
        "clock model",
    ),
}
"""Every option there is; a test compares the names with `MatchOptions`."""


def chosen(base: dict[str, OptionValue], wish: dict[str, OptionValue]) -> MatchOptions | Rejected:
    """Return the options of a scenario (`base`) changed by a creator's `wish`."""
    for name in wish:
        if name not in MEANINGS:
            return Rejected(
                code=Code.OPTION_UNKNOWN, at=f"$.options.{name}", choices=tuple(MEANINGS)
            )
    merged = {**base, **wish}
    for name, value in merged.items():
        if not _fits(name, value):
            return Rejected(
                code=Code.OPTION_VALUE,
                at=f"$.options.{name}",
                detail=f"{name} takes {MEANINGS[name].values}.",
            )
    return _settled(msgspec.convert(merged, MatchOptions))


def shown(options: MatchOptions) -> dict[str, str]:
    """Return the options in force as text, for everybody."""
    return {name: str(getattr(options, name)) for name in MEANINGS}


def _fits(name: str, value: OptionValue) -> bool:
    try:
        found = msgspec.convert({name: value}, MatchOptions)
    except msgspec.ValidationError:
        return False
    delays = (found.omni_delay_turns, found.omni_delay_s)
    return max(delays) <= DELAY_MOST and min(delays) >= 0 and _is_allowance(found)


def _is_allowance(options: MatchOptions) -> bool:
    return 1 <= options.allowance_beats <= ALLOWANCE_MOST


def _settled(options: MatchOptions) -> MatchOptions:
    # Windows of half a day can't be played slot by slot: correspondence seals the slots.
    if options.clock == "correspondence":
        return msgspec.structs.replace(options, scan_slots="sealed")
    return options
