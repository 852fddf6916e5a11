"""Stands between engine and server, and loses a part of what passes."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

HOP_HEADERS = {"connection", "transfer-encoding", "content-length", "date", "server"}


@dataclass
class Losses:
    """Every `each`-th request is refused by turns: busy, too many, no answer at all. `cut` loses them all."""

    each: int
    seen: int = 0
    lost: int = 0
    cut: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next(self) -> int:
        """The status to refuse with, 0 for a dropped connection, -1 to let it pass."""
        with self.lock:
            self.seen += 1
            if self.cut:
                return 0
            if self.seen % self.each:
                return -1
            self.lost += 1
            return (503, 429, 0)[self.lost % 3]


@contextmanager
def unreliable(url: str, losses: Losses) -> Iterator[str]:
    """The proxy's address, while the block runs."""
    target = urlsplit(url)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status = losses.next()
            if status == 0:
                self.close_connection = True
            elif status > 0:
                self._answer(status, {}, b"{}")
            else:
                connection = http.client.HTTPConnection(target.hostname or "", target.port)
                connection.request(self.command, self.path, body, dict(self.headers))
                reply = connection.getresponse()
                self._answer(reply.status, dict(reply.getheaders()), reply.read())
                connection.close()

        do_POST = do_GET

        def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
            self.send_response(status)
            for name, value in headers.items():
                if name.lower() not in HOP_HEADERS:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None: ...

    proxy = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    proxy.daemon_threads = True
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{proxy.server_port}"
    finally:
        proxy.shutdown()
