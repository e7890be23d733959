"""Making refusals whose path is counted from the order, and moving them to where it stands."""

import msgspec

from sunglare_protocol.refusals import Code, Rejected


def refused(
    code: Code, field: str = "", detail: str = "", choices: tuple[str, ...] = ()
) -> Rejected:
    """Return a refusal at `field` of the order itself: `.weapon`, or nothing for all of it."""
    return Rejected(code=code, at=f"${field}", detail=detail, choices=choices)


def under(problem: Rejected, path: str) -> Rejected:
    """Return the refusal with `path` put before its own path, as in `$.orders[2].weapon`."""
    return msgspec.structs.replace(problem, at=path + problem.at.removeprefix("$"))
