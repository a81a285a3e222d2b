"""Turns the files of an O*NET text release (30.x and its forerunners) into a catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from futura.progress import Reporter
from onet.candidates import GROUP_OF_ELEMENT, group_of
from onet.loading.release import CannotLoad, Catalogue
from onet.loading.source import Source, SourceFile, Table, fingerprint, missing_columns, rows
from onet.models import AlternateTitle, DetailedActivity, Occupation, TaskStatement, WorkActivity

SALT: Final = "onet-text-1"
"""Goes into the fingerprint; raise it when the same files would give other rows."""

BATCH: Final = 1000
"""Rows between two steps of the progress bar."""

SOC: Final = "O*NET-SOC Code"
OCCUPATIONS: Final = Table("Occupation Data.txt", (SOC, "Title"), ("Description",), needed=True)
STATEMENTS: Final = Table(
    "Task Statements.txt", ("Task ID", SOC, "Task"), ("Task Type",), needed=True
)
ACTIVITIES: Final = Table(
    "Content Model Reference.txt", ("Element ID", "Element Name"), ("Description",), needed=True
)
DETAILED: Final = Table("DWA Reference.txt", ("DWA ID", "Element ID", "DWA Title"), needed=True)
LINKS: Final = Table("Tasks to DWAs.txt", ("Task ID", "DWA ID"), needed=True)
RATINGS: Final = Table("Task Ratings.txt", ("Task ID", "Scale ID", "Data Value"))
ALTERNATES: Final = Table("Alternate Titles.txt", (SOC, "Alternate Title"), ("Short Title",))
REPORTED: Final = Table("Sample of Reported Titles.txt", (SOC, "Reported Job Title"))
ZONES: Final = Table("Job Zones.txt", (SOC, "Job Zone"))
EMERGING: Final = Table("Emerging Tasks.txt", (SOC, "Task"))
TABLES: Final = (
    OCCUPATIONS, STATEMENTS, ACTIVITIES, DETAILED, LINKS, RATINGS, ALTERNATES, REPORTED, ZONES,
    EMERGING,
)  # fmt: skip

SOC_CODE: Final = re.compile(r"(\d\d-\d{4})(\.\d\d)?")
KINDS: Final = {"core": "Core", "supplemental": "Supplemental"}
IMPORTANCE: Final = "IM"
TITLE_CHARS: Final = 200
ALTERNATE_CHARS: Final = 250
SHORT_CHARS: Final = 150
ID_CHARS: Final = 20


def read_release(source: Source, files: dict[str, SourceFile], *, reporter: Reporter) -> Catalogue:
    """The catalogue in the files; raises CannotLoad when there is nothing in them."""
    catalogue = Catalogue(
        name=source.release_name(),
        label=source.label,
        fingerprint=release_fingerprint(files),
    )
    _Reading(catalogue, files, reporter).run()
    for kind, result in (
        ("occupations", catalogue.occupations),
        ("task statements", catalogue.statements),
        ("work activities", catalogue.activities),
    ):
        if not result:
            raise CannotLoad(
                f"No {kind} could be read from “{source.label}”. Check that the files are those "
                "of an O*NET text release and not cut off."
            )
    return catalogue


def release_fingerprint(files: dict[str, SourceFile]) -> str:
    """SHA-256 of what will be read; known before anything is parsed."""
    return fingerprint(files.values(), salt=SALT)


def release_files(source: Source) -> dict[str, SourceFile]:
    """The files that are read, by name.

    Raises CannotLoad with every missing file and column in one sentence; files that O*NET calls
    optional may be absent.
    """
    present = {t.file: file for t in TABLES if (file := source.file(t.file)) is not None}
    absent = [f"“{t.file}”" for t in TABLES if t.needed and t.file not in present]
    problems = [f"missing: {', '.join(absent)}"] if absent else []
    for table in TABLES:
        file = present.get(table.file)
        if file and (missing := missing_columns(file, table)):
            columns = ", ".join(f"“{column}”" for column in missing)
            problems.append(f"“{table.file}” has no column {columns}")
    if problems:
        raise CannotLoad(
            f"“{source.label}” cannot be loaded: {'; '.join(problems)}. Use the text release of "
            "the O*NET database, as a folder or zip file, with its files as they come."
        )
    return present


class _Reading:
    def __init__(
        self, catalogue: Catalogue, files: dict[str, SourceFile], reporter: Reporter
    ) -> None:
        self.catalogue = catalogue
        self.files = files
        self.reporter = reporter
        self.occupations: dict[str, Occupation] = {}

    def run(self) -> None:
        self._occupations()
        self._titles(ALTERNATES, "alternate")
        self._titles(REPORTED, "reported")
        self._activities()
        self._statements()
        emerging = sum(1 for _ in self._rows(EMERGING))
        if emerging:
            # They carry neither an id nor a link to an activity, so no group could be given.
            self.catalogue.left_out["emerging tasks left out"] = emerging

    def _rows(self, table: Table) -> Iterator[tuple[str, ...]]:
        file = self.files.get(table.file)
        if file is None:
            return
        self.reporter.step(f"Reading {table.file}")
        for number, row in enumerate(rows(file, table, self.catalogue.warnings), start=1):
            if number % BATCH == 0:
                self.reporter.advance(BATCH)
            yield row

    def _warn(self, text: str) -> None:
        self.catalogue.warnings[text] += 1

    def _code(self, value: str) -> str:
        """An O*NET-SOC code; a bare SOC code gets `.00`; "" when it is neither."""
        match = SOC_CODE.fullmatch(value)
        return f"{match[1]}{match[2] or '.00'}" if match else ""

    def _fit(self, text: str, limit: int) -> str:
        if len(text) > limit:
            self._warn(f"texts cut at {limit} characters")
        return text[:limit].rstrip()

    def _occupations(self) -> None:
        zones = {self._code(code): zone for code, zone in self._rows(ZONES)}
        for value, title, description in self._rows(OCCUPATIONS):
            code = self._code(value)
            if not code or not title or code in self.occupations:
                self._warn("occupations without a valid code or title, or listed twice, left out")
                continue
            zone = zones.get(code, "")
            self.occupations[code] = Occupation(
                code=code,
                title=self._fit(title, TITLE_CHARS),
                description=description,
                job_zone=int(zone) if zone.isascii() and zone.isdigit() else None,
            )
        self.catalogue.occupations = list(self.occupations.values())

    def _titles(self, table: Table, kind: str) -> None:
        seen: set[tuple[str, str]] = set()
        for value, name, *remaining in self._rows(table):
            code = self._code(value)
            if code not in self.occupations or not name:
                self._warn(f"rows of “{table.file}” for unknown occupations, left out")
                continue
            title = self._fit(name, ALTERNATE_CHARS)
            if (code, title) in seen:
                continue
            seen.add((code, title))
            self.catalogue.titles.append(
                AlternateTitle(
                    occupation=self.occupations[code],
                    title=title,
                    short_title=self._fit(remaining[0], SHORT_CHARS) if remaining else "",
                    kind=kind,
                )
            )

    def _activities(self) -> None:
        existing: dict[str, WorkActivity] = {}
        for element_id, name, description in self._rows(ACTIVITIES):
            if is_activity(element_id) and element_id not in existing:
                existing[element_id] = WorkActivity(
                    element_id=element_id,
                    name=self._fit(name, TITLE_CHARS),
                    description=description,
                    group=group_of(element_id),
                )
        self.catalogue.activities = list(existing.values())

    def _detailed(self) -> dict[str, DetailedActivity]:
        """By DWA id, those under a known activity."""
        existing = {activity.element_id: activity for activity in self.catalogue.activities}
        matches: dict[str, DetailedActivity] = {}
        for dwa_id, element_id, title in self._rows(DETAILED):
            if element_id not in existing or dwa_id in matches or len(dwa_id) > 40:
                self._warn("detailed activities under no known activity, or listed twice, left out")
                continue
            matches[dwa_id] = DetailedActivity(
                dwa_id=dwa_id, title=self._fit(title, 300), activity=existing[element_id]
            )
        self.catalogue.detailed = list(matches.values())
        return matches

    def _links(self, detailed: dict[str, DetailedActivity]) -> dict[str, dict[str, None]]:
        """Task id → its DWA ids in order."""
        links: dict[str, dict[str, None]] = {}
        for task_id, dwa_id in self._rows(LINKS):
            if dwa_id in detailed:
                links.setdefault(task_id, {})[dwa_id] = None
            else:
                self._warn("links to unknown detailed activities, left out")
        return links

    def _importance(self) -> dict[str, float]:
        """Task id → mean importance, 1 to 5; anything else is passed over."""
        matches: dict[str, float] = {}
        for task_id, scale, value in self._rows(RATINGS):
            if scale.upper() != IMPORTANCE:
                continue
            try:
                mean = float(value or "nan")
            except ValueError:
                continue
            if 1 <= mean <= 5:
                matches[task_id] = mean
        return matches

    def _statements(self) -> None:
        detailed = self._detailed()
        links = self._links(detailed)
        importance = self._importance()
        seen: set[str] = set()
        for task_id, value, text, kind in self._rows(STATEMENTS):
            occupation = self.occupations.get(self._code(value))
            if not occupation or not text or task_id in seen or len(task_id) > ID_CHARS:
                self._warn("statements without text or known occupation, or listed twice, left out")
                continue
            seen.add(task_id)
            statement = TaskStatement(
                task_id=task_id,
                occupation=occupation,
                text=text,
                kind=KINDS.get(kind.casefold(), ""),
                importance=importance.get(task_id),
            )
            linked = [detailed[dwa_id] for dwa_id in links.get(task_id, ())]
            activities = {item.activity.element_id: item.activity for item in linked}
            self.catalogue.statements.append(statement)
            self.catalogue.detailed_links += [(statement, item) for item in linked]
            self.catalogue.activity_links += [(statement, item) for item in activities.values()]


def is_activity(element_id: str) -> bool:
    """Whether an element is one of the 41 activities: 4.A and three more places, `4.A.2.b.1`."""
    return element_id[:5] in GROUP_OF_ELEMENT and element_id.count(".") == 4
