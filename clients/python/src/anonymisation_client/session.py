"""Requests of one user: tokens, repetitions and pauses."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode, urlsplit
from uuid import uuid4

from .answers import failure_of, retry_after, text_in, value_of
from .errors import AnonymisationError, ApiError, Unreachable
from .steps import Answer, Flow, Renew, Send, Sleep

_LONGEST_BACKOFF = 30.0
# A second one of these does something else than the first.
_SENT_ONCE = (
    "/auth/password",
    "/auth/second-factor",
    "/users/{user_id}/password/reset",
    "/service-accounts/{account_id}/keys",
)


@dataclass
class Session:
    """Who calls which service, and how patiently.

    A request is sent at most ``attempts`` times, and waits at most ``longest_wait`` seconds where the service asks for
    a pause.
    """

    base_url: str
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)
    attempts: int = 6
    longest_wait: float = 90.0
    code: str | None = field(default=None, repr=False)
    _refresh_token: str | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.username:
            raise ValueError("base_url must be the address of the service, such as https://anonymise.example.org")
        if self.token is None and (self.username is None or self.password is None):
            raise ValueError("Give username and password, or token")
        if self.attempts < 1:
            raise ValueError("attempts must be 1 or more")
        self.base_url = self.base_url.rstrip("/")

    def call(
        self,
        method: str,
        path: str,
        *,
        parameters: Mapping[str, str] | None = None,
        query: Mapping[str, object] | None = None,
        body: object = None,
        idempotency_key: str | None = None,
        authorised: bool = True,
    ) -> Flow[Any]:
        """Calls an operation of the interface and gives what a success answers."""
        filled = path
        for name, value in (parameters or {}).items():
            filled = filled.replace(f"{{{name}}}", quote(value, safe=""))
        given = {name: _in_query(value) for name, value in (query or {}).items() if value is not None}
        headers = {} if body is None else {"Content-Type": "application/json"}
        if method in ("POST", "PUT") and authorised:
            headers["Idempotency-Key"] = idempotency_key or str(uuid4())
        content = None if body is None else json.dumps(body).encode()
        send = Send(method, self._url(filled) + (f"?{urlencode(given)}" if given else ""), headers, content)
        repeatable = method != "DELETE" and path not in _SENT_ONCE
        return value_of((yield from self.request(send, repeatable=repeatable, authorised=authorised)))

    def form(self, path: str, content: bytes, content_type: str) -> Flow[Any]:
        """Sends a form that is encoded already, and gives what a success answers."""
        headers = {"Content-Type": content_type, "Idempotency-Key": str(uuid4())}
        return value_of((yield from self.request(Send("POST", self._url(path), headers, content))))

    def request(self, send: Send, *, repeatable: bool = True, authorised: bool = True) -> Flow[Answer]:
        """Sends a request as often as it takes, with a token, and gives the last answer."""
        if authorised and self.token is None:
            yield Renew(None)
        renewed = False
        attempt = 1
        while True:
            token = self.token
            headers = {**send.headers, **({"Authorization": f"Bearer {token}"} if token else {})}
            try:
                answer = yield Send(send.method, send.url, headers, send.content)
            except Unreachable as failure:
                if attempt >= self.attempts or (failure.sent and not repeatable):
                    raise
                pause = backoff(attempt)
            else:
                if answer.status == 401 and authorised and self.password is not None and not renewed:
                    renewed = True
                    yield Renew(token)
                    continue
                wait = self._pause(answer, attempt, repeatable)
                if wait is None or attempt >= self.attempts:
                    return answer
                pause = wait
            yield Sleep(pause)
            attempt += 1

    def transfer(self, send: Send) -> Flow[Answer]:
        """Sends a request to the store of files: without a token, since its address is the permission."""
        for attempt in range(1, self.attempts + 1):
            try:
                answer = yield send
            except Unreachable:
                if attempt == self.attempts:
                    raise
            else:
                # The store takes each file once: it has it from an attempt whose answer was lost.
                stored_before = answer.status == 412 and send.method == "PUT" and attempt > 1
                if 200 <= answer.status < 300 or stored_before:
                    return answer
                if answer.status < 500 or attempt == self.attempts:
                    raise ApiError(answer.status, [])
            yield Sleep(backoff(attempt))
        raise AssertionError("unreachable")

    def renewal(self, refused: str | None) -> Flow[None]:
        """Gets another token, unless somebody has done so since: by the refresh token, or else by logging in."""
        if self.token != refused:
            return
        if self._refresh_token is not None:
            refresh, self._refresh_token = self._refresh_token, None
            # A refresh token works once, so a second attempt could only end the session.
            try:
                answer = yield self._public("/auth/refresh", {"refresh_token": refresh})
                if answer.status == 200:
                    return self._take(value_of(answer))
            except AnonymisationError:
                pass
        credentials = {"email": self.username, "password": self.password}
        if self.code is not None:
            # A code works once.
            credentials["code"], self.code = self.code, None
        answer = yield from self.request(self._public("/auth/login", credentials), authorised=False)
        if answer.status != 200:
            raise failure_of(answer)
        self._take(value_of(answer))

    def _take(self, tokens: Any) -> None:
        self.token = text_in(tokens, "access_token")
        refresh = tokens.get("refresh_token")
        self._refresh_token = refresh if isinstance(refresh, str) else None

    def _public(self, path: str, body: object) -> Send:
        return Send("POST", self._url(path), {"Content-Type": "application/json"}, json.dumps(body).encode())

    def _url(self, path: str) -> str:
        return f"{self.base_url}/api{path}"

    def _pause(self, answer: Answer, attempt: int, repeatable: bool) -> float | None:
        """Seconds after which the request is worth another attempt, if it is."""
        again = answer.status == 429 or (repeatable and answer.status in (502, 503, 504))
        # The attempt before, whose answer was lost, is still being carried out.
        again = again or (attempt > 1 and failure_of(answer).has("idempotency_in_progress"))
        if not again:
            return None
        asked = retry_after(answer)
        if asked is None:
            return backoff(attempt)
        return asked if asked <= self.longest_wait else None


def backoff(attempt: int) -> float:
    """Seconds before the next attempt: twice as many each time, and not the same for all callers."""
    longest: float = min(_LONGEST_BACKOFF, 0.5 * 2 ** (attempt - 1))
    return longest * random.uniform(0.75, 1.0)


def _in_query(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
