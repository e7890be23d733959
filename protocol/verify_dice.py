"""Derives every die of a match that is over from its seed: it needs Python and nothing else.

python verify_dice.py FILE [HASH] [--pledge HASH]

FILE is what `sunglare record` saves after the end, HASH the commitment that a seat received when
it joined, the second one what it pledged itself: then its entropy must be in the dice. Without any
seat's entropy the server alone has chosen them, so nothing is proved. It exits with 0 if all is
well, with 1 and the first thing that is not, with 2 if FILE is no record with a trailer.
"""

import hashlib
import struct
import sys
from pathlib import Path
from typing import Any

LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
NUMBERS = {0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q"}
NUMBERS |= {0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}
SIMPLE = {0xC0: None, 0xC2: False, 0xC3: True}
SIZES = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4, 0xDC: 2, 0xDD: 4, 0xDE: 2, 0xDF: 4}


class Reader:
    """Reads MessagePack values one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, count: int) -> bytes:
        """Return the next bytes."""
        taken = self.data[self.at : self.at + count]
        if len(taken) < count:
            raise ValueError("the file ends too early")
        self.at += count
        return taken

    def value(self) -> Any:
        """Return the next value."""
        head = self.take(1)[0]
        if head < 0x80 or head >= 0xE0:
            return head if head < 0x80 else head - 0x100
        if head in SIMPLE:
            return SIMPLE[head]
        if head in NUMBERS:
            return struct.unpack(NUMBERS[head], self.take(struct.calcsize(NUMBERS[head])))[0]
        if head >= 0xA0:
            size = head & 0x1F if head < 0xC0 else int.from_bytes(self.take(SIZES[head]), "big")
            return self.sized(0xDB if head < 0xC0 else head, size)
        return self.sized(0xDD if head >= 0x90 else 0xDF, head & 0x0F)

    def sized(self, head: int, size: int) -> Any:
        """Return bytes, a text, a list or a map of that size."""
        if head <= 0xC6:
            return self.take(size)
        if head <= 0xDB:
            return self.take(size).decode()
        if head <= 0xDD:
            return [self.value() for _ in range(size)]
        return {self.value(): self.value() for _ in range(size)}


def counted(part: bytes) -> bytes:
    """Return a part preceded by its length in 8 bytes."""
    return len(part).to_bytes(8, "big") + part


def labelled(*parts: bytes) -> bytes:
    """Return the hash of a label and what follows it."""
    return hashlib.blake2b(b"".join(map(counted, parts)), digest_size=32).digest()


def draw(seed: bytes, texts: list[str], turn: int, index: int, attempt: int) -> bytes:
    """Return the digest of one key; the texts are purpose, viewer and piece."""
    message = b"".join(counted(text.encode()) for text in texts)
    message += b"".join(number.to_bytes(8, "big") for number in (turn, index, attempt))
    return hashlib.blake2b(message, key=seed, digest_size=16).digest()


def die(seed: bytes, texts: list[str], turn: int, index: int, sides: int) -> int:
    """Return a die: draws above the last whole multiple of its sides are thrown away."""
    fair, attempt = 2**128 - 2**128 % sides, 0
    while (number := int.from_bytes(draw(seed, texts, turn, index, attempt), "big")) >= fair:
        attempt += 1
    return number % sides + 1


def handle(seed: bytes, viewer: str, k: int) -> str:
    """Return the letters of a viewer's handle number k: four rounds over its two halves."""
    left, right = divmod(k, 2**15)
    for attempt in range(4):
        number = int.from_bytes(draw(seed, ["handle", viewer, ""], 0, right, attempt), "big")
        left, right = right, left ^ number % 2**15
    return "".join(LETTERS[(left * 2**15 + right) >> shift & 31] for shift in range(25, -1, -5))


def result(seed: bytes, roll: list[Any]) -> int | str:
    """Return what the seed gives for the key of a roll."""
    purpose, viewer, piece, turn, index, sides, _ = roll
    if purpose == "handle":
        return handle(seed, viewer, index)
    if purpose == "tie":
        return draw(seed, [purpose, viewer, piece], turn, 0, 0).hex()
    return die(seed, [purpose, "", piece], turn, index, sides)


def check(opening: Any, trailer: Any, told: str, pledge: str) -> str:
    """Return what differs first; an empty text if nothing does."""
    if wrong := check_seeds(opening, trailer, told, pledge):
        return wrong
    for roll in trailer["rolls"]:
        if (due := result(trailer["seed"], roll)) != roll[-1]:
            return f"the roll {roll[:-1]} is {roll[-1]} in the file, and the seed gives {due}"
    return ""


def check_seeds(opening: Any, trailer: Any, told: str, pledge: str) -> str:
    """Return what is wrong with the seeds; an empty text if nothing is."""
    server_seed = opening["server_seed"]
    commitment = labelled(b"sunglare commitment", server_seed).hex()
    for named in (trailer["commitment"], told or commitment):
        if named != commitment:
            return f"the commitment {named} is not that to the server's seed, {commitment}"
    entropies = [seat["entropy"] for seat in opening["seats"] if seat["entropy"]]
    for seat in opening["seats"]:
        if (
            seat["entropy"]
            and labelled(b"sunglare pledge", seat["entropy"]).hex() != seat["pledge"]
        ):
            return f"seat {seat['side']} did not pledge the entropy that went in"
    if pledge and pledge not in [seat["pledge"] for seat in opening["seats"] if seat["entropy"]]:
        return f"NOT PROVED: the entropy pledged by {pledge} is not in the dice"
    seed = labelled(b"sunglare seed", server_seed, *entropies)
    if seed != trailer["seed"]:
        return "the match seed does not follow from the server's seed and the entropies"
    return ""


def main(pledge: str, file: str, told: str = "") -> int:
    """Check a file and say what was found."""
    try:
        reader = Reader(Path(file).read_bytes())
        header = reader.value()
        records = [reader.value() for _ in range(header["records"])]
        opening, trailer = Reader(records[0]).value()["b"], reader.value()
        wrong = check(opening, trailer, told, pledge)
        alone = not any(seat["entropy"] for seat in opening["seats"])
    except (OSError, ValueError, LookupError, TypeError, ArithmeticError) as fault:
        sys.stderr.write(f"{file}: no record with a trailer: {fault}\n")
        return 2
    note = "; NOT PROVED: no seat's entropy is in it" if alone else ""
    good = f"{len(trailer['rolls'])} rolls, all as the seed gives{note}"
    sys.stdout.write(f"{wrong or good}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    words, pledged = sys.argv[1:], ""
    if words[-2:-1] == ["--pledge"]:
        words, pledged = words[:-2], words[-1]
    if len(words) not in (1, 2):
        sys.stderr.write(f"{__doc__}")
        sys.exit(2)
    sys.exit(main(pledged, *words))
