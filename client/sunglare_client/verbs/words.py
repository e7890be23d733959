"""The words of a command, taken one by one, with an error that teaches where one does not fit."""

from collections.abc import Iterable
from typing import NoReturn, TypeVar

from sunglare_client.command import Problem, choices_text
from sunglare_client.text.printable import one_word
from sunglare_protocol.word import spoken

Choice = TypeVar("Choice")

MISSING = "E-MISSING"
"""The code of a line that needs another word."""


class Misread(Exception):
    """A word that does not fit, with the problem to show."""

    def __init__(self, problem: Problem) -> None:
        """Keep the problem."""
        super().__init__(problem.text)
        self.problem = problem


class Words:
    """The words of one command after its verb, which is called `verb`."""

    def __init__(self, verb: str, words: list[str]) -> None:
        """Keep the words; nothing is read yet."""
        self.verb = verb
        self._words = words

    @property
    def more(self) -> bool:
        """Return whether words are left."""
        return bool(self._words)

    @property
    def names_mount(self) -> bool:
        """Return whether the words left name a weapon after the ship."""
        return len(self._words) > 1 or "." in self.peek()

    def peek(self) -> str:
        """Return the next word without taking it, empty if there is none."""
        return self._words[0] if self._words else ""

    def rest(self) -> str:
        """Take all that is left as one text."""
        text, self._words = " ".join(self._words), []
        return text

    def word(self, what: str, choices: tuple[str, ...] = ()) -> str:
        """Take the next word; `what` and `choices` say what is missing if there is none."""
        if not self._words:
            self.fail(MISSING, f"needs <{what}> next", choices)
        return self._words.pop(0)

    def done(self) -> None:
        """Refuse words that are left over."""
        if self._words:
            self.fail("E-ARG", f"'{' '.join(self._words)}' is too much")

    def fail(self, code: str, wrong: str, choices: tuple[str, ...] = ()) -> NoReturn:
        """Refuse the command."""
        wrong = f"{self.verb}: {wrong}."
        raise Misread(Problem(code, wrong, choices_text(choices), choices=choices))

    def named(self, names: Iterable[str]) -> str | None:
        """Take one of these names if the next words are one, or return None.

        Whatever the case; a name of several words may be typed as it is shown, as one word, or
        with underscores, as the wire has it.
        """
        found, count = self._name_ahead(tuple(names))
        del self._words[:count]
        return found

    def part_mount(self) -> None:
        """Make two words of a next word such as `S1.B1`."""
        if "." in self.peek():
            self._words[:1] = self._words[0].split(".", 1)

    def begins(self, names: Iterable[str]) -> bool:
        """Return whether the next words are one of these names, without taking them."""
        return self._name_ahead(tuple(names))[0] is not None

    def _name_ahead(self, names: tuple[str, ...]) -> tuple[str | None, int]:
        """Return the longest name that comes next, and how many words it takes."""
        for count in range(len(self._words), 0, -1):
            words = spoken(" ".join(self._words[:count])).lower()
            for name in names:
                if words in (shown := spoken(name).lower(), one_word(shown)):
                    return name, count
        return None, 0

    def pick(self, what: str, choices: dict[str, Choice]) -> Choice:
        """Take a name that is one of the choices or the beginning of exactly one."""
        names = tuple(choices)
        named = self.named(names)
        if named is not None:
            return choices[named]
        word = self.word(what, names)
        begun = one_word(spoken(word)).lower()
        meant = [name for name in names if one_word(spoken(name)).lower().startswith(begun)]
        if len(meant) != 1:
            article = "an" if what[0] in "aeiou" else "a"
            self.fail("E-ARG", f"'{word}' is not {article} {what}", names)
        return choices[meant[0]]

    def one_of(self, what: str, meaning: str, choices: dict[str, Choice]) -> Choice:
        """Take a name that is one of the choices, in full; `meaning` is what it has to be."""
        names = tuple(choices)
        named = self.named(names)
        if named is None:
            word = self.word(what, names)
            self.fail("E-ARG", f"'{word}' is not {meaning}", names)
        return choices[named]
