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
    Code.MESSAGE_MALFORMED: "This is no message of the protocol.",
    Code.MESSAGE_TOO_LONG: "The message is longer than the server takes.",
    Code.MESSAGE_EARLY: "Say hello first.",
    Code.MESSAGE_STALE: "Command ids rise within a seat; this one lies behind.",
    Code.MESSAGE_BUSY: "Too much at once; wait for the answers before you send more.",
    Code.HELLO_VERSION: "This server does not speak that version of the protocol.",
    Code.HELLO_TOKEN: "The server does not know this token; say hello without one.",
    Code.HELLO_AGAIN: "You have said hello on this connection already.",
    Code.NAME_TAKEN: "Somebody else has this name, or one that looks like it.",
    Code.NAME_RESERVED: (
        "A name that looks like this is the server's, a role's, a house bot's or a guest's."
    ),
    Code.NAME_BARRED: "The operator of this server lets nobody have this name, or one like it.",
    Code.NAME_SCRIPTS: (
        "A name is written in one script, or in Latin with Japanese, Korean or Chinese."
    ),
    Code.NAME_UNKNOWN: "Nobody on this server has this name.",
    Code.TEXT_UNFIT: "The text is too long, empty, or holds characters that are not taken.",
    Code.MATCH_UNKNOWN: "There is no such match for you.",
    Code.MATCH_STARTED: "The match has started.",
    Code.MATCH_NOT_STARTED: "The match has not started.",
    Code.MATCH_OVER: "The match is over.",
    Code.MATCH_MANY: "You have as many open matches as one account may.",
    Code.MATCH_RULES: "The match was played under another version of the rules.",
    Code.MATCH_TURN: "The match did not come to this turn.",
    Code.MATCH_DEEP: "The match cannot be played on: there is too much before that turn.",
    Code.MATCH_FAULT: "A fault of the server has stopped this match; nothing accepted is lost.",
    Code.SERVER_JOURNAL: "The server cannot store anything now. Give the command again.",
    Code.SERVER_FULL: "The server holds as many matches as it may.",
    Code.SERVER_CLOSING: "The server is closing; come back in a moment.",
    Code.SERVER_SPECTATORS: "This address is for spectators; play at another one.",
    Code.SEAT_TAKEN: "The seat is taken.",
    Code.SEAT_NONE: "You have no seat in this match.",
    Code.SEAT_YOURS: "You sit in this match already.",
    Code.SEAT_ONE: "A connection holds one seat; open another one for this.",
    Code.SEAT_MANY: "You sit in as many open matches as one account may.",
    Code.SEAT_PLEDGE: "This is not the entropy that was pledged.",
    Code.SEAT_BARRED: "Twice your seat was freed, as the entropy pledged for it did not come.",
    Code.PAUSE_SPENT: "This seat has asked for as many pauses as it may.",
    Code.TICKET_BAD: "The ticket is not good for this match.",
    Code.BOT_UNKNOWN: "The server has no such bot.",
    Code.BOT_MANY: "The server runs as many bots as it may.",
    Code.RATED_TERMS: "A match on these terms does not count for ratings.",
    Code.RATED_BOT: "In a rated match a house bot sits once: wherever it sits, it is the same.",
    Code.RATED_BOTS: "As many house bots play rated matches as may at once.",
    Code.QUICK_FAMILY: "This server plays nothing of a family of this name.",
    Code.QUICK_BARRED: (
        "You left a quick match before it began, or three matches in turn 1; wait some minutes."
    ),
    Code.QUICK_MANY: "As many wait for a quick match as may.",
    Code.LADDER_FAMILY: "Nobody has a rating in a family of this name.",
    Code.ADDRESS_MATCHES: "From your address as many matches are open as one address may have.",
    Code.ADDRESS_BOTS: "For your address as many bots run as one address may have.",
    Code.ADDRESS_QUICK: "From your address as many wait for a quick match as may.",
    Code.LIST_AFTER: "This is no place in that list; without `after` it begins at its start.",
    Code.SCENARIO_UNKNOWN: "The server has no such scenario.",
    Code.OPTION_UNKNOWN: "There is no such match option.",
    Code.OPTION_VALUE: "The option does not take this value.",
    Code.FEED_UNKNOWN: "There is no such feed.",
    Code.FEED_CLOSED: "This feed is not open to you.",
    Code.FEED_SEAT: "A seat and a feed of this match, or two feeds of it, do not go together.",
    Code.GRANT_ORGANISER: "This feed is not yours to grant.",
    Code.GRANT_MANY: "This feed has been granted to as many accounts as it may be.",
    Code.WEBHOOK_CLOSED: "This server tells no addresses of turns.",
    Code.WEBHOOK_URL: (
        "A webhook is https://, a name with a dot, port 443 or 8443, and no user, #, space or "
        "letters beyond ASCII."
    ),
    Code.REPORT_SIDE: "Nobody whom you could report sits there.",
    Code.REPORT_MANY: "You have reported something in this match as often as one may.",
    Code.RECORD_SEALED: "The record is open after the end of the match.",
    Code.WINDOW_CLOSED: "This window is not open.",
    Code.WINDOW_OTHERS: "This slot belongs to another side.",
    Code.REV_OLD: "Newer orders than these have been taken, or the orders are locked.",
    Code.ORDER_WINDOW: "This window does not take such an order.",
    Code.ORDER_TWICE: "There is such an order already.",
    Code.ORDER_SHIP: "You have no such ship in play.",
    Code.ORDER_PLACE: "The place does not allow this.",
    Code.ORDER_POWER: "The ship's power is off.",
    Code.ORDER_LANDED: "The ship stands on a body.",
    Code.ORDER_FLYING: "The ship does not stand on a body.",
    Code.ORDER_TURN: "The ship cannot turn that far.",
    Code.ORDER_THRUST: "The drive does not give this thrust.",
    Code.ORDER_BODY: "There is no such body.",
    Code.ORDER_LANDING: "The ship cannot land there.",
    Code.ORDER_SENSORS: "The sensors do not allow this.",
    Code.ORDER_CLOAK: "What the ship does now rules this out.",
    Code.ORDER_TURRET: "The turret cannot do this.",
    Code.ORDER_SCANS: "A side makes two scans a turn at most, a ship one.",
    Code.ORDER_PROBE: "A working piece asks about what is held this turn and identified.",
    Code.ORDER_ECM: "It has no working jammer.",
    Code.ORDER_WEAPON: "The ship has no such working weapon that may still fire.",
    Code.ORDER_HANDLE: "You hold nothing by this handle.",
    Code.ORDER_STATE: "What you hold of it is too old or too little for this.",
    Code.ORDER_LINE: "A body blocks the line of sight.",
    Code.ORDER_ARC: "It is not in the weapon's arc.",
    Code.ORDER_RANGE: "It is out of the weapon's range.",
    Code.ORDER_RELATION: "The weapon needs the target to lie otherwise.",
    Code.ORDER_PIECE: "Such a piece takes no such order.",
    Code.ORDER_LAUNCH: "It cannot launch that.",
    Code.ORDER_NOVA: "The nova gun cannot fire like that.",
    Code.ORDER_SYSTEM: "Only a needle beam is aimed at a system.",
    Code.ORDER_DEFENCE: "The ship has no working point defence.",
    Code.ORDER_UNIT: "You have no such ground unit or agent in play.",
    Code.ORDER_CELL: "The cell does not allow this.",
    Code.ORDER_PATH: "The unit cannot go that way.",
    Code.ORDER_LOAD: "The unit cannot be loaded or unloaded like that.",
    Code.ORDER_SIGHT: "Nobody sees the target.",
    Code.ORDER_STEP: "The agent cannot make this step.",
    Code.ORDER_GROUP: "These agents cannot go on such a mission.",
    Code.ORDER_STANDING: "This piece takes no such standing order.",
    Code.ORDER_SEARCH: "The side cannot search there.",
    Code.CHAT_MUTED: "The operator of this server takes no chat from you.",
    Code.OPERATOR_KICKED: "The operator of this server has ended your connection.",
    Code.OPERATOR_BANNED: "The operator of this server does not let you in.",
    Code.ASK_ABOUT: "This question cannot be about that.",
    Code.ASK_MANY: "You have asked as often as one window allows.",
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
