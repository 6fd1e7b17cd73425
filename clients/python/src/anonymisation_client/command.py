"""``anonymise-remote``: files anonymised by a service, from a shell."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from .client import Client
from .errors import AnonymisationError
from .files import default_output


def main(arguments: list[str] | None = None) -> int:
    """Status 0 where every file has its output, 1 where some have none, 2 where nothing could be tried."""
    given = _parser().parse_args(arguments)
    key, email, password = (os.environ.get(f"ANONYMISE_{name}") for name in ("KEY", "EMAIL", "PASSWORD"))
    if not key and not (email and password):
        print("Set ANONYMISE_KEY, or ANONYMISE_EMAIL and ANONYMISE_PASSWORD", file=sys.stderr)
        return 2
    try:
        code = os.environ.get("ANONYMISE_CODE")
        client = Client(given.url, token=key) if key else Client(given.url, email, password, code=code)
        with client:
            # Refuses whoever may not ask, before any file is opened.
            client.presets.list()
            return max([_one(client, path, given) for path in given.paths])
    except (AnonymisationError, ValueError) as failure:
        print(failure, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def _one(client: Client, path: Path, given: argparse.Namespace) -> int:
    to = given.output / default_output(path).name if given.output else None
    options = {"workflow": given.workflow, "preset": given.preset, "overwrite": given.overwrite}
    try:
        print(client.anonymise(path, to=to, **options))
    except FileExistsError as failure:
        print(f"{path}: {failure.filename} exists (see --overwrite)", file=sys.stderr)
    except OSError as failure:
        print(f"{path}: {failure.strerror or type(failure).__name__}", file=sys.stderr)
    except AnonymisationError as failure:
        print(f"{path}: {failure}", file=sys.stderr)
    else:
        return 0
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="anonymise-remote",
        description="Anonymises files by a service. "
        "ANONYMISE_KEY, or ANONYMISE_EMAIL and ANONYMISE_PASSWORD, say who asks; "
        "ANONYMISE_CODE is the code of a second factor.",
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--url", required=True, help="address of the service")
    rules = parser.add_mutually_exclusive_group()
    rules.add_argument("--preset", help="what to look for: `default` unless said otherwise")
    rules.add_argument("--workflow", metavar="ID", help="a workflow of one's own instead")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FOLDER", help="where outputs go: beside the files unless given"
    )
    parser.add_argument("--overwrite", action="store_true", help="replace outputs that exist")
    return parser


if __name__ == "__main__":
    sys.exit(main())
