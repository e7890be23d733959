"""Standard streams of a process that was started without some of them."""

import os
import sys


def fill_closed_streams() -> None:
    """Open the null device in place of standard streams that are closed.

    Their numbers would go to the next files and sockets that are opened, into which whatever is
    printed would be written; uvloop ends the process when it closes one.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            os.set_inheritable(number, True)
            stream = os.fdopen(number, "w" if number else "r", encoding="utf-8", closefd=False)
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)
