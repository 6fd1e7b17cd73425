"""Client of the anonymisation service."""

from .async_client import AsyncClient
from .client import Client
from .errors import AnonymisationError, ApiError, Detail, JobFailed, TimedOut, UnexpectedAnswer, Unreachable
from .jobs import Options

__all__ = [
    "AnonymisationError",
    "ApiError",
    "AsyncClient",
    "Client",
    "Detail",
    "JobFailed",
    "Options",
    "TimedOut",
    "UnexpectedAnswer",
    "Unreachable",
]
