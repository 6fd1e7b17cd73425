"""What the client does, said without doing it: the same flows run in a thread or in an event loop."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Piece:
    """Bytes of a file: ``length`` of them from ``start`` on."""

    path: Path
    start: int
    length: int


@dataclass(frozen=True)
class Send:
    """A request. The body of a success is written to the file ``into``, where that is given.

    Answers of the service have a largest size; with ``whole`` a body may have any.
    """

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | Piece | None = None
    into: Path | None = None
    whole: bool = False


@dataclass(frozen=True)
class Sleep:
    """A pause in seconds."""

    seconds: float


@dataclass(frozen=True)
class Renew:
    """Another token in place of one that is refused, or the first one; one at a time."""

    refused: str | None


@dataclass(frozen=True)
class Answer:
    """An answer as it came; steps that are no requests have an empty one. Names of headers are in lower case."""

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


Step: TypeAlias = Send | Sleep | Renew
Flow: TypeAlias = Generator[Step, Answer, T]
"""Steps, each of which is given its answer or :class:`~.errors.Unreachable`, and what comes of them."""
