"""`sunglare-server whois`: whose a mark of the access log is, which the operators' log notes."""

import msgspec
import pytest
from structlog.testing import capture_logs

from builders.operators import asked, typed
from builders.venues import Venue
from builders.wires import met
from gateway.test_access_log import told
from sunglare_server.ops.control.requests import DeedsAsked

Capsys = pytest.CaptureFixture[str]


async def test_a_mark_of_the_log_leads_to_its_account_and_the_question_is_noted(
    venue: Venue, capsys: Capsys
) -> None:
    app = await venue.open()
    with capture_logs() as lines:
        async with met(app.url, "anna"):
            pass
        (line,) = await told(lines, 1)
    ((account, _),) = await app.storage.store.every_name()
    assert account not in str(line)
    # After a restart it is known as well.
    await venue.close()
    app = await venue.open()
    mark = line["mark"]
    done = await typed(capsys, app, "whois", mark)
    assert (done.code, done.out) == (0, f"{mark}: anna, account {account}\n")
    (entry,) = (await asked(app, DeedsAsked())).deeds or ()
    assert msgspec.json.decode(entry.asked) == {"do": "whois", "mark": mark}
    # Whose it is stands in no log for good.
    assert (entry.outcome, account in str(entry)) == ("done", False)


async def test_a_question_about_no_mark_is_refused_and_noted(venue: Venue, capsys: Capsys) -> None:
    app = await venue.open()
    done = await typed(capsys, app, "whois", "0123456789abcdef")
    assert (done.code, done.out) == (1, "")
    assert "in the last 30 days" in done.err
    (entry,) = (await asked(app, DeedsAsked())).deeds or ()
    assert entry.outcome.startswith("refused: no account of this server")
    done = await typed(capsys, app, "whois", "anna")
    assert done.code == 1
    assert "'anna' is no mark" in done.err
