"""Where a release comes from: a folder, a zip file or an address, seen as a set of named tables."""

from __future__ import annotations

import codecs
import hashlib
import re
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from pathlib import Path, PurePosixPath
from typing import IO, Final
from urllib.parse import urlsplit, urlunsplit

import httpx2

from futura.progress import Reporter
from onet.loading.release import CannotLoad

MAX_FILE_BYTES: Final = 256 * 1024 * 1024
"""The largest file read here (Tasks to DWAs) has 2 MB in O*NET 30; a zip bomb stops at this."""
MAX_ENTRIES: Final = 10_000
FOLDER_DEPTH: Final = 2
README_LINES: Final = 40

UNREADABLE: Final = (
    *(OSError, EOFError, RuntimeError, NotImplementedError),
    *(zipfile.BadZipFile, zlib.error),
)
"""What a damaged or an encrypted file raises."""

VERSION: Final = re.compile(
    r"(?:db[_\- ]|O\*NET\W{0,5})(\d{1,2})[._](\d{1,2})(?!\d)", re.IGNORECASE
)
"""`db_30_2_text`, `O*NET 30.2`, `O*NET® 30.2 Database`."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of a release, read as often as needed, never beyond its limits."""

    name: str
    open: Callable[[], IO[bytes]]
    limit_bytes: int = MAX_FILE_BYTES

    def lines(self) -> Iterator[bytes]:
        """The lines as they are; raises CannotLoad when the file is damaged or too large."""
        total = 0
        try:
            with self.open() as stream:
                while line := stream.readline(self.limit_bytes):
                    total += len(line)
                    if total > self.limit_bytes:
                        raise CannotLoad(
                            f"“{self.name}” is larger than {self.limit_bytes // 1024**2} MB, "
                            "which no O*NET file is. Check where this source comes from."
                        )
                    yield line
        except UNREADABLE as error:
            raise CannotLoad(f"“{self.name}” cannot be read: {_reason(error)}.") from error


@dataclass(frozen=True, slots=True)
class Source:
    """The files of a release by lower-case name, and what its surroundings say about it."""

    label: str
    files: dict[str, SourceFile]
    hints: list[str] = field(default_factory=list)

    def file(self, name: str) -> SourceFile | None:
        return self.files.get(name.lower())

    def release_name(self) -> str:
        """The release's name as its folder, zip or read-me tells it."""
        readme = [file for name, file in self.files.items() if name.startswith("read")]
        lines = (_text(line) for file in readme for line in islice(file.lines(), README_LINES))
        for hint in chain(self.hints, lines):
            if match := VERSION.search(hint):
                return f"O*NET {match[1]}.{match[2]}"
        return "O*NET"


def fingerprint(files: Iterable[SourceFile], *, salt: str) -> str:
    """SHA-256 over names and contents; a folder and a zip of the same files are equal."""
    total = hashlib.sha256(salt.encode())
    for file in sorted(files, key=lambda file: file.name.lower()):
        content = hashlib.sha256()
        for line in file.lines():
            content.update(line)
        total.update(file.name.lower().encode() + b"\0" + content.digest())
    return total.hexdigest()


@contextmanager
def open_source(source: str, reporter: Reporter) -> Iterator[Source]:
    """The files behind a folder, a zip file or an http(s) address, while the block runs."""
    with ExitStack() as stack:
        if is_address(source):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="futura-onet-")))
            archive = download(source, folder / "release.zip", reporter)
            label = public_address(source)
            yield _zip(stack, archive, label=label, hint=PurePosixPath(urlsplit(source).path).name)
            return
        path = Path(source).expanduser()
        if path.is_dir():
            yield _folder(path)
        elif path.is_file():
            yield _zip(stack, path, label=str(path), hint=path.name)
        else:
            raise CannotLoad(
                f"There is neither a folder nor a file at “{source}”. Give the folder or the zip "
                "file of an O*NET text release, or its http(s) address."
            )


def is_address(source: str) -> bool:
    """Whether a source is an http(s) address rather than a path."""
    return source.lower().startswith(("http://", "https://"))


def public_address(address: str) -> str:
    """The address without user, password, query and fragment, fit to be stored and shown."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    port = f":{parts.port}" if parts.port else ""
    return urlunsplit((parts.scheme, host + port, parts.path, "", ""))


def _folder(path: Path) -> Source:
    matches: list[tuple[int, str, SourceFile]] = []
    try:
        for depth in range(FOLDER_DEPTH):
            pattern = "/".join(["*"] * (depth + 1))
            matches += [
                (depth, item.parent.name, SourceFile(item.name, lambda item=item: item.open("rb")))  # type: ignore[misc]
                for item in sorted(path.glob(pattern))
                if item.is_file()
            ]
    except OSError as error:
        raise CannotLoad(f"The folder “{path}” cannot be read: {_reason(error)}.") from error
    return _source(str(path), matches, hints=[path.absolute().name])


def _zip(stack: ExitStack, path: Path, *, label: str, hint: str) -> Source:
    try:
        archive = stack.enter_context(zipfile.ZipFile(path))
    except (zipfile.BadZipFile, OSError, NotImplementedError, ValueError) as error:
        raise CannotLoad(
            f"“{label}” is not a zip file that can be read ({_reason(error)}). Give the folder or "
            "the zip file of an O*NET text release."
        ) from error
    entries = [info for info in archive.infolist() if not info.is_dir()]
    if len(entries) > MAX_ENTRIES:
        raise CannotLoad(f"“{label}” holds {len(entries):,} files; an O*NET release has about 50.")
    matches = [
        (
            len(inner.parts) - 1,
            str(inner.parent),
            SourceFile(inner.name, partial(archive.open, info)),
        )
        for info in entries
        if (inner := PurePosixPath(info.filename)).name and "__MACOSX" not in inner.parts
    ]
    return _source(label, matches, hints=[hint])


def _source(label: str, located: list[tuple[int, str, SourceFile]], *, hints: list[str]) -> Source:
    """Keeps the files of the folder that lies highest among those that hold statements."""
    by_place: dict[tuple[int, str], dict[str, SourceFile]] = {}
    for depth, parent, file in located:
        by_place.setdefault((depth, parent), {})[file.name.lower()] = file
    homes = sorted(place for place, files in by_place.items() if "task statements.txt" in files)
    places = homes[:1] or sorted(by_place)
    files = by_place[max(places, key=lambda place: len(by_place[place]))] if places else {}
    return Source(label=label, files=files, hints=[*hints, *(parent for _, parent in places)])


def _reason(error: BaseException) -> str:
    text = (error.strerror if isinstance(error, OSError) else "") or str(error)
    return text.rstrip(".") or type(error).__name__


NO_VALUE: Final = "n/a"

Warnings = Counter[str]
"""What was odd about the source → how often."""


@dataclass(frozen=True, slots=True)
class Table:
    """A file of the release with the columns used here; values come in this order."""

    file: str
    columns: tuple[str, ...]
    optional: tuple[str, ...] = ()
    needed: bool = False


def missing_columns(file: SourceFile, table: Table) -> list[str]:
    """Columns of `table` that the file does not have, upper and lower case alike."""
    present = {name.casefold() for name in _header(file.lines())}
    return [name for name in table.columns if name.casefold() not in present]


def rows(file: SourceFile, table: Table, warnings: Warnings) -> Iterator[tuple[str, ...]]:
    """One tuple a row, the columns first, then the optional ones; "" stands for no value.

    There is no quoting: a `"` is a character like any other. Rows that lack a value of the first
    column are left out and counted.
    """
    lines = file.lines()
    names = _header(lines)
    matches = {name.casefold(): place for place, name in reversed(list(enumerate(names)))}
    places = [matches.get(name.casefold()) for name in (*table.columns, *table.optional)]
    for line in lines:
        cells = _cells(_text(line))
        if len(cells) == 1 and not cells[0]:
            continue
        values = tuple(_value(cells, place) for place in places)
        if not values[0]:
            warnings[f"rows of “{file.name}” without “{table.columns[0]}”, left out"] += 1
            continue
        yield values


def _header(lines: Iterator[bytes]) -> list[str]:
    return _cells(_text(next(lines, b"").removeprefix(codecs.BOM_UTF8)))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("\t")]


def _value(cells: list[str], place: int | None) -> str:
    value = "" if place is None or place >= len(cells) else cells[place]
    return "" if value.lower() == NO_VALUE else value


def _text(line: bytes) -> str:
    """UTF-8, or Windows-1252 for a line that is not (older releases); NUL characters go."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        text = line.decode("cp1252", errors="replace")
    return text.rstrip("\r\n").replace("\x00", "")


MAX_BYTES: Final = 512 * 1024 * 1024
SILENCE_S: Final = 30
"""The server may be silent for so long."""
HEADERS: Final = {"User-Agent": "futura-onet-load", "Accept-Encoding": "identity"}


def download(address: str, target: Path, reporter: Reporter, *, max_bytes: int = MAX_BYTES) -> Path:
    """The file behind the address, written to `target`; raises CannotLoad with the reason."""
    host, received = urlsplit(address).hostname or "the server", 0
    try:
        with httpx2.stream(
            "GET", address, headers=HEADERS, timeout=SILENCE_S, follow_redirects=True
        ) as answer:
            if not answer.is_success:
                raise CannotLoad(
                    f"{host} answered with {answer.status_code} {answer.reason_phrase}. Check the "
                    "address; it must be that of the zip file itself."
                )
            announced = int(answer.headers.get("Content-Length") or 0)
            reporter.step("Downloading", total=announced or None)
            with target.open("wb") as file:
                for chunk in answer.iter_raw():
                    received += len(chunk)
                    if received > max_bytes:
                        raise CannotLoad(
                            f"The file at {host} is larger than {max_bytes // 1024**2} MB; an "
                            "O*NET release has about 15 MB. Check the address."
                        )
                    file.write(chunk)
                    reporter.advance(len(chunk))
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as error:
        reason = str(error).rstrip(".") or type(error).__name__
        raise CannotLoad(f"The download from {host} failed: {reason}. Try again.") from error
    return target
