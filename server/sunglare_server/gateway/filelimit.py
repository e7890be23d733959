"""The limit of open files, which every connection counts against."""

import resource

import structlog

SPARE = 200
"""OWN: files that a server needs for more than its connections: journal, logs, pipes of its bots.
"""


def raise_file_limit(connections: int) -> None:
    """Allow this process as many open files as that many connections take, if it may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = connections + SPARE
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return
    most = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    if most < needed:
        structlog.get_logger().warning("file_limit_too_low", allowed=most, needed=needed)
