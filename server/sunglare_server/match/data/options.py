"""The options of a match: each has a name, a default, a one-line meaning and its source."""

from typing import Final, Literal, final

import msgspec

from sunglare_protocol.ids import CASTER, OMNI, PUBLIC, Audience
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.match.clock.presets import ALLOWANCE_MOST, NO_DELAY, PRESETS, Delay

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
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    gc=False,
    cache_hash=True,
):
    """The options in force; the defaults are the first values of `MEANINGS`."""

    scan_slots: Literal["sequential", "sealed"] = "sequential"
    contact_values: Literal["no", "yes"] = "no"
    passive_reveals: Literal["nearest", "all"] = "nearest"
    tracker_mode: Literal["window", "dice"] = "window"
    sweep_six: Literal["reminder", "strict"] = "reminder"
    noise_blinds: Literal["all", "self"] = "all"
    cloak_variant: Literal["return_fire", "jam"] = "return_fire"
    wave_gun_blinds: Literal["no", "yes"] = "no"
    clock: ClockName = "friendly"
    truth_feed: Literal["no", "yes"] = "no"
    omni_delay_turns: int = 3
    omni_delay_s: int = 0
    caster: Literal["no", "yes"] = "no"
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
        "all | self",
        "whether a sweep robs every ship or the sweeping one alone of its passive roll",
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
    "truth_feed": Meaning(
        "no | yes",
        "whether those to whom it is granted may watch the truth, late; not with rated clocks",
        "spectators",
    ),
    "omni_delay_turns": Meaning(
        "0 ...",
        "turns by which the truth feed lags; less than 3 with clocks off the beat alone",
        "spectators",
    ),
    "omni_delay_s": Meaning(
        "0 ...",
        "seconds by which it lags besides; 300 unless friends play, less off the beat alone",
        "spectators",
    ),
    "caster": Meaning(
        "no | yes",
        "whether the operator may let a commentator see the truth at once, with rated clocks too",
        "spectators",
    ),
    "pad_frames": Meaning(
        "auto | no | yes",
        "whether frames are filled up to steps of 256 bytes; auto: with clocks on the beat",
        "secrecy, shape of frames",
    ),
    "allowance_beats": Meaning(
        f"1 ... {ALLOWANCE_MOST}",
        "beats from the close of a window to the release of its frames, with clocks on the beat",
        "secrecy, release on the beat",
    ),
    "afk": Meaning(
        "auto | forfeit | autopilot | pause",
        "what a seat comes to that is absent; auto: as its clock says",
        "clock model",
    ),
    "readiness": Meaning(
        "auto | hidden | count | named",
        "show all seats how many or which seats have locked; auto: as the clock says",
        "clock model",
    ),
}
"""Every option there is; a test compares the names with `MatchOptions`."""


RULING: Final = (
    "scan_slots",
    "contact_values",
    "passive_reveals",
    "tracker_mode",
    "sweep_six",
    "noise_blinds",
    "cloak_variant",
    "wave_gun_blinds",
)
"""The options that say what the rules are; the others say when, and to whom, things are shown."""


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
    options = _settled(merged)
    return _too_open(options) or options


def played_on(
    old: MatchOptions, base: dict[str, OptionValue], wish: dict[str, OptionValue]
) -> MatchOptions | Rejected:
    """Return the options of a match that is played on from one with the options `old`.

    What rules by them stays; clock and audiences are those of the scenario (`base`) changed by
    the `wish`. No rated clock goes with it: if the scenario has one, it is friendly.
    """
    kept: dict[str, OptionValue] = {name: getattr(old, name) for name in RULING}
    for name, value in kept.items():
        if wish.get(name, value) != value:
            detail = f"{name} must stay {value}, as in the match that is continued."
            return Rejected(code=Code.OPTION_VALUE, at=f"$.options.{name}", detail=detail)
    usual = {**base, **kept}
    if _is_rated(wish.get("clock")):
        detail = (
            f"A match that continues another is unrated, and the clock {wish['clock']} is rated."
        )
        return Rejected(code=Code.OPTION_VALUE, at="$.options.clock", detail=detail)
    if _is_rated(base.get("clock")):
        usual["clock"] = MatchOptions().clock
    return chosen(usual, wish)


def again(options: MatchOptions) -> dict[str, OptionValue]:
    """Return the wish for the same options; a delay that was allowed once is raised."""
    least = PRESETS[options.clock].truth_least
    wish: dict[str, OptionValue] = msgspec.to_builtins(options)
    wish["omni_delay_turns"] = max(options.omni_delay_turns, least.turns)
    wish["omni_delay_s"] = max(options.omni_delay_s, least.seconds)
    return wish


def shown(options: MatchOptions) -> dict[str, str]:
    """Return the options in force as public text."""
    return {name: str(getattr(options, name)) for name in MEANINGS}


def unusual(options: MatchOptions) -> tuple[str, ...]:
    """Return the names of the options that are not the default, or not that of their clock."""
    usual = _settled({"clock": options.clock})
    return tuple(
        name
        for name in MEANINGS
        if getattr(options, name) != getattr(MatchOptions() if name == "clock" else usual, name)
    )


def truth_delay(options: MatchOptions) -> Delay | None:
    """Return by how much the feed of the truth lags; None: it shows nothing before the end."""
    if options.truth_feed == "no" or PRESETS[options.clock].is_rated:
        return None
    return Delay(options.omni_delay_turns, options.omni_delay_s)


def feed_delay(options: MatchOptions, feed: Audience) -> Delay | None:
    """Return by how much a feed lags for spectators; None: it shows nothing before the end.

    With rated clocks the view of a side is for its seat alone, and `caster` takes the option that
    every seat has been shown before it was ready.
    """
    is_rated = PRESETS[options.clock].is_rated
    if feed == OMNI:
        return truth_delay(options)
    if feed == CASTER:
        return None if is_rated and options.caster == "no" else NO_DELAY
    return None if is_rated and feed != PUBLIC else NO_DELAY


def _is_rated(clock: OptionValue | None) -> bool:
    return isinstance(clock, str) and clock in PRESETS and PRESETS[clock].is_rated


def _too_open(options: MatchOptions) -> Rejected | None:
    """Return the refusal of options that show the truth earlier than their clock allows."""
    clock, preset = options.clock, PRESETS[options.clock]
    if preset.is_rated and options.truth_feed == "yes":
        detail = f"With the clock {clock} it must be `no`."
        return Rejected(code=Code.OPTION_VALUE, at="$.options.truth_feed", detail=detail)
    least = {
        "omni_delay_turns": preset.truth_least.turns,
        "omni_delay_s": preset.truth_least.seconds,
    }
    for name, value in least.items():
        if getattr(options, name) < value:
            detail = f"With the clock {clock} {name} must be at least {value}."
            return Rejected(code=Code.OPTION_VALUE, at=f"$.options.{name}", detail=detail)
    return None


def _fits(name: str, value: OptionValue) -> bool:
    try:
        found = msgspec.convert({name: value}, MatchOptions)
    except msgspec.ValidationError:
        return False
    delays = (found.omni_delay_turns, found.omni_delay_s)
    return max(delays) <= DELAY_MOST and min(delays) >= 0 and _is_allowance(found)


def _is_allowance(options: MatchOptions) -> bool:
    return 1 <= options.allowance_beats <= ALLOWANCE_MOST


def _settled(named: dict[str, OptionValue]) -> MatchOptions:
    """Return the options with what their clock brings along where nothing else was named."""
    options = msgspec.convert(named, MatchOptions)
    usual = PRESETS[options.clock].truth_usual
    delays = {"omni_delay_turns": usual.turns, "omni_delay_s": usual.seconds}
    options = msgspec.convert({**delays, **named}, MatchOptions)
    # Windows of half a day can't be played slot by slot: correspondence seals the slots.
    if options.clock == "correspondence":
        return msgspec.structs.replace(options, scan_slots="sealed")
    return options
