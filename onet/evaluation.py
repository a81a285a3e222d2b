"""Measures title and statement search against development files; `manage.py evaluate` prints it."""

from __future__ import annotations

import csv
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from futura.errors import BadInput
from futura.evaluation import EvaluationOptions
from futura.llm.client import Llm
from onet.matching import code
from onet.models import Release, TaskStatement
from onet.search.finding import Searcher, searcher
from onet.titles.finding import Ranker, ranker
from onet.titles.index import TitleIndex, TitleSource, build, read_source

TOP: Final = 5
TITLES: Final = ("title", "soc_codes")
RETIRED: Final = ("query", "soc2010_code", "dwa_ids", "gwa_groups")
QUERIES: Final = ("query", "task_ids")


@dataclass
class Tally:
    """Counts hits and times over the cases of one evaluation."""

    first: int = 0
    top: int = 0
    groups: int = 0
    activities: int = 0
    coded: int = 0
    skipped: int = 0
    seconds: list[float] = field(default_factory=list)
    details: list[dict[str, Any]] = field(default_factory=list)

    def add(self, hits: Sequence[bool], seconds: float, detail: dict[str, Any]) -> None:
        """One case: which of the answers were right, in order."""
        self.first += bool(hits and hits[0])
        self.top += any(hits)
        self.seconds.append(seconds)
        self.details.append(detail)

    def add_coding(self, activities: Sequence[str], requested: set[str]) -> None:
        """The coding of one case, held against the activities that are right."""
        self.coded += 1
        self.activities += bool(activities) and activities[0] in requested
        self.groups += bool(activities) and activities[0][:5] in {item[:5] for item in requested}

    def result(self, space: str, *, mode: str, with_details: bool) -> dict[str, Any]:
        number = len(self.seconds)
        if not number:
            raise BadInput("There is no case to measure in this file.")
        milliseconds = np.array(self.seconds) * 1000
        matches: dict[str, Any] = {
            "n": number,
            "hit@1": round(self.first / number, 4),
            "hit@5": round(self.top / number, 4),
        }
        if self.coded:
            matches["group@1"] = round(self.groups / self.coded, 4)
            matches["activity@1"] = round(self.activities / self.coded, 4)
        matches |= {
            "p50_ms": round(float(np.percentile(milliseconds, 50)), 2),
            "p95_ms": round(float(np.percentile(milliseconds, 95)), 2),
            "catalogue": _release().name,
            "space": space,
            "mode": mode,
        }
        if self.skipped:
            matches["skipped"] = self.skipped
        return matches | ({"details": self.details} if with_details else {})


def titles(file: Path | None, options: EvaluationOptions) -> dict[str, Any]:
    """Job titles to occupations: from a file, or `options.leave_out` of the catalogue's own."""
    if options.leave_out < 0:
        raise BadInput("--leave-out needs a positive number.")
    if file is None and not options.leave_out:
        raise BadInput("Name a file of titles, or use --leave-out N.")
    release = _release()
    if file is None:
        return _left_out_titles(release, options)
    ask = ranker(release)
    cases = ((row["title"], _prefixes(row["soc_codes"])) for row in read_table(file, [TITLES]))
    return _titles(ask, cases, options)


def _prefixes(accepted: str) -> Callable[[str], bool]:
    starts = tuple(code.strip() for code in accepted.split(";") if code.strip())
    return lambda code: bool(starts) and code.startswith(starts)


def _left_out_titles(release: Release, options: EvaluationOptions) -> dict[str, Any]:
    """Leaves titles out under every occupation that has them, and looks for any of these."""
    source = read_source(release)
    drawn = left_out(source, options.leave_out, options.seed)
    arrays = build(source, without={title.casefold() for title in drawn})
    ask = ranker(release, TitleIndex.load(arrays))
    codes = {title: {source.codes[place] for place in places} for title, places in drawn.items()}
    cases = ((title, result.__contains__) for title, result in codes.items())
    return _titles(ask, cases, options)


def left_out(source: TitleSource, number: int, seed: int) -> dict[str, set[int]]:
    """Titles to leave out, drawn among the other names, with all their occupations."""
    owners: dict[str, set[int]] = defaultdict(set)
    displayed: dict[str, str] = {}
    for place, title in source.titles:
        owners[title.casefold()].add(place)
        displayed.setdefault(title.casefold(), title)
    drawn = random.Random(seed).sample(sorted(owners), min(number, len(owners)))  # noqa: S311
    return {displayed[title]: owners[title] for title in drawn}


def _titles(
    ask: Ranker, cases: Iterator[tuple[str, Callable[[str], bool]]], options: EvaluationOptions
) -> dict[str, Any]:
    tally = Tally()
    ask.best("warm up", TOP)
    for title, accepts in cases:
        begun = time.perf_counter()
        result = ask.best(title, TOP)
        seconds = time.perf_counter() - begun
        hits = [accepts(code) for code, _ in result]
        tally.add(hits, seconds, {"title": title, "found": result, "hits": hits})
    return tally.result(ask.space, mode="basic", with_details=options.details)


def statements(file: Path | None, options: EvaluationOptions) -> dict[str, Any]:
    """Pieces of work to statements: a file of retired tasks, or one of activity queries.

    Retired tasks are coded as the product codes a task, with whatever model is configured; group
    and activity are those that a task would be stored with. Within occupations, the occupation of
    the task is known to the search as in the product; tasks of ones that are gone are skipped.
    """
    if file is None:
        raise BadInput("Name a file of tasks or queries.")
    release = _release()
    rows = read_table(file, [RETIRED, QUERIES])
    search = searcher(release)
    links = _links(release)
    llm = Llm()
    tally = Tally()
    search.search("warm up", limit=TOP)
    for row in rows:
        if "task_ids" in row:
            _case(search, row, tally, set(row["task_ids"].split(";")))
        elif options.within_occupation and not len(search.index.within(row["soc2010_code"])):
            tally.skipped += 1
        else:
            own = row["soc2010_code"] if options.within_occupation else ""
            detailed = set(row["dwa_ids"].split(";"))
            _case(search, row, tally, detailed, links=links, own=own)
            coding = code(row["query"], occupation_code=own, llm=llm)
            # `4.A.2.b.2` of `4.A.2.b.2.I01.D01`
            tally.add_coding(coding.activities, {item.partition(".I")[0] for item in detailed})
            tally.details[-1]["activities"] = coding.activities
    mode = "model" if tally.coded and llm.is_configured else "basic"
    return tally.result(search.space, mode=mode, with_details=options.details)


def _case(
    search: Searcher,
    row: dict[str, str],
    tally: Tally,
    requested: set[str],
    *,
    links: Mapping[str, set[str]] | None = None,
    own: str = "",
) -> None:
    """A right answer is one of those requested, or with `links` linked to one of them."""
    begun = time.perf_counter()
    result = search.search(row["query"], occupation_code=own, limit=TOP).candidates
    seconds = time.perf_counter() - begun
    stands_for = [
        {item.task_id} if links is None else links.get(item.task_id, set()) for item in result
    ]
    hits = [bool(requested & ids) for ids in stands_for]
    texts = [(item.text, item.score) for item in result]
    tally.add(hits, seconds, {"query": row["query"], "found": texts, "hits": hits})


def _links(release: Release) -> dict[str, set[str]]:
    """Task id → detailed activities."""
    matches: dict[str, set[str]] = {}
    rows = TaskStatement.objects.filter(release=release, detailed__isnull=False)
    for task_id, dwa_id in rows.values_list("task_id", "detailed__dwa_id"):
        matches.setdefault(task_id, set()).add(dwa_id)
    return matches


def read_table(file: Path, headers: Sequence[Sequence[str]]) -> list[dict[str, str]]:
    """Rows of a tab-separated file with one of the headers; BadInput says what is wrong with it."""
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            reader = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            header, rows = reader.fieldnames or [], list(reader)
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{file} cannot be read as UTF-8 text: {error}.") from error
    if not any(set(requested) <= set(header) for requested in headers):
        text = " or ".join(", ".join(header) for header in headers)
        raise BadInput(f"{file} does not begin with the columns {text} (tab-separated).")
    for number, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            raise BadInput(
                f"{file}, line {number}: other columns than the {len(header)} of its head."
            )
    return rows


def _release() -> Release:
    release = Release.objects.filter(is_active=True).first()
    if release is None:
        raise BadInput("No catalogue is loaded. Load one with: manage.py onet_load SOURCE")
    return release
