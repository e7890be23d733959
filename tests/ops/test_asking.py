"""Many workers asked at once: what becomes of answers that differ, are missing, or too long."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from builders.fakeclock import FakeClock
from builders.standings import STANDING
from sunglare_protocol.ids import MatchId
from sunglare_server.ops.cluster.cluster_client import ClusterCaller
from sunglare_server.ops.cluster.cluster_members import SILENT_MS, RollCall
from sunglare_server.ops.cluster.merging import all_matches, all_rows
from sunglare_server.ops.cluster.remote_control import ANSWER_BYTES, LISTEN_MS, CarriedControl
from sunglare_server.ops.control import requests
from sunglare_server.ops.control.answers import (
    Answer,
    Cluster,
    GatewayLine,
    MatchRow,
    WorkerLine,
    read_answer,
)
from sunglare_server.ops.control.control_client import NoServerError
from sunglare_server.ops.control.formatting import cluster_lines
from sunglare_server.ops.control.requests import ForeignError, Request, RequestError
from sunglare_server.transport.messages import GatewayHeartbeat, WorkerHeartbeat, sealed_up
from sunglare_server.transport.socket_server import SocketServer
from sunglare_server.transport.subjects import Trust, gateway_here, worker_here

MATCH = MatchId("a" * 26)

ROW = MatchRow(match=MATCH, scenario="s", state="running", clock="blitz", private=False, seats=())


class Worker:
    """Answers requests as it is told, and notes what it was asked."""

    def __init__(self, answer: Answer | RequestError) -> None:
        self.answer = answer
        self.asked: list[Request] = []

    async def perform(self, request: Request) -> Answer:
        """Answer, or refuse."""
        self.asked.append(request)
        if isinstance(self.answer, RequestError):
            raise self.answer
        return self.answer


class Place:
    """A carrier in this process with some workers, which give signs of life."""

    def __init__(self, folder: Path) -> None:
        self.hub = SocketServer(folder / "road")
        self.caller = ClusterCaller(self.hub)
        self._clock = FakeClock()

    async def worker(self, name: str, answer: Answer | RequestError) -> Worker:
        """Have a worker that answers so."""
        made = Worker(answer)
        await CarriedControl(self.hub, name, made.perform, self._clock).listen()
        return made

    def hear(self, *told: GatewayHeartbeat | WorkerHeartbeat) -> None:
        """Have all workers hear signs of life, for as long as they listen before they tell."""
        for one in told:
            where = worker_here if isinstance(one, WorkerHeartbeat) else gateway_here
            self.hub.publish(where(one.name), sealed_up(one))
        self._clock.advance(LISTEN_MS)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Give a test a place without workers."""
    return Place(tmp_path)


async def test_a_worker_that_does_not_answer_is_missed_and_not_left_out(place: Place) -> None:
    await place.worker("w1", Answer(matches=(ROW,)))
    place.hear(WorkerHeartbeat("w1"), WorkerHeartbeat("w2"))
    told = await place.caller.asked(requests.MatchesAsked())
    assert (told.matches, told.missing) == ((ROW,), ("w2",))
    cluster = (await place.caller.asked(requests.StatusAsked())).cluster
    assert cluster is not None
    assert [(line.name, line.error) for line in cluster.workers] == [
        ("w1", None),
        ("w2", "does not answer"),
    ]
    told = await place.caller.asked(requests.Say(text="x"))
    assert told.missing == ("w2",)


async def test_an_order_about_a_match_is_done_by_its_owner_alone(place: Place) -> None:
    others = [await place.worker(name, ForeignError(MATCH)) for name in ("w1", "w3")]
    owner = await place.worker("w2", Answer(done="adjourned"))
    place.hear(WorkerHeartbeat("w1"), WorkerHeartbeat("w2"), WorkerHeartbeat("w3"))
    order = requests.Adjourn(match=MATCH)
    assert (await place.caller.asked(order)).done == "adjourned"
    assert owner.asked == [order]
    assert others[1].asked == []


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ((ForeignError(MATCH), RequestError("it is over")), "it is over"),
        ((RequestError("0 matches"), RequestError("0 matches")), "0 matches"),
        ((ForeignError(MATCH), ForeignError(MATCH)), "no worker owns it at the moment; try again"),
        ((ForeignError(MATCH),), "w2 does not answer, and may own it: try again"),
    ],
    ids=["its owner refuses", "nobody knows it", "it is being taken over", "its owner hangs"],
)
async def test_an_order_that_nobody_takes_is_refused_with_the_reason_that_counts(
    place: Place, answers: tuple[RequestError, ...], why: str
) -> None:
    for number, answer in enumerate(answers, 1):
        await place.worker(f"w{number}", answer)
    place.hear(WorkerHeartbeat("w1"), WorkerHeartbeat("w2"))
    with pytest.raises(RequestError) as refused:
        await place.caller.asked(requests.Pause(match=MATCH))
    assert refused.value.why == why


async def test_what_all_do_is_told_by_worker_and_refused_only_if_all_refuse(place: Place) -> None:
    one = await place.worker("w1", Answer(done="told 1 match"))
    await place.worker("w2", RequestError("not now"))
    place.hear(WorkerHeartbeat("w1"), WorkerHeartbeat("w2"))
    told = await place.caller.asked(requests.Say(text="x"))
    assert (told.done, told.missing) == ("w1: told 1 match\nw2: not now", ("w2",))
    one.answer = RequestError("nor I")
    with pytest.raises(RequestError, match="w1: nor I\nw2: not now"):
        await place.caller.asked(requests.Kick(name="anna"))


async def test_a_drain_takes_the_worker_that_is_named(place: Place) -> None:
    one = await place.worker("w1", Answer(done="ends"))
    other = await place.worker("w2", Answer(done="ends"))
    place.hear(WorkerHeartbeat("w1"), WorkerHeartbeat("w2"), GatewayHeartbeat("g1", Trust.PLAYERS))
    for worker, why in ((None, "w1, w2"), ("w3", "'w3'; there are: w1, w2"), ("g1", "a gateway")):
        with pytest.raises(RequestError, match=why):
            await place.caller.asked(requests.Drain(), worker)
    assert (await place.caller.asked(requests.Drain(now=True), "w2")).done == "ends"
    assert (one.asked, other.asked) == ([], [requests.Drain(now=True)])


async def test_where_nobody_is_there_is_nobody_to_ask(place: Place) -> None:
    with pytest.raises(NoServerError, match="no worker answers"):
        await place.caller.asked(requests.StatusAsked())


async def test_an_answer_that_is_too_long_to_be_carried_is_refused_in_words(place: Place) -> None:
    await place.worker("w1", Answer(done="x" * ANSWER_BYTES))
    with pytest.raises(RequestError, match="longer than 4 MiB"):
        await place.caller.asked(requests.ReportsAsked())


async def test_nonsense_on_a_workers_subject_is_answered_with_what_is_wrong(place: Place) -> None:
    await place.worker("w1", Answer(done="x"))
    told = await place.hub.request("ctl.w1.operator", b"nonsense", 5)
    assert (read_answer(told).error or "").startswith("no request of the control socket")


async def test_a_worker_tells_who_is_there_once_it_has_listened_long_enough(
    tmp_path: Path,
) -> None:
    clock, hub = FakeClock(1_000), SocketServer(tmp_path / "road")
    await CarriedControl(hub, "w1", Worker(Answer()).perform, clock).listen()
    asked = asyncio.ensure_future(hub.request("ctl.any.roll.operator", b"", 60))
    await clock.run_for(LISTEN_MS - 1)
    hub.publish(gateway_here("g1"), sealed_up(GatewayHeartbeat("g1", Trust.SPECTATORS, lines=3)))
    assert not asked.done()
    await clock.run_for(1)
    cluster = read_answer(await asked).cluster
    assert cluster is not None
    (gateway,) = cluster.gateways
    assert (gateway.trust, gateway.connections) == ("spectators", 3)


def test_whoever_leaves_or_is_silent_is_not_there() -> None:
    clock = FakeClock(0)
    rollcall = RollCall(clock)
    for name in ("w1", "w2", "w3"):
        rollcall.take_worker(worker_here(name), sealed_up(WorkerHeartbeat(name)))
    rollcall.take_worker(worker_here("w1"), sealed_up(WorkerHeartbeat("w1", leaves=True)))
    rollcall.take_worker(worker_here("w9"), b"nonsense")
    clock.advance(SILENT_MS)
    rollcall.take_worker(worker_here("w2"), sealed_up(WorkerHeartbeat("w2")))
    assert [line.name for line in rollcall.roll().workers] == ["w2", "w3"]
    clock.advance(1)
    assert [line.name for line in rollcall.roll().workers] == ["w2"]


def test_of_a_match_that_two_list_the_row_of_who_has_it_counts() -> None:
    idle, loaded = replace(ROW, state="idle"), replace(ROW, age_s=3, listeners=2)
    over = replace(ROW, state="over")
    assert all_rows([(idle,), (loaded,)]) == (loaded,)
    assert all_rows([(loaded,), (idle,)]) == (loaded,)
    assert all_rows([(loaded,), (over,)]) == (over,)


def test_matches_are_added_up_but_those_that_are_over_are_the_same_with_all() -> None:
    one = replace(STANDING, matches={"running": 2, "over": 7})
    other = replace(STANDING, matches={"running": 3, "over": 7, "fault": 1})
    assert all_matches([one, other]) == {"running": 5, "over": 7, "fault": 1}


def test_a_cluster_is_shown_by_a_line_for_each_of_it_and_one_for_all() -> None:
    workers = (
        WorkerLine(name="w1", standing=STANDING),
        WorkerLine(name="w2", standing=replace(STANDING, set_aside=("bans",))),
        WorkerLine(name="w3", error="does not answer"),
    )
    gateway = GatewayLine(name="g1", trust="players", connections=4, heard_ms=1_234)
    assert cluster_lines(Cluster(workers=workers, gateways=(gateway,))) == [
        "worker    state    up         memory  people  matches    records  refused  slips",
        "w1        serving  1 h 1 min  5 MiB   3       2 running  9        1        0",
        "w2        serving  1 h 1 min  5 MiB   3       2 running  9        1        0",
        "w3        DOES NOT ANSWER",
        "2 in all                      10 MiB  6       4 running  18       2        0",
        "w2 has SET ASIDE as damaged: bans",
        "",
        "gateway  for      people  heard of",
        "g1       players  4       1.2 s ago",
    ]
