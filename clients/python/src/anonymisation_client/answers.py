"""Answers, read with care: what answers need not be the service."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from time import time
from typing import Any

from .errors import ApiError, Detail, UnexpectedAnswer
from .steps import Answer


def value_of(answer: Answer) -> Any:
    """The JSON of a success. Raises :class:`ApiError` for anything but a success."""
    if not 200 <= answer.status < 300:
        raise failure_of(answer)
    try:
        return json.loads(answer.body)
    except (ValueError, RecursionError):
        raise UnexpectedAnswer(f"The answer is no JSON (status {answer.status})") from None


def failure_of(answer: Answer) -> ApiError:
    """The failure that an answer tells of."""
    return ApiError(
        answer.status,
        _details(answer.body),
        request_id=answer.headers.get("x-request-id"),
        retry_after=retry_after(answer),
    )


def _details(body: bytes) -> list[Detail]:
    try:
        details = json.loads(body)["detail"]
        return [
            {"loc": [str(part) for part in detail["loc"]], "msg": str(detail["msg"]), "type": str(detail["type"])}
            for detail in details
        ]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []


def retry_after(answer: Answer) -> float | None:
    """Seconds that ``Retry-After`` asks to wait, given there as a number or as a date."""
    given = answer.headers.get("retry-after", "")
    try:
        seconds = float(given) if given.strip().isdecimal() else parsedate_to_datetime(given).timestamp() - time()
    except (ValueError, OverflowError):
        return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


def text_in(value: object, name: str) -> str:
    """A text that an answer must hold."""
    text = value.get(name) if isinstance(value, Mapping) else None
    if not isinstance(text, str) or not text:
        raise UnexpectedAnswer(f"The answer lacks {name}")
    return text


def list_in(value: object, name: str) -> list[Any]:
    """A list that an answer must hold."""
    found = value.get(name) if isinstance(value, Mapping) else None
    if not isinstance(found, list):
        raise UnexpectedAnswer(f"The answer lacks {name}")
    return found
