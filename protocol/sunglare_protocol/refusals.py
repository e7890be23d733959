"""Every reason for which a command is refused, with its sentence: one closed table.

A refusal is a value. It names nothing that the sender may not know: unknown, foreign, dead and
hidden things get the same code, text and path.
"""

from typing import final

import msgspec

from sunglare_protocol.word import Word


class Code(Word):
    """The codes, each `area/reason`."""

    MESSAGE_MALFORMED = "message/malformed"
    MESSAGE_TOO_LONG = "message/too_long"
    MESSAGE_EARLY = "message/early"
    MESSAGE_STALE = "message/stale"
    MESSAGE_BUSY = "message/busy"
    HELLO_VERSION = "hello/version"
    HELLO_TOKEN = "hello/token"  # noqa: S105 - a code, no secret
    HELLO_AGAIN = "hello/again"
    NAME_TAKEN = "name/taken"
    NAME_RESERVED = "name/reserved"
    NAME_BARRED = "name/barred"
    NAME_SCRIPTS = "name/scripts"
    NAME_UNKNOWN = "name/unknown"
    TEXT_UNFIT = "text/unfit"
    MATCH_UNKNOWN = "match/unknown"
    MATCH_STARTED = "match/started"
    MATCH_NOT_STARTED = "match/not_started"
    MATCH_OVER = "match/over"
    MATCH_MANY = "match/many"
    MATCH_RULES = "match/rules"
    MATCH_TURN = "match/turn"
    MATCH_DEEP = "match/deep"
    MATCH_FAULT = "server/fault"
    SERVER_JOURNAL = "server/journal"
    SERVER_FULL = "server/full"
    SERVER_CLOSING = "server/closing"
    SERVER_SPECTATORS = "server/spectators"
    SEAT_TAKEN = "seat/taken"
    SEAT_NONE = "seat/none"
    SEAT_YOURS = "seat/yours"
    SEAT_ONE = "seat/one"
    SEAT_MANY = "seat/many"
    SEAT_PLEDGE = "seat/pledge"
    SEAT_BARRED = "seat/barred"
    PAUSE_SPENT = "pause/spent"
    TICKET_BAD = "ticket/bad"
    BOT_UNKNOWN = "bot/unknown"
    BOT_MANY = "bot/many"
    RATED_TERMS = "rated/terms"
    RATED_BOT = "rated/bot"
    RATED_BOTS = "rated/bots"
    LADDER_FAMILY = "ladder/family"
    LESSON_UNKNOWN = "lesson/unknown"
    QUICK_FAMILY = "quick/family"
    QUICK_BARRED = "quick/barred"
    QUICK_MANY = "quick/many"
    ADDRESS_MATCHES = "address/matches"
    ADDRESS_BOTS = "address/bots"
    ADDRESS_QUICK = "address/quick"
    LIST_AFTER = "list/after"
    SCENARIO_UNKNOWN = "scenario/unknown"
    OPTION_UNKNOWN = "option/unknown"
    OPTION_VALUE = "option/value"
    FEED_UNKNOWN = "feed/unknown"
    FEED_CLOSED = "feed/closed"
    FEED_SEAT = "feed/seat"
    GRANT_ORGANISER = "grant/organiser"
    GRANT_MANY = "grant/many"
    WEBHOOK_CLOSED = "webhook/closed"
    WEBHOOK_URL = "webhook/url"
    REPORT_SIDE = "report/side"
    REPORT_MANY = "report/many"
    RECORD_SEALED = "record/sealed"
    WINDOW_CLOSED = "window/closed"
    WINDOW_OTHERS = "window/others"
    REV_OLD = "rev/old"
    ORDER_WINDOW = "order/window"
    ORDER_TWICE = "order/twice"
    ORDER_SHIP = "order/ship"
    ORDER_PLACE = "order/place"
    ORDER_POWER = "order/power"
    ORDER_LANDED = "order/landed"
    ORDER_FLYING = "order/flying"
    ORDER_TURN = "order/turn"
    ORDER_THRUST = "order/thrust"
    ORDER_BODY = "order/body"
    ORDER_LANDING = "order/landing"
    ORDER_SENSORS = "order/sensors"
    ORDER_CLOAK = "order/cloak"
    ORDER_TURRET = "order/turret"
    ORDER_SCANS = "order/scans"
    ORDER_PROBE = "order/probe"
    ORDER_ECM = "order/ecm"
    ORDER_WEAPON = "order/weapon"
    ORDER_HANDLE = "order/handle"
    ORDER_STATE = "order/state"
    ORDER_LINE = "order/line_of_sight"
    ORDER_ARC = "order/arc"
    ORDER_RANGE = "order/range"
    ORDER_RELATION = "order/relation"
    ORDER_PIECE = "order/piece"
    ORDER_LAUNCH = "order/launch"
    ORDER_NOVA = "order/nova"
    ORDER_SYSTEM = "order/system"
    ORDER_DEFENCE = "order/defence"
    ORDER_UNIT = "order/unit"
    ORDER_CELL = "order/cell"
    ORDER_PATH = "order/path"
    ORDER_LOAD = "order/load"
    ORDER_SIGHT = "order/sight"
    ORDER_STEP = "order/step"
    ORDER_GROUP = "order/group"
    ORDER_STANDING = "order/standing"
    ORDER_SEARCH = "order/search"
    CHAT_MUTED = "chat/muted"
    OPERATOR_KICKED = "operator/kicked"
    OPERATOR_BANNED = "operator/banned"
    ASK_ABOUT = "ask/about"
    ASK_MANY = "ask/many"


SENTENCES: dict[Code, str] = {
    Code.MESSAGE_MALFORMED: "Invalid message.",
    Code.MESSAGE_TOO_LONG: "The message exceeds the server's size limit.",
    Code.MESSAGE_EARLY: "Send `hello` first.",
    Code.MESSAGE_STALE: "Command ids must rise within a seat; this one is not above the last.",
    Code.MESSAGE_BUSY: "Too many messages at once; wait for the answers before you send more.",
    Code.HELLO_VERSION: "The server does not support this version of the protocol.",
    Code.HELLO_TOKEN: "Unknown token; send `hello` without one.",
    Code.HELLO_AGAIN: "This connection has already sent `hello`.",
    Code.NAME_TAKEN: "This name, or one that looks like it, is taken; choose another.",
    Code.NAME_RESERVED: (
        "Names like this are reserved for the server, roles, house bots and guests."
    ),
    Code.NAME_BARRED: "The operator of this server does not allow this name or names like it.",
    Code.NAME_SCRIPTS: "A name uses one script, or Latin with Japanese, Korean or Chinese.",
    Code.NAME_UNKNOWN: "No account on this server has this name.",
    Code.TEXT_UNFIT: "The text is empty, too long or has characters that are not allowed.",
    Code.MATCH_UNKNOWN: "No such match is open to you.",
    Code.MATCH_STARTED: "The match has already started.",
    Code.MATCH_NOT_STARTED: "The match has not started yet.",
    Code.MATCH_OVER: "The match is over.",
    Code.MATCH_MANY: "You have reached the limit of open matches for one account.",
    Code.MATCH_RULES: "The match was played under other rules than this server's.",
    Code.MATCH_TURN: "The match did not reach this turn.",
    Code.MATCH_DEEP: "Too much was played before this turn; continue from an earlier one.",
    Code.MATCH_FAULT: "A server fault has stopped this match; everything accepted so far is kept.",
    Code.SERVER_JOURNAL: "The server cannot store anything at the moment; send the command again.",
    Code.SERVER_FULL: "The server has reached its limit of matches; try again later.",
    Code.SERVER_CLOSING: "The server is shutting down; reconnect in a moment.",
    Code.SERVER_SPECTATORS: "This address serves spectators only; players connect to another one.",
    Code.SEAT_TAKEN: "This seat is taken.",
    Code.SEAT_NONE: "You have no seat in this match.",
    Code.SEAT_YOURS: "You already have a seat in this match.",
    Code.SEAT_ONE: "A connection has at most one seat; open another connection for this one.",
    Code.SEAT_MANY: "You have reached the limit of seats in open matches for one account.",
    Code.SEAT_PLEDGE: "This entropy does not match its pledge; send the entropy that was pledged.",
    Code.SEAT_BARRED: (
        "You lost a seat in this match twice because the pledged entropy did not arrive."
    ),
    Code.PAUSE_SPENT: "This seat has used all its pauses.",
    Code.TICKET_BAD: "The ticket is not valid for this match.",
    Code.BOT_UNKNOWN: "The server has no such bot.",
    Code.BOT_MANY: "The server has reached its limit of running bots; try again later.",
    Code.RATED_TERMS: "A match on these terms cannot be rated.",
    Code.RATED_BOT: "A house bot can have only one seat in a rated match.",
    Code.RATED_BOTS: (
        "The server has reached its limit of house bots in rated matches; try again later."
    ),
    Code.QUICK_FAMILY: "This server offers no quick match in such a family.",
    Code.QUICK_BARRED: (
        "You left a quick match before it began, or three matches in turn 1; try again in a few "
        "minutes."
    ),
    Code.QUICK_MANY: "The queue for quick matches is full; try again later.",
    Code.LADDER_FAMILY: "No account has a rating in such a family.",
    Code.LESSON_UNKNOWN: "There is no such lesson.",
    Code.ADDRESS_MATCHES: "Your address has reached its limit of open matches.",
    Code.ADDRESS_BOTS: "Your address has reached its limit of running bots.",
    Code.ADDRESS_QUICK: "Too many players from your address are already queued.",
    Code.LIST_AFTER: "Invalid `after`; leave it out to begin at the start of the list.",
    Code.SCENARIO_UNKNOWN: "The server has no such scenario.",
    Code.OPTION_UNKNOWN: "There is no such match option.",
    Code.OPTION_VALUE: "Invalid value for this option.",
    Code.FEED_UNKNOWN: "There is no such feed.",
    Code.FEED_CLOSED: "You have no access to this feed.",
    Code.FEED_SEAT: (
        "An account cannot have a seat and a granted feed of one match, or two such feeds."
    ),
    Code.GRANT_ORGANISER: (
        "You cannot grant this feed: the host grants `omni`, each seat its own side."
    ),
    Code.GRANT_MANY: "This feed has reached its limit of grants.",
    Code.WEBHOOK_CLOSED: "Webhooks are disabled on this server.",
    Code.WEBHOOK_URL: (
        "A webhook's URL has https://, a host name with a dot, port 443 or 8443, and no user, "
        "#, space or non-ASCII letter."
    ),
    Code.REPORT_SIDE: "No player whom you can report has this side.",
    Code.REPORT_MANY: "You have reached the limit of reports in one match.",
    Code.RECORD_SEALED: "The record is available after the end of the match.",
    Code.WINDOW_CLOSED: "This window is not open.",
    Code.WINDOW_OTHERS: "This window takes orders from another side.",
    Code.REV_OLD: "These orders are not newer than the accepted ones, or the orders are locked.",
    Code.ORDER_WINDOW: "This window does not take this kind of order.",
    Code.ORDER_TWICE: "Another of your orders already does this or rules it out.",
    Code.ORDER_SHIP: "You have no such ship in play.",
    Code.ORDER_PLACE: "This place is not allowed.",
    Code.ORDER_POWER: "The ship's power is off.",
    Code.ORDER_LANDED: "The ship is landed; this takes a ship in flight.",
    Code.ORDER_FLYING: "The ship is in flight; this takes a landed ship.",
    Code.ORDER_TURN: "The ship cannot turn that far.",
    Code.ORDER_THRUST: "The drive cannot give this thrust.",
    Code.ORDER_BODY: "There is no such body.",
    Code.ORDER_LANDING: "The ship cannot land there.",
    Code.ORDER_SENSORS: "The ship's sensors cannot do this.",
    Code.ORDER_CLOAK: "The ship cannot do this.",
    Code.ORDER_TURRET: "The turret cannot do this.",
    Code.ORDER_SCANS: "A side makes at most two scans a turn, a ship one.",
    Code.ORDER_PROBE: (
        "A working ship or unit asks about an identified target that you hold this turn."
    ),
    Code.ORDER_ECM: "This ship or unit has no working jammer.",
    Code.ORDER_WEAPON: "There is no such weapon that works and may still fire.",
    Code.ORDER_HANDLE: "You hold no target with this handle.",
    Code.ORDER_STATE: "Your fix on the target is too weak or too old.",
    Code.ORDER_LINE: "A body blocks the line of sight.",
    Code.ORDER_ARC: "The target is outside the weapon's arc.",
    Code.ORDER_RANGE: "The target is out of range.",
    Code.ORDER_RELATION: "The target is on the wrong side of the ship for this weapon.",
    Code.ORDER_PIECE: "This kind of ship or unit does not take this order.",
    Code.ORDER_LAUNCH: "The ship or unit cannot launch this.",
    Code.ORDER_NOVA: "The nova gun cannot fire this way.",
    Code.ORDER_SYSTEM: "Only a needle beam can aim at a system.",
    Code.ORDER_DEFENCE: "The ship has no working point defence.",
    Code.ORDER_UNIT: "You have no such ground unit or agent in play.",
    Code.ORDER_CELL: "This cell or environs is not allowed.",
    Code.ORDER_PATH: "The unit cannot move that way.",
    Code.ORDER_LOAD: "The rules of loading do not allow this.",
    Code.ORDER_SIGHT: "The target is out of sight.",
    Code.ORDER_STEP: "The agent cannot make this step.",
    Code.ORDER_GROUP: "These agents cannot go on this mission.",
    Code.ORDER_STANDING: "This standing order does not fit this side, ship or agent.",
    Code.ORDER_SEARCH: "Your side cannot search there.",
    Code.CHAT_MUTED: "You are muted on this server.",
    Code.OPERATOR_KICKED: "The operator of this server has closed your connection.",
    Code.OPERATOR_BANNED: "You are banned from this server.",
    Code.ASK_ABOUT: "This question does not apply to that.",
    Code.ASK_MANY: "Your questions have used up this window's points. Some come back with time.",
}
"""One sentence for each code."""


@final
class Rejected(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A refusal as a value: the code, the path in the message, a detail and the right choices."""

    code: Code
    at: str = "$"
    detail: str = ""
    choices: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the sentence of the code, with the detail if there is one."""
        sentence = SENTENCES[self.code]
        return f"{sentence} {self.detail}" if self.detail else sentence
