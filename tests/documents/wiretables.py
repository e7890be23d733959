"""The tables of the protocol page, made from the classes that the codec reads and writes."""

import enum
from collections.abc import Callable, Iterable
from typing import Any, get_args

import msgspec

from documents.wirewords import fields, said, table, tag
from sunglare_protocol import geometry, notices, surface
from sunglare_protocol.messages import answers, commands, replies, sheets
from sunglare_protocol.messages.lessons import LessonLine
from sunglare_protocol.notices import PublicNotice
from sunglare_protocol.notices import ground as ground_notices
from sunglare_protocol.notices.agents import AgentsDeed, AgentsHunted, AgentsSought, TruthAgents
from sunglare_protocol.orders import space as orders
from sunglare_protocol.refusals import SENTENCES
from sunglare_protocol.views import agents as agents_views
from sunglare_protocol.views import ground as ground_views
from sunglare_protocol.views import space as views
from sunglare_protocol.words import ladder, pieces
from sunglare_protocol.words import search as searchwords
from sunglare_protocol.words.armament import DefencePolicy, Launchable, SystemAim, WeaponKind
from sunglare_protocol.words.dossiers import Dossier, Outcome
from sunglare_protocol.words.review import IdleKind, LossKind
from sunglare_protocol.words.scans import (
    Answers,
    Blocked,
    Drive,
    Echo,
    ScanSize,
    ScanType,
    Signature,
)
from sunglare_protocol.words.specials import Special
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.turn.windows import ALLOWED
from sunglare_server.match.clock.presets import PRESETS, Preset
from sunglare_server.match.facts import space as facts
from sunglare_server.match.ledger.ledger import ROWS, SILENT, Row

Found = (
    notices.ScanResult
    | notices.ContactSeen
    | notices.TrackGained
    | notices.TrackCoasts
    | notices.TrackLost
    | notices.ContactCloaked
    | notices.CloakedFound
    | notices.TrailCold
)
"""What one's own looking brings, and how it ends."""

Fared = (
    notices.ContactLeft
    | notices.ContactLanded
    | notices.ContactDestroyed
    | notices.ShooterKnown
    | notices.ShotResult
)
"""What becomes of foreign pieces."""

Own = (
    notices.OwnInScan
    | notices.OwnTracked
    | notices.OwnTrackLost
    | notices.OwnFound
    | notices.OwnHit
    | notices.OwnDrained
    | notices.OwnLaunched
    | notices.OwnSystemLost
    | notices.OwnDestroyed
    | notices.OwnEscaped
)
"""What happens to own ships."""

OfTruth = (
    notices.TruthHeld
    | notices.TruthShot
    | notices.TruthGone
    | notices.TruthIdentified
    | notices.TruthProbed
    | notices.TruthCloak
    | notices.TruthHunt
)
"""What only `omni` is told."""

Learned = notices.ContactIdentified | notices.DataScanned
"""What is learned of foreign pieces besides their places."""

Probed = notices.OwnProbed | notices.ProbeSensed
"""What own ships notice of probes."""

CLIENT_MESSAGES: tuple[type, ...] = get_args(commands.ClientMessage)
SERVER_MESSAGES: tuple[type, ...] = get_args(replies.ServerMessage)
ORDERS: tuple[type, ...] = get_args(orders.Order)
ANSWERS: tuple[type, ...] = get_args(answers.AnswerBody)
NOTICES: dict[str, tuple[type, ...]] = {
    "all audiences": get_args(PublicNotice),
    "the side that looks": (
        *get_args(Found | notices.GroundFound | notices.CapitalFound),
        *get_args(Fared | notices.GroundFared | notices.CapitalFared),
        *get_args(Learned),
        *get_args(AgentsSought),
    ),
    "the owner": (
        *get_args(Own | notices.GroundOwn | notices.CapitalOwn),
        *get_args(Probed),
        *get_args(AgentsHunted),
        *get_args(AgentsDeed),
    ),
    "`omni`": (
        *get_args(OfTruth | notices.GroundOfTruth | notices.CapitalOfTruth),
        TruthAgents,
    ),
}
"""Every notice by whom it is told to."""

MESSAGE_PARTS: tuple[type, ...] = (
    replies.Limits,
    replies.MatchLine,
    LessonLine,
    replies.SeatInfo,
    replies.ScenarioCard,
    replies.ClassCard,
    replies.WeaponClass,
    replies.Result,
    Answers,
    Blocked,
    answers.Loss,
    answers.Idle,
    sheets.CourseEnd,
    sheets.ScanStrength,
    sheets.ScanPlace,
    sheets.WeaponArcs,
    sheets.ListedShot,
    sheets.BombardReach,
    sheets.StationReach,
    sheets.StepReach,
    sheets.MissionReach,
    sheets.LeftOut,
)
VIEWS: tuple[type, ...] = (views.View, views.TruthView)
VIEW_PARTS: tuple[type, ...] = (
    views.Stage,
    views.OwnView,
    views.Crew,
    views.WeaponView,
    views.TurretView,
    views.VolleyView,
    views.HabitView,
    views.Exposure,
    views.ContactView,
    Dossier,
    views.ObjectiveView,
    views.PieceView,
    views.Holding,
    ground_views.GroundView,
    ground_views.ArmView,
    ground_views.AgentView,
    ground_views.SurfaceView,
    ground_views.TokenView,
    ground_views.MissileView,
    ground_views.AreaView,
    ground_views.UnitPieceView,
    ground_views.TokenHolding,
    ground_views.AgentPieceView,
    ground_views.TrueMissileView,
    agents_views.StanceView,
    agents_views.AlertView,
    agents_views.FoundView,
    agents_views.FoundAgentView,
    agents_views.SpyView,
    agents_views.SpiedUnitView,
    agents_views.ItemView,
)
BOARD_PARTS: tuple[type, ...] = (
    geometry.Board,
    geometry.Planet,
    geometry.Environs,
    geometry.Asteroid,
    geometry.Landing,
)
ENUMS: tuple[type[enum.Enum], ...] = (
    ladder.Phase,
    ladder.Fix,
    ladder.Fate,
    geometry.Compass,
    geometry.PlanetSize,
    ScanType,
    ScanSize,
    Signature,
    Drive,
    Echo,
    Special,
    Outcome,
    WeaponKind,
    SystemAim,
    Launchable,
    DefencePolicy,
    pieces.PieceKind,
    pieces.Arc,
    pieces.BaseSize,
    pieces.Relation,
    pieces.TurretKind,
    surface.Pressure,
    surface.Weather,
    surface.Mode,
    surface.GroundKind,
    surface.Quality,
    surface.Arm,
    ground_notices.TokenEnd,
    ground_notices.MoveFault,
    searchwords.MissionKind,
    searchwords.FightPolicy,
    searchwords.Strike,
    searchwords.Cause,
    searchwords.StepFault,
    searchwords.Soldier,
    searchwords.FightOutcome,
    ObjectiveKind,
    LossKind,
    IdleKind,
    commands.Question,
    replies.RoomState,
    replies.SeatState,
    replies.ResumeKind,
    replies.NewsKind,
    replies.Ending,
)
"""Every closed list of words that a field may hold."""


def _tagged(kinds: Iterable[type]) -> str:
    rows = ((f"`{tag(kind)}`", fields(kind), said(kind)) for kind in kinds)
    return table(("`t`", "fields", "meaning"), rows)


def _untagged(kinds: Iterable[type]) -> str:
    rows = ((kind.__name__, fields(kind), said(kind)) for kind in kinds)
    return table(("map", "fields", "meaning"), rows)


def _orders() -> str:
    windows = {kind: phase for phase, kinds in ALLOWED.items() for kind in kinds}
    rows = (
        (windows[kind].value.upper(), f"`{tag(kind)}`", fields(kind), said(kind))
        for kind in ORDERS
    )
    return table(("window", "`t`", "fields", "meaning"), rows)


def _notices() -> str:
    rows = (
        (whom, f"`{tag(kind)}`", fields(kind), said(kind))
        for whom, kinds in NOTICES.items()
        for kind in kinds
    )
    return table(("told to", "`t`", "fields", "meaning"), rows)


def _views() -> str:
    whole = [
        (f"{view.__name__} (`t` = `{tag(view)}`)", fields(view), said(view)) for view in VIEWS
    ]
    parts = [(part.__name__, fields(part), said(part)) for part in VIEW_PARTS]
    return table(("map", "fields", "meaning"), [*whole, *parts])


def _words() -> str:
    rows = (
        (kind.__name__, ", ".join(f"`{member.value}`" for member in kind), said(kind))
        for kind in ENUMS
    )
    return table(("list", "words", "meaning"), rows)


def _refusals() -> str:
    rows = ((f"`{code.value}`", sentence) for code, sentence in SENTENCES.items())
    return table(("code", "sentence"), rows)


def _clocks() -> str:
    def seconds(ms: int) -> str:
        hours, rest = divmod(ms, 3_600_000)
        return f"{hours} h" if hours and not rest else f"{ms / 1000:g} s"

    def bank(preset: Preset) -> str:
        if not preset.bank_ms:
            return "none"
        return (
            f"{seconds(preset.bank_ms)}, {seconds(preset.gain_ms)} more a turn, "
            f"{seconds(preset.extra_ms)} a window at most"
        )

    def line(preset: Preset) -> str:
        if preset.drop_ms is None:
            return "not looked at"
        return f"{seconds(preset.drop_ms)}, in all {seconds(preset.drops_ms)}"

    def absent(preset: Preset) -> str:
        if preset.drop_ms is None and not preset.counts_misses:
            return "never"
        excuses = f", {preset.excuses} excused" if preset.excuses else ""
        return f"`{preset.absent}`{excuses}"

    rows = (
        (
            f"`{name}`",
            seconds(preset.plot_ms),
            seconds(preset.sense_ms),
            seconds(preset.fire_ms),
            bank(preset),
            line(preset),
            absent(preset),
            "yes" if preset.on_beat else "no",
            "yes" if preset.is_rated else "no",
        )
        for name, preset in PRESETS.items()
    )
    heads = (
        *("clock", "PLOT", "each SCAN slot, DETECT", "ENGAGE", "bank"),
        *("line down", "absent", "beat", "rated"),
    )
    return table(heads, rows)


def _told(row: Row) -> str:
    """Return what a row tells: the fact, the kind of notice that it may be, and the fields."""
    fact, fields = row.fact, row.fields
    if fields and fields[0][0].isupper():
        fact, fields = f"{fact} {fields[0]}", fields[1:]
    return f"{fact}: {', '.join(fields)}" if fields else fact


def _ledger() -> str:
    rows = ((row.event, row.role, _told(row), row.condition, row.source) for row in ROWS)
    heads = ("event", "who, as", "what: fields", "condition", "rule")
    silent = ", ".join(SILENT)
    return f"{table(heads, rows)}\n\nEvents of which no audience learns: {silent}."


def _facts() -> str:
    kinds: tuple[Any, ...] = get_args(facts.Fact)
    return table(("what", "meaning"), ((kind.__name__, said(kind)) for kind in kinds))


def structs() -> tuple[type[msgspec.Struct], ...]:
    """Return every class whose fields the page has to name."""
    told = tuple(kind for kinds in NOTICES.values() for kind in kinds)
    messages = (*CLIENT_MESSAGES, *SERVER_MESSAGES, *ORDERS, *ANSWERS, *told)
    return (*messages, *MESSAGE_PARTS, *VIEWS, *VIEW_PARTS, *BOARD_PARTS)


WIRE_TABLES: dict[str, Callable[[], str]] = {
    "client messages": lambda: _tagged(CLIENT_MESSAGES),
    "server messages": lambda: _tagged(SERVER_MESSAGES),
    "message parts": lambda: _untagged(MESSAGE_PARTS),
    "orders": _orders,
    "notices": _notices,
    "views": _views,
    "board": lambda: _untagged(BOARD_PARTS),
    "answers": lambda: _tagged(ANSWERS),
    "words": _words,
    "refusals": _refusals,
    "clocks": _clocks,
    "ledger": _ledger,
    "facts": _facts,
}
