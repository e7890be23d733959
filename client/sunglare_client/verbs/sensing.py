"""Verbs of sensors: scans and previews of them, cloaked ships sought, requests for data."""

from collections.abc import Iterator

from msgspec.structs import replace

from sunglare_client.command import Command, Give, Plan, Preview
from sunglare_client.text.cards import refused
from sunglare_client.text.places import square_text
from sunglare_client.text.printable import printable
from sunglare_client.text.sentences import answers_text
from sunglare_client.verbs.reading import Reader
from sunglare_client.verbs.verb import ANY, DETECT, SCAN, Verb, Written, giving
from sunglare_client.verbs.words import MISSING
from sunglare_protocol.geometry import box_of
from sunglare_protocol.messages.answers import ScanPreview, SenseOdds
from sunglare_protocol.orders import Listen, Order, Probe, Scan, Sweep
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View
from sunglare_protocol.words.cloak import NoiseBlinds
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.check.probe import request_means
from sunglare_rules.advice.odds.after import scanning
from sunglare_rules.advice.odds.fire import listen_odds, sense_odds, sweep_odds
from sunglare_rules.advice.odds.preview import preview
from sunglare_rules.advice.plans.again import scans_again, scans_before
from sunglare_rules.advice.seen.lookup import place_of, ships_in_play
from sunglare_rules.blips.dossiers import Means
from sunglare_rules.sensors.scans import gives_sender_away
from sunglare_rules.sensors.sectors import standing_square


def scan_order(reader: Reader) -> Scan:
    """Read a ship, a type, a size and a place, and perhaps `nosense`; else it senses."""
    ship = reader.ship()
    kind = reader.scan_type()
    size, at = reader.scan_place()
    sense = not reader.more or reader.pick("word to end a scan", _SENSE_WORDS)
    return Scan(ship=ship.id, type=kind, size=size, at=at, sense=sense)


def _scan(reader: Reader) -> Command:
    """Read a scan, or `again` for those of last turn."""
    if not reader.more:
        ships = (ship.id for ship in ships_in_play(reader.view))
        reader.fail(MISSING, "needs <ship> next", (*ships, "again"))
    if reader.peek().lower() != "again":
        return Give((scan_order(reader),))
    reader.word("again")
    wanted = scans_before(reader.view)
    made = scans_again(reader.view, reader.plan)
    left = tuple(scan for scan in wanted if scan not in made)
    if not made:
        reader.fail("E-ARG", _not_again(reader.view, left, reader.plan))
    return Give(made, _not_again(reader.view, left, (*reader.plan, *made)) if left else "")


def _not_again(view: View, left: tuple[Scan, ...], plan: Plan) -> str:
    """Return which scans of last turn are not made again with a plan, each with the reason."""
    if not left:
        return "no ship of yours scanned last turn"
    rows = []
    for scan in left:
        is_planned = any(_is_same(scan, order) for order in plan)
        problem = check(view, (scan,)) or check(view, (*plan, scan))
        reason = "already planned" if is_planned or problem is None else problem.text
        rows.append(f"not again: scan {_scan_words(scan)} ({reason})")
    return "; ".join(rows)


def _is_same(scan: Scan, order: Order) -> bool:
    """Return whether an order is the scan, with or without the Sense roll."""
    return isinstance(order, Scan) and replace(order, sense=scan.sense) == scan


def listen_order(reader: Reader) -> Listen:
    """Read a ship, and perhaps whether it listens."""
    ship = reader.ship()
    is_on = not reader.more or reader.state()
    return Listen(ship=ship.id, on=is_on)


def sweep_order(reader: Reader) -> Sweep:
    """Read a ship that sweeps."""
    return Sweep(ship=reader.ship().id)


def preview_of(reader: Reader) -> Command:
    """Read a scan to preview, which may have its verb before it."""
    if reader.peek().lower() == "scan":
        reader.word("verb")
    return Preview(scan_order(reader))


def _probe_order(reader: Reader) -> Probe:
    """Read a unit and a token of its map; or a ship, and a contact or a token next to it."""
    if reader.names_unit:
        unit = reader.unit()
        return Probe(ship=unit.id, at=reader.held_token(unit.site))
    ship = reader.ship()
    site = None if ship.landed is None else ship.landed.site
    beside = reader.peek().lower() in map(str.lower, reader.tokens(site))
    return Probe(ship=ship.id, at=reader.held_token(site) if beside else reader.held())


_SENSE_WORDS = {"nosense": False, "sense": True}
"""The words that may end a scan, and whether it senses."""


def _scan_words(order: Scan) -> str:
    at = order.at if isinstance(order.at, str) else square_text(order.at)
    sense = "" if order.sense else " nosense"
    return f"{order.ship} {order.type.value} {order.size.value} {at}{sense}"


def preview_lines(view: View, scan: Scan, plan: Plan = ()) -> list[str]:
    """Return what a scan would find and what all sides would learn, or why it cannot be.

    In PLOT the ship scans as the plan leaves it, from where it ends. The last line gives the
    chances of the Sense roll, if the scan asks for one.
    """
    ahead = scanning(view, plan)
    found = preview(ahead, scan)
    if isinstance(found, Rejected):
        return [refused(found)]
    lines = [f"if you commit scan {_scan_words(scan)}{_moved(view, ahead, scan)}:"]
    lines += _preview_rows(found)
    if gives_sender_away(scan.type):
        lines.append(f"  all sides will see {scan.ship}: {scan.type.value} gives its square away")
    if scan.sense:
        lines.extend(_sense_rows(sense_odds(ahead, scan.ship)))
    return [printable(line) for line in lines]


def _moved(view: View, ahead: View, scan: Scan) -> str:
    """Return from where a ship scans that moves before; empty if it scans from where it is."""
    squares = [own.square for seen in (view, ahead) for own in seen.own if own.id == scan.ship]
    return f" from {square_text(squares[-1])}, where it ends" if len(set(squares)) > 1 else ""


def _preview_rows(found: ScanPreview) -> list[str]:
    start, *steps = found.candidates
    asked = zip(("glare", "well", "blocked"), steps, strict=True)
    left = "".join(f" -{answer}-> {squares}" for answer, squares in asked)
    finds = f"finds signatures of {found.finds_from:+d} and more"
    return [
        f"  strength {found.strength:+d}, effective {found.effective:+d}: {finds}",
        "  EVERYBODY WILL LEARN: the scan, its strength, and these answers",
        f"  {answers_text(found.answers)}",
        f"  squares you may stand on: {start}{left}",
    ]


def _sense_rows(odds: SenseOdds | Rejected) -> list[str]:
    if isinstance(odds, Rejected):
        return []
    chances = "  ".join(f"{signal}: {chance} %" for signal, chance in enumerate(odds.hundredths))
    return [f"  chance to track a contact by its signal  {chances}"]


def _listen_odds(view: View, order: Listen) -> list[str]:
    odds = listen_odds(view, order)
    if isinstance(odds, Rejected):
        return [refused(odds)]
    chances = "  ".join(f"{n}: {chance} %" for n, chance in enumerate(odds.hundredths, 1))
    used = f"it used {odds.own}, your loudest ship {odds.loudest}"
    return [f"  chance at best to hear a cloaked ship by its thrust ({used})  {chances}"]


def _sweep_odds(view: View, order: Sweep) -> list[str]:
    odds = sweep_odds(view, order)
    if isinstance(odds, Rejected):
        return [refused(odds)]
    means = "  ".join(f"{n}: {mean / 100:.2f}" for n, mean in enumerate(odds.mean_hundredths, 1))
    finds = "it finds on average, of so many in sight"
    blinds = ["  a sweep spoils all listening of this turn, on every side"]
    is_loud = view.cloak_rules.noise is NoiseBlinds.ALL
    return [
        f"  all sides will see {odds.ship}; {finds}  {means}",
        *(blinds if is_loud else ()),
    ]


def probe_lines(view: View, request: Probe) -> list[str]:
    """Return by what means a request for data would be carried out, and who would notice."""
    best, worst = request_means(view, request)
    if best is worst:
        return [_MEANS[best]]
    return [_MEANS[best], f"  or, if the ground hides it,{_MEANS[worst][1:]}"]


_MEANS = {
    Means.SHORT: "  at short range: no side notices, and ECM does not matter",
    Means.PROBE: "  by probe: its owner and all within 26 inches of you learn the bearing",
    None: "  out of reach: there will be no answer but that",
}


def _previews(view: View, _: Plan) -> Iterator[str]:
    for ship in ships_in_play(view):
        at = box_of(standing_square(view.board, place_of(ship))).name
        yield from (
            f"preview {ship.id} {scan_type.value} {ScanSize.BOX.value} {at}"
            for scan_type in (ScanType.IR, *ScanType)
        )


_TYPES = " ".join(scan_type.value for scan_type in ScanType)
_LETTERS = " ".join(scan_type.value[0] for scan_type in ScanType)

_MORE_ON_PROBE = (
    (
        "Within 6 inches (in space 2.5 squares) and in sight no side notices; with a probe from "
        "farther off its owner and all around learn the bearing. One request a piece and turn."
    ),
)

ROWS = (
    Verb(
        "scan",
        "s",
        SCAN,
        "<ship> <type> <size> <box or x,y> [nosense], or again",
        "scan S1 visual 3box E4",
        "scan; all sides hear the three public answers",
        _scan,
        order=Written(Scan, _scan_words, given=preview_lines),
        more=(
            f"types: {_TYPES} ({_LETTERS})   sizes: 1sq 3sq 1box 3box",
            "1x1 and 3x3 mean boxes; the square sizes take a square such as 12,30.",
            "visual, ir and radar need the sensors out. Radar shows all sides where the ship is.",
            "The Sense roll makes tracks of contacts; a scan with `nosense` goes without.",
            "scan again: the scans of last turn, of the same type and size and at the same place.",
        ),
    ),
    Verb(
        "preview",
        "pv",
        ANY,
        "<ship> <type> <size> <box or x,y>",
        "preview S1 ir 1box D4",
        "what all others would learn from such a scan",
        preview_of,
        tries=_previews,
    ),
    Verb(
        "listen",
        "l",
        DETECT,
        "<ship> [on|off]",
        "listen S1 off",
        "listen for cloaked ships; every ship does unless ordered not to",
        giving(listen_order),
        order=Written(
            Listen,
            lambda order: f"{order.ship} {'on' if order.on else 'off'}",
            _listen_odds,
            _listen_odds,
        ),
    ),
    Verb(
        "sweep",
        "sw",
        DETECT,
        "<ship>",
        "sweep S1",
        "find cloaked ships for certain, and show all sides where you are",
        giving(sweep_order),
        order=Written(Sweep, lambda order: order.ship, _sweep_odds, _sweep_odds),
    ),
    Verb(
        "probe",
        "pr",
        DETECT,
        "<ship or unit> <contact or token>",
        "probe S1 C3",
        "request the concealed data of an identified piece",
        giving(_probe_order),
        order=Written(Probe, lambda order: f"{order.ship} {order.at}", given=probe_lines),
        more=_MORE_ON_PROBE,
    ),
)
