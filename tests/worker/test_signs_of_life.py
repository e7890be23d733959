"""What a worker makes of signs of life: lines are those of gateways, and of nobody else."""

from pathlib import Path

from builders.data import shipped
from builders.fakeclock import FakeClock
from builders.openlimits import OPEN
from sunglare_server.app import App
from sunglare_server.base.entropy import SystemEntropy
from sunglare_server.config import Settings
from sunglare_server.ports.secret_store import ProcessSecrets
from sunglare_server.transport.messages import GatewayHeartbeat, WorkerHeartbeat, sealed_up
from sunglare_server.transport.socket_server import SocketServer
from sunglare_server.transport.subjects import Trust, gateway_here, worker_here
from sunglare_server.worker.gateway_sessions import SILENT_MS
from sunglare_server.worker.rpc_server import RpcServer
from sunglare_server.worker.signed_claims import SignedClaims


async def stay_after(folder: Path, *told: GatewayHeartbeat | WorkerHeartbeat) -> int:
    """Return in which stay a worker is once it has heard this, and then nothing for long."""
    clock = FakeClock(1_000)
    settings = Settings(port=0, journal=folder / "j.db", control="off", bots=(), **OPEN)
    app = App(settings, clock, library=shipped())
    await app.start()
    hub = SocketServer(folder / "road")
    seals = SignedClaims(ProcessSecrets(), app.storage.store, clock, SystemEntropy())
    reception = RpcServer(app.lobby, clock, hub, seals, "w1-1", "w1")
    await reception.open()
    try:
        for one in told:
            where = gateway_here if isinstance(one, GatewayHeartbeat) else worker_here
            hub.publish(where(one.name), sealed_up(one))
        await clock.run_for(2 * SILENT_MS)
        return reception.sessions.generation
    finally:
        reception.stop_answering()
        await reception.close()
        await app.stop()


async def test_a_gateway_that_falls_silent_has_to_bring_its_lines_again(tmp_path: Path) -> None:
    assert await stay_after(tmp_path, GatewayHeartbeat("g1", Trust.PLAYERS)) == 2


async def test_no_lines_are_given_up_when_another_worker_falls_silent(tmp_path: Path) -> None:
    assert await stay_after(tmp_path, WorkerHeartbeat("w2")) == 1
