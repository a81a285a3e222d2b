"""Writes rows as CSV, JSON Lines or Parquet; the first two bit by bit."""

from __future__ import annotations

import csv
import importlib.util
import io
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, BinaryIO, Final, Literal

import orjson

from tasks.datasets.rows import Column, Row
from tasks.export import safe_cell

Format = Literal["csv", "jsonl", "parquet"]
TYPES: Final[dict[Format, str]] = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
}
LIST_MARK: Final = "; "


def head_of(form: Format, columns: Sequence[Column]) -> bytes:
    """How a file begins: CSV with a byte order mark and a heading, JSON Lines with nothing."""
    return b"\xef\xbb\xbf" + _csv([[column.name for column in columns]]) if form == "csv" else b""


def written(form: Format, columns: Sequence[Column], rows: Sequence[Row]) -> bytes:
    """Rows of CSV, no cell of which starts a formula, or of JSON Lines."""
    if form == "csv":
        return _csv([[safe_cell(cell(row[column.name])) for column in columns] for row in rows])
    return b"".join(orjson.dumps(row) + b"\n" for row in rows)


def cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return LIST_MARK.join(value)
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _csv(rows: Sequence[Sequence[str]]) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue().encode()


def has_parquet() -> bool:
    return importlib.util.find_spec("pyarrow") is not None


def write_parquet(file: BinaryIO, columns: Sequence[Column], chunks: Iterator[list[Row]]) -> int:
    """Writes one row group per chunk; gives the number of rows. Needs the extra `parquet`."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {
        "text": pa.string(), "whole": pa.int64(), "number": pa.float64(), "truth": pa.bool_(),
        "moment": pa.timestamp("us", tz="UTC"), "list": pa.list_(pa.string()),
    }  # fmt: skip
    fields = [
        pa.field(column.name, types[column.kind], metadata={"about": str(column.about)})
        for column in columns
    ]
    schema, number = pa.schema(fields), 0
    with pq.ParquetWriter(file, schema, compression="zstd") as out:
        for rows in chunks:
            number += len(rows)
            if rows:
                out.write_table(pa.Table.from_pylist(rows, schema=schema))
    return number
