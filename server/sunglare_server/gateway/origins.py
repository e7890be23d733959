"""Origins: from which pages a browser may connect."""

from typing import final

from websockets.http11 import Request

from sunglare_server.config import Settings


@final
class Origins:
    """The pages that may connect: those of the server's own host, and those of `--origins`."""

    def __init__(self, settings: Settings) -> None:
        """Take the origins of the settings."""
        self._listed = tuple(_normal(origin) for origin in settings.origins)

    def admits(self, request: Request) -> bool:
        """Return whether a browser's page may connect; other programs name no origin."""
        said = request.headers.get_all("Origin")
        if not said:
            return True
        if len(said) > 1:
            return False
        origin = _normal(said[0])
        hosts = request.headers.get_all("Host")
        scheme = origin.partition("://")[0]
        is_ours = len(hosts) == 1 and origin == _normal(f"{scheme}://{hosts[0]}")
        return origin in self._listed or (is_ours and scheme in ("http", "https"))


def _normal(text: str) -> str:
    """Return an origin in small letters, without the port that its scheme has by default."""
    small = text.strip().lower().rstrip("/")
    for ending in (("http://", ":80"), ("https://", ":443")):
        if small.startswith(ending[0]):
            return small.removesuffix(ending[1])
    return small
