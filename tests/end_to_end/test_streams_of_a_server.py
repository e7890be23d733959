"""A server whose standard streams are closed or full, as under some supervisors."""

from pathlib import Path

from end_to_end.test_edges_of_a_process import SERVER, begun, said_by

SERVES = ("--port", "0", "--journal", "journal.db", "--until-input-ends")

ROWS_OF_THE_SERVER = (
    ("open input", 0, SERVES),
    ("closed input", 0, SERVES),
    ("closed output", 0, SERVES),
    ("closed errors", 0, SERVES),
    ("closed output", 0, ("config",)),
    ("full output", 1, ("config",)),
    ("full output", 1, ("--version",)),
)


def test_a_server_bears_a_standard_stream_that_is_closed_or_full(tmp_path: Path) -> None:
    for streams, code, words in ROWS_OF_THE_SERVER:
        with begun(tmp_path, streams, words, module=SERVER) as process:
            err = said_by(process)
            assert process.returncode == code, (streams, words, err)
            if code:
                assert err == b"sunglare-server: standard output: No space left on device\n"
