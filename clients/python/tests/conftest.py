"""A service to talk to: the one that is running, and one that answers whatever a test wants."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from anonymisation_client import Client


@dataclass
class Asked:
    """A request that came."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Reply:
    """An answer to give; ``cut`` ends the connection in the midst of it."""

    status: int = 200
    body: object = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False


TOKENS = Reply(body={"access_token": "first", "token_type": "bearer", "refresh_token": "good for once"})


def refusal(status: int, problem_type: str, **headers: str) -> Reply:
    detail = [{"loc": ["header"], "msg": "as the service says it", "type": problem_type}]
    return Reply(status, {"detail": detail}, headers)


class Pretended:
    """A server that gives the answers of a test to each path in their order, the last one again and again."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.answers: dict[str, list[Reply] | Callable[[Asked], Reply]] = {"/api/auth/login": [TOKENS]}
        self._server = self._listen(0)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def paths(self) -> list[str]:
        return [f"{asked.method} {asked.path.removeprefix('/api')}" for asked in self.asked]

    def restart(self) -> Callable[[], None]:
        """Stops listening; what is given back starts again at the same address."""
        port = int(self._server.server_address[1])
        self.stop()

        def start() -> None:
            self._server = self._listen(port)

        return start

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _listen(self, port: int) -> ThreadingHTTPServer:
        server = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        return server

    def _answer(self, asked: Asked) -> Reply:
        self.asked.append(asked)
        left = self.answers.get(asked.path.split("?")[0])
        if callable(left):
            return left(asked)
        if not left:
            return refusal(404, "not_found")
        return left.pop(0) if len(left) > 1 else left[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        answer = self._answer

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                reply = answer(Asked(self.command, self.path, headers, body))
                raw = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
                self.send_response(reply.status)
                for name, value in {"Content-Length": str(len(raw)), **reply.headers}.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()
                self.wfile.write(raw[: len(raw) // 2] if reply.cut else raw)
                self.close_connection = True

            do_GET = do_POST = do_PUT = do_DELETE = answer

            def log_message(self, *_: object) -> None:
                pass

        return Handler


@pytest.fixture
def pretended() -> Iterator[Pretended]:
    server = Pretended()
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses that the client chooses itself are short; those that the service asks for are kept."""
    monkeypatch.setattr("anonymisation_client.session.backoff", lambda attempt: 0.05 * attempt)


@dataclass(frozen=True)
class Service:
    url: str
    email: str
    password: str
    key: str

    def client(self) -> Client:
        return Client(self.url, self.email, self.password)


@pytest.fixture(scope="session")
def service() -> Service:
    if "ANONYMISE_TEST_URL" not in os.environ:
        pytest.skip("ANONYMISE_TEST_URL names no running service")
    names = ("ANONYMISE_TEST_URL", "ANONYMISE_EMAIL", "ANONYMISE_PASSWORD", "ANONYMISE_TEST_KEY")
    return Service(*(os.environ[name] for name in names))


@pytest.fixture(scope="session")
def workflows(service: Service) -> dict[str, str]:
    """Workflows that replace e-mail addresses, by the kind of asset they are for."""
    with service.client() as client:
        rule = client.rules.create(
            {
                "name": "EMAIL",
                "type": "REGEX",
                "config": {"regexRuleConfig": {"pattern": "[a-z]+@example\\.org"}},
            }
        )
        return {
            kind: client.workflows.create(
                {
                    "name": f"Addresses in {kind}",
                    "supportedAssetType": kind,
                    "config": {"rules": [{"ruleId": rule["id"], "replacement": {"text": "[{{label}}]"}}]},
                }
            )["id"]
            for kind in ("TABLE", "DOCUMENT")
        }
