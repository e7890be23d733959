"""Names of the players of a match, by the header of its file: by side, those of bots marked."""

from collections.abc import Mapping


def names_in(header: Mapping[str, object]) -> dict[str, str]:
    """Return the names that a header has, by side, as they are shown; sides without one are left.

    Of what makes no sense nothing is shown.
    """
    names, bots = header.get("names"), header.get("bots")
    if not isinstance(names, dict):
        return {}
    known = bots if isinstance(bots, list | tuple) else ()
    found = {side: name for side, name in names.items() if isinstance(name, str) and name}
    return {side: f"{name} (bot)" if side in known else name for side, name in found.items()}
