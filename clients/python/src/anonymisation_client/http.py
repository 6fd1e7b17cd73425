"""What both clients do with httpx."""

from __future__ import annotations

import logging

import httpx

from .errors import UnexpectedAnswer, Unreachable
from .steps import Piece, Send

CHUNK = 1024 * 1024
_LARGEST_ANSWER = 64 * 1024 * 1024
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)


def headers_of(send: Send) -> dict[str, str]:
    """Headers of a request, with the length of a piece of a file: the store takes no body of unknown length."""
    length = {"Content-Length": str(send.content.length)} if isinstance(send.content, Piece) else {}
    return {**send.headers, **length}


def unreachable(failure: Exception) -> Unreachable:
    """A failure of the connection, without its address: that of a file is a secret."""
    return Unreachable(f"No answer ({type(failure).__name__})", sent=not isinstance(failure, _NOT_SENT))


class Body:
    """The body of an answer, as it comes."""

    def __init__(self, send: Send) -> None:
        self._whole = send.whole
        self._bytes = bytearray()

    def take(self, chunk: bytes) -> None:
        self._bytes += chunk
        if not self._whole and len(self._bytes) > _LARGEST_ANSWER:
            raise UnexpectedAnswer("The answer is larger than any of the service")

    def content(self) -> bytes:
        return bytes(self._bytes)


class _WithoutQueries(logging.Filter):
    """Keeps what lets one at a file, which is the query of its address, out of the log of httpx."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(
                part.copy_with(query=None) if isinstance(part, httpx.URL) else part for part in record.args
            )
        return True


logging.getLogger("httpx").addFilter(_WithoutQueries())
