"""The sums of the ledger as a table for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Final

from futura.llm.outcomes import Outcome
from futura.llm.staff.queries import Sums

COLUMNS: Final = (
    "calls", "answered", "input_tokens", "cached_input_tokens", "output_tokens",
    "reasoning_tokens", "cost_usd", "calls_without_price", "latency_ms_p50", "latency_ms_p95",
    "first_text_ms_p50", "first_text_ms_p95",
)  # fmt: skip
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
ROWS_MAX: Final = 50_000


def table(grouping: str, lines: Sequence[Sums]) -> Iterator[str]:
    """CSV row by row; what is unknown is left empty."""
    failures = [one.value for one in Outcome if one != Outcome.OK]
    yield _row([grouping, *COLUMNS, *failures])
    for line in lines:
        yield _row([_harmless(line.key), *_figures(line), *(line.outcomes[f] for f in failures)])


def _figures(line: Sums) -> list[object]:
    times = [*(line.latency_ms or (None, None)), *(line.ttft_ms or (None, None))]
    return [
        line.calls,
        line.answered,
        line.input_tokens,
        line.cached_input_tokens,
        line.output_tokens,
        line.reasoning_tokens,
        line.cost_usd,
        line.unpriced,
        *(None if one is None else round(one) for one in times),
    ]


def _harmless(key: object) -> str:
    """A name that no spreadsheet takes for a formula."""
    text = "" if key is None else str(key)
    return f"'{text}" if text.startswith(_FORMULA) else text


def _row(cells: Sequence[object]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(["" if cell is None else cell for cell in cells])
    return line.getvalue()
