"""The client for programs without an event loop."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

import httpx
from typing_extensions import Unpack

from . import files, jobs
from .http import CHUNK, Body, headers_of, unreachable
from .jobs import OnProgress, Options, Upload
from .models import Job
from .operations import Operations
from .session import Session
from .steps import Answer, Flow, Piece, Renew, Send, Sleep, Step

if TYPE_CHECKING:
    import pandas

T = TypeVar("T")


class Client(Operations):
    """A user of the service at ``base_url``, by e-mail address and password, or by a token of one's own.

    Whoever has a second factor also gives a ``code``, which is good for the first log-in.

    Tokens are fetched when they are needed and renewed when they expire. A request that failed is sent again where that
    is safe, ``attempts`` times in all, and after the pause that the service asks for unless that is longer than
    ``longest_wait`` seconds. Several threads may use one client. Every call of the interface is there by resource and
    name, such as ``client.rules.create({...})``.
    """

    def __init__(
        self,
        base_url: str,
        username: str | None = None,
        password: str | None = None,
        *,
        code: str | None = None,
        token: str | None = None,
        attempts: int = 6,
        longest_wait: float = 90.0,
        timeout: float = 60.0,
    ) -> None:
        self._session = Session(base_url, username, password, token, attempts, longest_wait, code)
        self._http = httpx.Client(timeout=timeout)
        self._renewing = threading.Lock()
        super().__init__(self._call)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections. The session at the service ends by itself, or by ``client.auth.logout()``."""
        self._http.close()

    @overload
    def anonymise(self, source: str | os.PathLike[str], **options: Unpack[Options]) -> Path: ...
    @overload
    def anonymise(self, source: bytes, **options: Unpack[Options]) -> bytes: ...
    @overload
    def anonymise(self, source: pandas.DataFrame, **options: Unpack[Options]) -> pandas.DataFrame: ...

    def anonymise(self, source: Any, **options: Unpack[Options]) -> Any:
        """Anonymises a file by its path, the bytes of one, or a DataFrame of pandas, and gives the same kind of thing.

        Text is a path too; texts themselves go to ``client.texts.anonymise``. See :class:`~.jobs.Options`.
        """
        return self._run(files.anonymise(self._session, source, options))

    def upload(self, paths: Sequence[str | os.PathLike[str]], *, name: str) -> Job:
        """A job that holds files, 20 at most, and is not started."""
        uploads = [Upload(Path(path).name, Path(path)) for path in paths]
        return self._run(jobs.create(self._session, uploads, name))

    def wait(self, job_id: str, *, on_progress: OnProgress | None = None, timeout: float | None = None) -> Job:
        """Waits until a job has succeeded. Raises :class:`JobFailed` or :class:`TimedOut`."""
        return self._run(jobs.wait(self._session, job_id, on_progress, timeout))

    def download(self, asset_id: str, to: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Writes an asset, such as an output of a job, to a file."""
        return self._run(files.save(self._session, asset_id, Path(to), overwrite))

    def _call(self, method: str, path: str, **given: Any) -> Any:
        return self._run(self._session.call(method, path, **given))

    def _run(self, flow: Flow[T]) -> T:
        try:
            step = next(flow)
            while True:
                try:
                    answer = self._take(step)
                except (Exception, KeyboardInterrupt) as failure:
                    step = flow.throw(failure)
                else:
                    step = flow.send(answer)
        except StopIteration as done:
            return cast(T, done.value)

    def _take(self, step: Step) -> Answer:
        if isinstance(step, Send):
            return self._send(step)
        if isinstance(step, Sleep):
            time.sleep(step.seconds)
        if isinstance(step, Renew):
            with self._renewing:
                self._run(self._session.renewal(step.refused))
        return Answer()

    def _send(self, send: Send) -> Answer:
        content = _read(send.content) if isinstance(send.content, Piece) else send.content
        body = Body(send)
        try:
            with self._http.stream(send.method, send.url, headers=headers_of(send), content=content) as response:
                if send.into is not None and response.is_success:
                    with send.into.open("wb") as file:
                        file.writelines(response.iter_bytes())
                else:
                    for chunk in response.iter_bytes():
                        body.take(chunk)
                return Answer(response.status_code, response.headers, body.content())
        except (httpx.RequestError, httpx.InvalidURL) as failure:
            raise unreachable(failure) from None


def _read(piece: Piece) -> Iterator[bytes]:
    with piece.path.open("rb") as file:
        file.seek(piece.start)
        left = piece.length
        while left > 0 and (chunk := file.read(min(CHUNK, left))):
            left -= len(chunk)
            yield chunk
