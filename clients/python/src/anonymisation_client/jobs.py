"""Files in, anonymised files out: upload, execution, waiting and download."""

from __future__ import annotations

import mimetypes
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias, cast

import httpx
from typing_extensions import TypedDict

from .answers import list_in, text_in
from .errors import AnonymisationError, JobFailed, TimedOut, UnexpectedAnswer
from .models import Job, JobsStatusReply
from .session import Session
from .steps import Flow, Piece, Send, Sleep

MAX_FILES = 20
# API Gateway carries about 4 MB with what surrounds the files; larger ones go to the store of files directly.
_MAX_FORM_BYTES = 3_500_000
_ENDED = ("SUCCEEDED", "FAILED", "CANCELLED")
_RUNNING = ("PENDING", "IN_PROGRESS")

OnProgress: TypeAlias = Callable[[JobsStatusReply], None]


@dataclass(frozen=True)
class Upload:
    """A file to send: its name, and its bytes or where they are."""

    name: str
    content: bytes | Path

    @property
    def size(self) -> int:
        return len(self.content) if isinstance(self.content, bytes) else self.content.stat().st_size

    @property
    def content_type(self) -> str:
        return mimetypes.guess_type(self.name)[0] or "application/octet-stream"

    def piece(self, start: int, length: int) -> bytes | Piece:
        if isinstance(self.content, bytes):
            return self.content[start : start + length]
        return Piece(self.content, start, length)


class Options(TypedDict, total=False):
    """How to anonymise, every part of which may be left out.

    ``workflow`` (an id) or ``preset`` says what to look for: the preset ``default`` unless given. ``name`` is that of
    bytes, whose kind is told by their contents. The output of a path is written to ``to``, by default beside it; what
    exists is replaced with ``overwrite`` only. ``on_progress`` is given the status of the job while it runs. After
    ``timeout`` seconds :class:`~.errors.TimedOut` is raised. The job and its files are removed from the service
    afterwards, unless ``keep``.
    """

    workflow: str | None
    preset: str | None
    name: str | None
    to: str | os.PathLike[str] | None
    overwrite: bool
    on_progress: OnProgress | None
    timeout: float | None
    keep: bool


@dataclass(frozen=True)
class Order:
    """What to do with files: by a workflow or a preset, and how to wait for it."""

    workflow: str | None = None
    preset: str | None = None
    on_progress: OnProgress | None = None
    timeout: float | None = None
    keep: bool = False

    def __post_init__(self) -> None:
        if self.workflow is not None and self.preset is not None:
            raise ValueError("Give a workflow or a preset, not both")

    @property
    def rules(self) -> dict[str, str]:
        """Which rules a job goes by: the preset ``default`` unless said otherwise."""
        return {"workflowId": self.workflow} if self.workflow else {"presetId": self.preset or "default"}


def anonymise_one(session: Session, upload: Upload, order: Order, into: Path | None) -> Flow[bytes]:
    """Anonymises one file, into a file or as bytes. The job is removed afterwards, whatever comes of it."""
    job = yield from create(session, [upload], upload.name)
    job_id = text_in(job, "id")
    try:
        yield from execute(session, job_id, order)
        finished = yield from wait(session, job_id, order.on_progress, order.timeout)
        output = text_in(list_in(finished["result"], "assets")[0], "outputAssetId")
        content = yield from download(session, output, into)
    except (Exception, KeyboardInterrupt):
        if not order.keep:
            with suppress(AnonymisationError):
                yield from remove(session, job_id)
        raise
    if not order.keep:
        with suppress(AnonymisationError):
            yield from remove(session, job_id)
    return content


def create(session: Session, uploads: Sequence[Upload], name: str) -> Flow[Job]:
    """A job that holds the files; large ones go to the store of files directly, in parts if need be."""
    if not 1 <= len(uploads) <= MAX_FILES:
        raise ValueError(f"A job takes 1 to {MAX_FILES} files at once")
    if sum(upload.size for upload in uploads) <= _MAX_FORM_BYTES:
        content, content_type = _form(uploads, name)
        return cast(Job, (yield from session.form("/jobs/upload", content, content_type)))
    files = [{"filename": up.name, "size": up.size, "contentType": up.content_type} for up in uploads]
    job = yield from session.call("POST", "/jobs/uploads", body={"name": name, "files": files})
    for upload, asset in zip(uploads, list_in(job, "Assets"), strict=True):
        yield from _store(session, upload, asset.get("upload"))
    path = "/jobs/{job_id}/uploads/complete"
    return cast(Job, (yield from session.call("POST", path, parameters={"job_id": text_in(job, "id")})))


def _form(uploads: Sequence[Upload], name: str) -> tuple[bytes, str]:
    parts = [
        ("files", (up.name, up.content if isinstance(up.content, bytes) else up.content.read_bytes(), up.content_type))
        for up in uploads
    ]
    request = httpx.Request("POST", "http://unused", data={"name": name}, files=parts)
    return request.read(), request.headers["content-type"]


def _store(session: Session, upload: Upload, ticket: Any) -> Flow[None]:
    if text_in(ticket, "method") == "PUT":
        headers = ticket.get("headers") or {}
        yield from session.transfer(Send("PUT", text_in(ticket, "url"), headers, upload.piece(0, upload.size)))
        return
    size = ticket.get("partSize")
    if not isinstance(size, int) or size < 1:
        raise UnexpectedAnswer("The answer lacks partSize")
    for n, part in enumerate(sorted(list_in(ticket, "parts"), key=lambda part: int(part["n"]))):
        content = upload.piece(n * size, min(size, upload.size - n * size))
        yield from session.transfer(Send("PUT", text_in(part, "url"), {}, content))


def execute(session: Session, job_id: str, order: Order) -> Flow[None]:
    """Gives a job its workflow or preset, and starts it."""
    yield from session.call("PUT", "/jobs/{job_id}", parameters={"job_id": job_id}, body=order.rules)
    yield from session.call("POST", "/jobs/{job_id}/execute", parameters={"job_id": job_id})


def wait(session: Session, job_id: str, on_progress: OnProgress | None, timeout: float | None) -> Flow[Job]:
    """Waits for the end of a job: at most ``timeout`` seconds. Raises :class:`JobFailed` unless it succeeded."""
    until = None if timeout is None else monotonic() + timeout
    pause = 0.25
    while True:
        status = yield from session.call("GET", "/jobs/{job_id}/status", parameters={"job_id": job_id})
        now = text_in(status, "status")
        if now not in _ENDED and now not in _RUNNING:
            raise UnexpectedAnswer("The answer holds a status that this client does not know")
        if on_progress is not None:
            on_progress(cast(JobsStatusReply, status))
        if now in _ENDED:
            break
        if until is not None and monotonic() + pause > until:
            raise TimedOut(f"The job has not ended within {timeout:g} seconds")
        yield Sleep(pause)
        pause = min(2.0, pause * 1.5)
    job = cast(Job, (yield from session.call("GET", "/jobs/{job_id}", parameters={"job_id": job_id})))
    if job["status"] != "SUCCEEDED":
        raise JobFailed(job)
    return job


def download(session: Session, asset_id: str, into: Path | None) -> Flow[bytes]:
    """Fetches an asset, into a file or as bytes."""
    place = yield from session.call("GET", "/assets/{asset_id}/url", parameters={"asset_id": asset_id})
    return (yield from session.transfer(Send("GET", text_in(place, "url"), into=into, whole=True))).body


def remove(session: Session, job_id: str) -> Flow[None]:
    """Removes a job with its files; one that runs is cancelled first."""
    given = {"job_id": job_id}
    status = yield from session.call("GET", "/jobs/{job_id}/status", parameters=given)
    if text_in(status, "status") == "IN_PROGRESS":
        yield from session.call("PUT", "/jobs/{job_id}/cancel", parameters=given)
    yield from session.call("DELETE", "/jobs/{job_id}", parameters=given)
