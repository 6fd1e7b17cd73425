"""What one may give to be anonymised, and where the result goes."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .jobs import Options, Order, Upload, anonymise_one, download
from .session import Session
from .steps import Flow

if TYPE_CHECKING:
    import pandas


def anonymise(session: Session, source: Any, options: Options) -> Flow[Any]:
    """Anonymises a file, bytes or a DataFrame, and gives the same kind of thing."""
    order = Order(
        options.get("workflow"),
        options.get("preset"),
        options.get("on_progress"),
        options.get("timeout"),
        options.get("keep", False),
    )
    if is_frame(source):
        return frame_from((yield from anonymise_one(session, frame_upload(source), order, None)))
    if isinstance(source, bytes):
        upload = Upload(options.get("name") or "file", source)
        return (yield from anonymise_one(session, upload, order, None))
    path = Path(source)
    upload = Upload(options.get("name") or path.name, path.resolve(strict=True))
    target = Path(options.get("to") or default_output(path))
    with output(target, overwrite=options.get("overwrite", False)) as part:
        yield from anonymise_one(session, upload, order, part)
    return target


def save(session: Session, asset_id: str, target: Path, overwrite: bool) -> Flow[Path]:
    """Writes an asset to a file."""
    with output(target, overwrite=overwrite) as part:
        yield from download(session, asset_id, part)
    return target


def is_frame(source: object) -> bool:
    """Whether this is a DataFrame. Without pandas loaded nothing is one."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(source, pandas.DataFrame)


def frame_upload(frame: pandas.DataFrame) -> Upload:
    """A DataFrame as a Parquet file, which keeps types. An index would get lost, so there may be none."""
    pandas = _pandas()
    if not isinstance(frame.index, pandas.RangeIndex):
        raise ValueError("The index is not anonymised: make it a column by reset_index(), or drop it")
    if not all(isinstance(name, str) for name in frame.columns) or not frame.columns.is_unique:
        raise ValueError("Columns must have names that are texts, each of its own")
    buffer = BytesIO()
    frame.to_parquet(buffer, index=False)
    return Upload("frame.parquet", buffer.getvalue())


def frame_from(content: bytes) -> pandas.DataFrame:
    """The DataFrame that a Parquet file holds."""
    frame: pandas.DataFrame = _pandas().read_parquet(BytesIO(content))
    return frame


def _pandas() -> Any:
    import pandas

    return pandas


def default_output(source: Path) -> Path:
    """``letter.docx`` becomes ``letter.anonymised.docx`` beside it."""
    return source.with_name(f"{source.stem}.anonymised{source.suffix}")


@contextmanager
def output(path: Path, *, overwrite: bool) -> Iterator[Path]:
    """A file to write to beside ``path``, which has that name once all went well, and is gone otherwise.

    Raises FileExistsError where there is such a file and ``overwrite`` is not asked for.
    """
    if not overwrite:
        path.touch(exist_ok=False)
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        yield part
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        if not overwrite:
            path.unlink(missing_ok=True)
        raise
