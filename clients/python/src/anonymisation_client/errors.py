"""What can go wrong. No message holds more than what the service says itself, never contents of files or answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import TypedDict

if TYPE_CHECKING:
    from .models import Job


class Detail(TypedDict):
    """One problem: its place, its description and its type, as ``docs/errors.md`` lists them."""

    loc: list[str]
    msg: str
    type: str


class AnonymisationError(Exception):
    """Any failure of this client."""


class Unreachable(AnonymisationError):
    """No answer came. ``sent`` tells whether the request may have arrived."""

    def __init__(self, message: str, *, sent: bool) -> None:
        super().__init__(message)
        self.sent = sent


class UnexpectedAnswer(AnonymisationError):
    """Something else than the service answered, such as a page of a proxy."""


class ApiError(AnonymisationError):
    """A refusal or failure that the service answered.

    ``detail`` holds every problem, and is empty where something else than the service answered. ``request_id`` names
    the request in its logs, and ``retry_after`` tells after how many seconds another one is worth it.
    """

    def __init__(
        self, status: int, detail: list[Detail], *, request_id: str | None = None, retry_after: float | None = None
    ) -> None:
        problems = "; ".join(f"{problem['type']}: {problem['msg']}" for problem in detail)
        super().__init__(f"{status} {problems}".strip())
        self.status = status
        self.detail = detail
        self.request_id = request_id
        self.retry_after = retry_after

    def has(self, problem_type: str) -> bool:
        """Whether one of the problems is of this type."""
        return any(problem["type"] == problem_type for problem in self.detail)


class JobFailed(AnonymisationError):
    """A job ended as FAILED or CANCELLED. ``job`` tells why, and holds the results of the assets that succeeded."""

    def __init__(self, job: Job) -> None:
        types = sorted({error["type"] for error in job["errors"]})
        super().__init__(" ".join([f"The job ended as {job['status']}", *([f"({', '.join(types)})"] if types else [])]))
        self.job = job


class TimedOut(AnonymisationError):
    """A job took longer than one would wait. It goes on, unless whoever started it has taken it back."""
