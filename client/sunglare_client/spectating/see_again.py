"""Where a match of a server is seen again once it is over: in the terminal, and on its page."""

from urllib.parse import urlencode, urlsplit, urlunsplit

from sunglare_client.link.server_address import PATH, address
from sunglare_protocol.ids import MatchId

_SCHEMES = {"ws": "http", "wss": "https"}


def see_again_lines(url: str, match: MatchId, code: str | None = None) -> list[str]:
    """Return the command that shows a finished match, and the address of its page, if it has one.

    `code` is that of a private match.
    """
    shown = f"sunglare replay {match} --url {url}" + ("" if code is None else f" --code {code}")
    page = page_address(url, match, code)
    return [
        f"to see it again: {shown}",
        *([] if page is None else [f"   in a browser: {page}"]),
    ]


def page_address(url: str, match: MatchId, code: str | None = None) -> str | None:
    """Return the address of a match on the watch page of a server; None for a Unix socket."""
    parts = urlsplit(address(url))
    scheme = _SCHEMES.get(parts.scheme)
    if scheme is None:
        return None
    fragment = urlencode({"m": match} | ({} if code is None else {"c": code}))
    path = parts.path.removesuffix(PATH) + "/"
    return urlunsplit((scheme, parts.netloc, path, "", fragment))
