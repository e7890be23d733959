"""A collector of OpenTelemetry that takes traces by OTLP over HTTP, and keeps what it was sent."""

import contextlib
import gzip
import http.server
import threading
from collections.abc import Iterator
from typing import final

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span


@final
class Collector:
    """One that runs, at `url`; `bodies` are what it was sent, as bytes."""

    def __init__(self, port: int) -> None:
        """Begin with nothing."""
        self.url = f"http://127.0.0.1:{port}"
        self.paths: list[str] = []
        self.bodies: list[bytes] = []

    @property
    def spans(self) -> list[Span]:
        """Return every span, in the order of their coming."""
        requests = [ExportTraceServiceRequest.FromString(body) for body in self.bodies]
        return [
            span
            for request in requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    @property
    def resources(self) -> list[dict[str, str]]:
        """Return what each request says of its sender."""
        requests = [ExportTraceServiceRequest.FromString(body) for body in self.bodies]
        return [
            {one.key: one.value.string_value for one in resource.resource.attributes}
            for request in requests
            for resource in request.resource_spans
        ]


@contextlib.contextmanager
def collector() -> Iterator[Collector]:
    """Run one until the end."""
    running: Collector

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            is_packed = self.headers.get("Content-Encoding") == "gzip"
            running.paths.append(self.path)
            running.bodies.append(gzip.decompress(data) if is_packed else data)
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running = Collector(server.server_port)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield running
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
