"""How the client behaves towards services that are busy, away, or none."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from conftest import Asked, Pretended, Reply, refusal

from anonymisation_client import (
    AnonymisationError,
    ApiError,
    AsyncClient,
    Client,
    JobFailed,
    TimedOut,
    UnexpectedAnswer,
    Unreachable,
)

ME = "/api/auth/me"
RULES = "/api/rules/"
REFRESH = "/api/auth/refresh"


def ask(client: Client) -> Any:
    return client.auth.me()


def ask_async(url: str, **options: Any) -> Any:
    async def run() -> Any:
        async with AsyncClient(url, "ada@example.org", "secret", **options) as client:
            return await client.auth.me()

    return asyncio.run(run())


def ask_sync(url: str, **options: Any) -> Any:
    with Client(url, "ada@example.org", "secret", **options) as client:
        return client.auth.me()


both = pytest.mark.parametrize("get", [ask_sync, ask_async])
Get = Callable[..., Any]


@both
def test_waits_as_long_as_the_service_asks(pretended: Pretended, get: Get) -> None:
    pretended.answers[ME] = [refusal(429, "rate_limited", Retry_After="1"), Reply(body={"id": "a"})]
    begun = monotonic()
    assert get(pretended.url) == {"id": "a"}
    assert monotonic() - begun >= 1


@both
def test_gives_up_where_the_pause_is_too_long(pretended: Pretended, get: Get) -> None:
    pretended.answers[ME] = [refusal(429, "rate_limited", Retry_After="3600")]
    with pytest.raises(ApiError) as failure:
        get(pretended.url)
    assert failure.value.retry_after == 3600
    assert failure.value.has("rate_limited")
    assert pretended.paths().count("GET /auth/me") == 1


@both
@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_repeats_a_bounded_number_of_times(pretended: Pretended, get: Get, status: int) -> None:
    pretended.answers[ME] = [refusal(status, "unavailable")]
    with pytest.raises(ApiError) as failure:
        get(pretended.url, attempts=3)
    assert failure.value.status == status
    assert pretended.paths().count("GET /auth/me") == 3


@both
def test_refreshes_a_token_that_has_expired(pretended: Pretended, get: Get) -> None:
    pretended.answers[ME] = [refusal(401, "token_expired"), Reply(body={"id": "a"})]
    pretended.answers[REFRESH] = [Reply(body={"access_token": "second", "refresh_token": "next"})]
    assert get(pretended.url) == {"id": "a"}
    assert pretended.paths() == ["POST /auth/login", "GET /auth/me", "POST /auth/refresh", "GET /auth/me"]
    assert pretended.asked[2].json == {"refresh_token": "good for once"}
    assert [pretended.asked[n].headers["authorization"] for n in (1, 3)] == ["Bearer first", "Bearer second"]


@both
def test_logs_in_again_where_the_session_has_ended(pretended: Pretended, get: Get) -> None:
    pretended.answers[ME] = [refusal(401, "token_expired"), Reply(body={"id": "a"})]
    pretended.answers[REFRESH] = [refusal(401, "invalid_refresh_token")]
    assert get(pretended.url) == {"id": "a"}
    assert pretended.paths().count("POST /auth/login") == 2


@both
def test_a_token_that_is_always_refused_is_renewed_once(pretended: Pretended, get: Get) -> None:
    pretended.answers[ME] = [refusal(401, "invalid_token")]
    with pytest.raises(ApiError, match="401 invalid_token"):
        get(pretended.url)
    assert pretended.paths().count("GET /auth/me") == 2


@both
def test_a_wrong_password_is_said_once(pretended: Pretended, get: Get) -> None:
    pretended.answers["/api/auth/login"] = [refusal(401, "invalid_credentials")]
    with pytest.raises(ApiError, match="invalid_credentials"):
        get(pretended.url)
    assert pretended.paths() == ["POST /auth/login"]


def test_a_given_token_is_not_renewed(pretended: Pretended) -> None:
    pretended.answers[ME] = [refusal(401, "token_expired")]
    with Client(pretended.url, token="mine") as client, pytest.raises(ApiError, match="token_expired"):
        ask(client)
    assert pretended.paths() == ["GET /auth/me"]


def test_threads_share_one_renewal(pretended: Pretended) -> None:
    def answer(asked: Asked) -> Reply:
        fresh = asked.headers.get("authorization") == "Bearer second"
        return Reply(body={"id": "a"}) if fresh else refusal(401, "token_expired")

    pretended.answers[ME] = answer
    pretended.answers[REFRESH] = [Reply(body={"access_token": "second"})]
    with Client(pretended.url, "ada@example.org", "secret") as client, ThreadPoolExecutor(4) as pool:
        assert [found["id"] for found in pool.map(lambda _: client.auth.me(), range(8))] == ["a"] * 8
    assert pretended.paths().count("POST /auth/login") == 1
    assert pretended.paths().count("POST /auth/refresh") == 1


@both
def test_waits_for_a_service_that_restarts(pretended: Pretended, get: Get) -> None:
    pretended.answers[ME] = [Reply(body={"id": "a"})]
    url, start = pretended.url, pretended.restart()
    threading.Timer(0.3, start).start()
    assert get(url, attempts=20) == {"id": "a"}


@both
def test_a_service_that_stays_away_is_named_as_such(pretended: Pretended, get: Get) -> None:
    url, start = pretended.url, pretended.restart()
    with pytest.raises(Unreachable):
        get(url, attempts=2)
    start()


def test_a_post_is_repeated_with_the_same_key(pretended: Pretended) -> None:
    pretended.answers[RULES] = [Reply(cut=True, body={"id": "lost" * 100}), Reply(body={"id": "a"})]
    with Client(pretended.url, "ada@example.org", "secret") as client:
        rule = client.rules.create({"name": "a", "type": "LIST", "config": {"listRuleConfig": {"listId": "a"}}})
    assert rule["id"] == "a"
    first, second = [asked.headers["idempotency-key"] for asked in pretended.asked if asked.path == RULES]
    assert first == second


def test_a_delete_whose_answer_is_lost_is_not_repeated(pretended: Pretended) -> None:
    pretended.answers["/api/rules/a"] = [Reply(cut=True, body={"id": "lost" * 100})]
    with Client(pretended.url, "ada@example.org", "secret") as client, pytest.raises(Unreachable):
        client.rules.delete("a")
    assert pretended.paths().count("DELETE /rules/a") == 1


def test_ids_stay_within_their_place(pretended: Pretended) -> None:
    with Client(pretended.url, "ada@example.org", "secret") as client, pytest.raises(ApiError, match="not_found"):
        client.rules.get("../users/?x=#")
    assert pretended.paths()[-1] == "GET /rules/..%2Fusers%2F%3Fx%3D%23"


HOSTILE = [
    Reply(body=b"<html>secret words of somebody</html>", headers={"Content-Type": "text/html"}),
    Reply(body=b""),
    Reply(body=b"[" * 200_000),
    Reply(body=b"\xff\xfe secret words"),
    Reply(status=302, headers={"Location": "http://127.0.0.1:1/"}),
    Reply(status=500, body=b"<html>secret words</html>"),
    Reply(status=400, body={"detail": "secret words"}),
    Reply(status=422, body=b'{"detail": [[[{}]]]}'),
]


@both
@pytest.mark.parametrize("reply", HOSTILE, ids=range(len(HOSTILE)))
def test_what_is_no_answer_of_the_service_is_an_error_of_ours(pretended: Pretended, get: Get, reply: Reply) -> None:
    pretended.answers[ME] = [reply]
    with pytest.raises(AnonymisationError) as failure:
        get(pretended.url)
    assert "secret words" not in str(failure.value)


@pytest.mark.parametrize("body", [[], "a", {}, {"access_token": 1}, {"access_token": ""}, None])
def test_a_log_in_without_a_token_is_refused(pretended: Pretended, body: object) -> None:
    pretended.answers["/api/auth/login"] = [Reply(body=body)]
    with pytest.raises(UnexpectedAnswer):
        ask_sync(pretended.url)


def job(pretended: Pretended, *statuses: str) -> None:
    """A job of one file that goes through these states."""
    last = {"id": "j", "status": statuses[-1], "errors": [{"type": "corrupt_file"}], "result": None}
    pretended.answers |= {
        "/api/jobs/upload": [Reply(body={"id": "j"})],
        "/api/jobs/j": [Reply(body=last)],
        "/api/jobs/j/execute": [Reply(body={"id": "j"})],
        "/api/jobs/j/cancel": [Reply(body={"id": "j"})],
        "/api/jobs/j/status": [Reply(body={"id": "j", "status": status}) for status in statuses],
    }


@pytest.mark.parametrize("status", ["FAILED", "CANCELLED"])
def test_a_job_that_fails_leaves_nothing(pretended: Pretended, tmp_path: Path, status: str) -> None:
    job(pretended, "IN_PROGRESS", status)
    (tmp_path / "a.txt").write_text("a")
    with Client(pretended.url, "ada@example.org", "secret") as client, pytest.raises(JobFailed, match=status):
        client.anonymise(tmp_path / "a.txt", workflow="w")
    assert pretended.paths()[-1] == "DELETE /jobs/j"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_job_that_takes_too_long_is_taken_back(pretended: Pretended) -> None:
    job(pretended, "IN_PROGRESS")
    with Client(pretended.url, "ada@example.org", "secret") as client, pytest.raises(TimedOut):
        client.anonymise(b"a", workflow="w", timeout=0.1)
    assert pretended.paths()[-2:] == ["PUT /jobs/j/cancel", "DELETE /jobs/j"]


def test_a_status_that_is_none_ends_the_wait(pretended: Pretended) -> None:
    job(pretended, "MAYBE")
    with Client(pretended.url, "ada@example.org", "secret") as client, pytest.raises(UnexpectedAnswer):
        client.wait("j")


@pytest.mark.parametrize("url", ["", "ftp://a", "anonymise.example.org", "http://ada:secret@a", "http://a?b=c"])
def test_an_address_that_is_none_is_refused_at_once(url: str) -> None:
    with pytest.raises(ValueError, match="base_url"):
        Client(url, "ada@example.org", "secret")


def test_somebody_has_to_ask() -> None:
    with pytest.raises(ValueError, match="token"):
        Client("http://127.0.0.1:1")


def test_logs_hold_no_address_of_a_file(pretended: Pretended, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    pretended.answers["/api/rules/list"] = [Reply(body=[])]
    with Client(pretended.url, "ada@example.org", "secret") as client:
        client.rules.list(limit=5)
    assert pretended.paths()[-1] == "POST /rules/list?limit=5"
    assert "/api/rules/list" in caplog.text
    assert "limit" not in caplog.text
