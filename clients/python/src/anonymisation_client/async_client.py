"""The client for programs with an event loop."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

import httpx
from typing_extensions import Unpack

from . import files, jobs
from .http import CHUNK, Body, headers_of, unreachable
from .jobs import OnProgress, Options, Upload
from .models import Job
from .operations import AsyncOperations
from .session import Session
from .steps import Answer, Flow, Piece, Renew, Send, Sleep, Step

if TYPE_CHECKING:
    import pandas

T = TypeVar("T")


class AsyncClient(AsyncOperations):
    """The same as :class:`~.client.Client`, for programs with an event loop: every call is awaited.

    A task that is cancelled leaves its job at the service, which removes it after the days that it keeps files.
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
        self._http = httpx.AsyncClient(timeout=timeout)
        self._renewing = asyncio.Lock()
        super().__init__(self._call)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections. The session at the service ends by itself, or by ``client.auth.logout()``."""
        await self._http.aclose()

    @overload
    async def anonymise(self, source: str | os.PathLike[str], **options: Unpack[Options]) -> Path: ...
    @overload
    async def anonymise(self, source: bytes, **options: Unpack[Options]) -> bytes: ...
    @overload
    async def anonymise(self, source: pandas.DataFrame, **options: Unpack[Options]) -> pandas.DataFrame: ...

    async def anonymise(self, source: Any, **options: Unpack[Options]) -> Any:
        """Anonymises a file by its path, the bytes of one, or a DataFrame of pandas, and gives the same kind of thing.

        Text is a path too; texts themselves go to ``client.texts.anonymise``. See :class:`~.jobs.Options`.
        """
        return await self._run(files.anonymise(self._session, source, options))

    async def upload(self, paths: Sequence[str | os.PathLike[str]], *, name: str) -> Job:
        """A job that holds files, 20 at most, and is not started."""
        return await self._run(
            jobs.create(self._session, [Upload(Path(path).name, Path(path)) for path in paths], name)
        )

    async def wait(self, job_id: str, *, on_progress: OnProgress | None = None, timeout: float | None = None) -> Job:
        """Waits until a job has succeeded. Raises :class:`JobFailed` or :class:`TimedOut`."""
        return await self._run(jobs.wait(self._session, job_id, on_progress, timeout))

    async def download(self, asset_id: str, to: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Writes an asset, such as an output of a job, to a file."""
        return await self._run(files.save(self._session, asset_id, Path(to), overwrite))

    async def _call(self, method: str, path: str, **given: Any) -> Any:
        return await self._run(self._session.call(method, path, **given))

    async def _run(self, flow: Flow[T]) -> T:
        try:
            step = next(flow)
            while True:
                try:
                    answer = await self._take(step)
                except Exception as failure:
                    step = flow.throw(failure)
                else:
                    step = flow.send(answer)
        except StopIteration as done:
            return cast(T, done.value)

    async def _take(self, step: Step) -> Answer:
        if isinstance(step, Send):
            return await self._send(step)
        if isinstance(step, Sleep):
            await asyncio.sleep(step.seconds)
        if isinstance(step, Renew):
            async with self._renewing:
                await self._run(self._session.renewal(step.refused))
        return Answer()

    async def _send(self, send: Send) -> Answer:
        content = _read(send.content) if isinstance(send.content, Piece) else send.content
        body = Body(send)
        try:
            async with self._http.stream(send.method, send.url, headers=headers_of(send), content=content) as response:
                if send.into is not None and response.is_success:
                    with send.into.open("wb") as file:
                        async for chunk in response.aiter_bytes():
                            await asyncio.to_thread(file.write, chunk)
                else:
                    async for chunk in response.aiter_bytes():
                        body.take(chunk)
                return Answer(response.status_code, response.headers, body.content())
        except (httpx.RequestError, httpx.InvalidURL) as failure:
            raise unreachable(failure) from None


async def _read(piece: Piece) -> AsyncIterator[bytes]:
    with piece.path.open("rb") as file:
        file.seek(piece.start)
        left = piece.length
        while left > 0 and (chunk := await asyncio.to_thread(file.read, min(CHUNK, left))):
            left -= len(chunk)
            yield chunk
