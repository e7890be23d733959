"""The help: the list of commands, and what there is to say of each."""

from sunglare_client.verbs.table import VERBS, close_to, verb_called


def help_lines(topic: str = "") -> list[str]:
    """Return the list of commands, or the help on one of them."""
    if not topic:
        rows = [
            f"  {verb.name:<9}{verb.alias:<5}{verb.example:<38}{verb.meaning}" for verb in VERBS
        ]
        return ["command  short example" + " " * 31 + "meaning", *rows, _HABITS]
    found = verb_called(topic.lower())
    if isinstance(found, tuple):
        meant = tuple(verb.name for verb in found) or close_to(topic)
        more = f" Did you mean {' or '.join(meant)}?" if meant else " Try: help"
        return [f"There is no command {topic!r}.{more}"]
    windows = " and ".join(window.value.upper() for window in found.windows) or "every"
    return [
        f"{found.name} {found.usage}".rstrip()
        + (f"   short: {found.alias}" if found.alias else ""),
        f"  {found.meaning}; {windows} window.",
        f"  e.g. {found.example}",
        *(f"  {line}" for line in found.more),
    ]


_HABITS = (
    "Any unambiguous beginning of a command will do. a; b gives two commands, !! repeats the "
    "last line, # starts a comment. An empty line asks whether you are ready, y right after a "
    "question agrees to it. `help scan` says more about scan."
)
