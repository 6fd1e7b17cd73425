"""The client and a service that is running."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Service

from anonymisation_client import ApiError, AsyncClient, Client, JobFailed
from anonymisation_client.models import JobsStatusReply

LETTER = "Write to ada@example.org.\n"
Workflows = dict[str, str]


def test_a_file_becomes_another_beside_it(service: Service, workflows: Workflows, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text(LETTER)
    seen: list[JobsStatusReply] = []
    with service.client() as client:
        output = client.anonymise(letter, workflow=workflows["DOCUMENT"], on_progress=seen.append)
        with pytest.raises(FileExistsError):
            client.anonymise(letter, workflow=workflows["DOCUMENT"])
        again = client.anonymise(letter, workflow=workflows["DOCUMENT"], overwrite=True)
        assert client.jobs.list({"search": "letter.txt"}) == []
    assert output == again == tmp_path / "letter.anonymised.txt"
    assert output.read_text() == "Write to [EMAIL].\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["letter.anonymised.txt", "letter.txt"]
    assert seen[-1]["status"] == "SUCCEEDED"
    assert seen[-1]["progress"]["done"] == 1


def test_bytes_become_bytes_in_an_event_loop(service: Service, workflows: Workflows) -> None:
    async def run() -> list[bytes]:
        async with AsyncClient(service.url, service.email, service.password) as client:
            one = client.anonymise(LETTER.encode(), workflow=workflows["DOCUMENT"])
            other = client.anonymise(LETTER.upper().encode(), workflow=workflows["DOCUMENT"])
            return list(await asyncio.gather(one, other))

    assert asyncio.run(run()) == [b"Write to [EMAIL].\n", LETTER.upper().encode()]


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_large_file_goes_to_the_store(
    service: Service, workflows: Workflows, tmp_path: Path, asynchronous: bool
) -> None:
    large = tmp_path / "large.txt"
    large.write_text(LETTER * 200_000)
    expected = "Write to [EMAIL].\n" * 200_000

    async def run() -> Path:
        async with AsyncClient(service.url, service.email, service.password) as client:
            return await client.anonymise(large, workflow=workflows["DOCUMENT"], to=tmp_path / "out.txt")

    if asynchronous:
        output = asyncio.run(run())
    else:
        with service.client() as client:
            output = client.anonymise(large, workflow=workflows["DOCUMENT"], to=tmp_path / "out.txt")
    assert output.read_text() == expected


def test_a_frame_keeps_its_types(service: Service, workflows: Workflows) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    columns = {
        "email": ["ada@example.org", None, "nobody"],
        "age": [36, 41, 29],
        "score": [0.5, float("nan"), 1.5],
        "member": [True, False, True],
        "since": pandas.to_datetime(["1843-09-01", "1844-01-02", None]),
    }
    frame = pandas.DataFrame(columns)
    with service.client() as client:
        result = client.anonymise(frame, workflow=workflows["TABLE"])
        with pytest.raises(ValueError, match="index"):
            client.anonymise(frame.set_index("email"), workflow=workflows["TABLE"])
    expected = frame.assign(email=["[EMAIL]", None, "nobody"])
    pandas.testing.assert_frame_equal(result, expected, check_dtype=True)


def test_several_files_of_one_job(service: Service, workflows: Workflows, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(LETTER)
    with service.client() as client:
        job = client.upload([tmp_path / "a.txt", tmp_path / "b.txt"], name="Letters")
        client.jobs.update(job["id"], {"workflowId": workflows["DOCUMENT"]})
        client.jobs.execute(job["id"])
        result = client.wait(job["id"])["result"]
        assert result is not None
        for asset in result["assets"]:
            assert asset["outputAssetId"] is not None
            client.download(asset["outputAssetId"], tmp_path / f"out-{asset['name']}")
        client.jobs.delete(job["id"])
    assert [(tmp_path / f"out-{name}").read_text() for name in ("a.txt", "b.txt")] == ["Write to [EMAIL].\n"] * 2


def test_texts_there_and_back(service: Service, workflows: Workflows) -> None:
    with service.client() as client:
        reply = client.texts.anonymise({"texts": [LETTER], "workflowId": workflows["DOCUMENT"], "session": {}})
        (text,) = [one["text"] for one in reply["texts"]]
        assert "ada" not in text
        restored = client.texts.restore({"texts": [text], "session": {"sealed": reply["session"]["sealed"]}})
        assert restored["texts"][0]["text"] == LETTER


def test_a_file_that_can_not_be_read_leaves_nothing(service: Service, workflows: Workflows, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7\nnothing of it is true")
    with service.client() as client:
        with pytest.raises(JobFailed) as failure:
            client.anonymise(broken, workflow=workflows["DOCUMENT"])
        assert failure.value.job["errors"][0]["type"] == "corrupt_file"
        assert client.jobs.list({"search": "broken.pdf"}) == []
    assert [path.name for path in tmp_path.iterdir()] == ["broken.pdf"]


def test_a_wrong_request_is_refused_with_its_place(service: Service) -> None:
    with service.client() as client, pytest.raises(ApiError) as failure:
        client.rules.create({"name": "a", "type": "REGEX", "config": {"regexRuleConfig": {"pattern": "("}}})
    assert failure.value.status == 422
    assert failure.value.has("regex_syntax")
    assert failure.value.detail[0]["loc"] == ["body", "config", "regexRuleConfig", "pattern"]
    assert failure.value.request_id


def test_an_ended_session_is_followed_by_another(service: Service) -> None:
    with service.client() as client:
        assert client.auth.me()["email"] == service.email
        client.auth.logout()
        assert client.auth.me()["email"] == service.email


def test_a_wrong_password_is_refused(service: Service) -> None:
    with Client(service.url, "nobody@example.org", "wrong") as client, pytest.raises(ApiError) as failure:
        client.auth.me()
    assert failure.value.has("invalid_credentials")


def test_the_command(service: Service, workflows: Workflows, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text(LETTER)
    environment = {**os.environ, "ANONYMISE_EMAIL": service.email, "ANONYMISE_PASSWORD": service.password}

    def run(*arguments: str) -> tuple[int, str, str]:
        command = [sys.executable, "-m", "anonymisation_client.command", "--url", service.url, *arguments]
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    chosen = ("--workflow", workflows["DOCUMENT"])
    assert run("letter.txt", *chosen) == (0, "letter.anonymised.txt\n", "")
    assert (tmp_path / "letter.anonymised.txt").read_text() == "Write to [EMAIL].\n"
    status, out, error = run("letter.txt", "missing.txt", *chosen)
    assert (status, out) == (1, "")
    assert "letter.anonymised.txt exists" in error
    assert "missing.txt: No such file" in error
    environment["ANONYMISE_PASSWORD"] = "wrong"
    assert run("letter.txt", *chosen)[0] == 2
    environment["ANONYMISE_KEY"] = service.key
    assert run("letter.txt", "--overwrite", "--preset", "default")[0] == 0
    environment["ANONYMISE_KEY"] = service.key[:-1]
    status, _, error = run("letter.txt", "--overwrite", *chosen)
    assert status == 2
    assert "invalid_token" in error


README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("example", re.findall(r"```python\n(.*?)```", README, re.DOTALL), ids=["sync", "async"])
def test_the_examples_run(service: Service, tmp_path: Path, example: str) -> None:
    (tmp_path / "letter.txt").write_text(LETTER)
    environment = os.environ | {"ANONYMISE_URL": service.url}
    command = [sys.executable, "-c", example]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip()
