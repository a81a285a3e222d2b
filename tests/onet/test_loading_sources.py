"""Where releases come from: folders, zip files and addresses, good and bad ones."""

from __future__ import annotations

import errno
import threading
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from futura.progress import Reporter
from onet.actions import Outcome, load_release
from onet.loading.reading import read_release, release_files
from onet.loading.release import CannotLoad
from onet.loading.source import SourceFile, download, open_source, public_address
from onet.models import Release
from tests.onet.releases import tables, write_folder, write_zip

Answer = Callable[[BaseHTTPRequestHandler], None]


def statements_in(source: object) -> int:
    with open_source(str(source), Reporter()) as opened:
        release = read_release(opened, release_files(opened), reporter=Reporter())
    return len(release.statements)


def name_of(source: object) -> str:
    with open_source(str(source), Reporter()) as opened:
        return opened.release_name()


@pytest.mark.parametrize("top", ["", "db_30_2_text/", "deep/down/db_30_2_text/", "/", "../../"])
def test_a_zip_may_hold_its_files_anywhere_and_nothing_is_unpacked(
    tmp_path: Path, top: str
) -> None:
    (tmp_path / "inner").mkdir()
    archive = write_zip(tmp_path / "inner" / "release.zip", tables(), top=top)
    assert statements_in(archive) == 4
    assert [item.name for item in tmp_path.rglob("*")] == ["inner", "release.zip"]


def test_an_unpacked_zip_with_its_top_folder_is_found_too(tmp_path: Path) -> None:
    write_folder(tmp_path / "downloads" / "db_30_2_text", tables())
    assert statements_in(tmp_path / "downloads") == 4
    assert name_of(tmp_path / "downloads") == "O*NET 30.2"


def test_file_names_may_be_in_lower_case(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {name.lower(): rows for name, rows in tables().items()})
    assert statements_in(folder) == 4


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("db_30_2_text.zip", "O*NET 30.2"),
        ("db_29_3.zip", "O*NET 29.3"),
        ("O*NET 30.1.zip", "O*NET 30.1"),
        ("release.zip", "O*NET"),
        ("backup_2024_10.zip", "O*NET"),
    ],
)
def test_the_release_is_named_by_its_file(tmp_path: Path, name: str, expected: str) -> None:
    assert name_of(write_zip(tmp_path / name, tables())) == expected


def test_the_release_is_named_by_its_read_me(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "data", tables())
    (folder / "Read Me.txt").write_text("O*NET® 30.2 Database\nProduction release", "utf-8")
    assert name_of(folder) == "O*NET 30.2"


def test_what_a_mac_adds_to_a_zip_is_passed_over(tmp_path: Path) -> None:
    archive = write_zip(tmp_path / "release.zip", tables(), top="db_30_2_text/")
    with zipfile.ZipFile(archive, "a") as added:
        added.writestr("__MACOSX/db_30_2_text/Task Statements.txt", b"\x00\x05\x16\x07")
    assert statements_in(archive) == 4


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut off", b"\x1f\x8b not a zip"])
def test_a_file_that_is_no_zip_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "release.zip"
    file.write_bytes(content)
    with pytest.raises(CannotLoad, match="is not a zip file that can be read"):
        statements_in(file)


def test_a_place_where_nothing_is_says_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(CannotLoad, match="neither a folder nor a file"):
        statements_in(tmp_path / "nowhere")


def test_a_folder_on_a_broken_disk_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> Iterator[Path]:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(Path, "glob", fail)
    with pytest.raises(CannotLoad, match=r"cannot be read: Input/output error"):
        statements_in(tmp_path)


def test_an_empty_folder_lists_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(CannotLoad, match=r"missing: “Occupation Data\.txt”, “Task"):
        statements_in(tmp_path)


def test_a_damaged_zip_names_the_damaged_file(tmp_path: Path) -> None:
    archive = tmp_path / "release.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as file:
        for name in tables():
            file.writestr(name, b"O*NET-SOC Code\tTitle\n")
    archive.write_bytes(archive.read_bytes().replace(b"\tTitle\n", b"\tTITLE\n", 1))
    with pytest.raises(CannotLoad, match=r"“Occupation Data.txt” cannot be read: Bad CRC"):
        statements_in(archive)


def test_a_zip_bomb_is_stopped_while_reading(tmp_path: Path) -> None:
    release = tables()
    release["Task Statements.txt"] += [["35-2014.00", "9", "x" * 5000, "Core"]] * 1000
    archive = write_zip(tmp_path / "bomb.zip", release)
    assert archive.stat().st_size < 50_000
    with open_source(str(archive), Reporter()) as opened:
        small = SourceFile("Task Statements.txt", opened.files["task statements.txt"].open, 10**6)
        with pytest.raises(CannotLoad, match="larger than 0 MB"):
            list(small.lines())


# Addresses ------------------------------------------------------------------------------------


class Site:
    """A web server on loopback that answers as the test says and remembers what was asked."""

    def __init__(self, answer: Answer) -> None:
        self.asked: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                answer(self)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                """Quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()

    def address(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server.server_port}{path}"

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def site() -> Iterator[Callable[[Answer], Site]]:
    opened: list[Site] = []

    def open_site(answer: Answer) -> Site:
        opened.append(Site(answer))
        return opened[-1]

    yield open_site
    for each in opened:
        each.close()


def body(content: bytes, *, kind: str = "application/zip", announced: int | None = None) -> Answer:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Type", kind)
        request.send_header("Content-Length", str(announced or len(content)))
        request.end_headers()
        request.wfile.write(content)

    return answer


@pytest.mark.django_db
def test_an_address_is_fetched_loaded_and_remembered_without_its_secrets(
    tmp_path: Path, site: Callable[[Answer], Site]
) -> None:
    content = write_zip(tmp_path / "x.zip", tables(), top="db_30_2_text/").read_bytes()
    server = site(body(content))
    address = server.address("/dl/db_30_2_text.zip?token=secret")
    report = load_release(address)
    assert (report.outcome, report.name) == (Outcome.LOADED, "O*NET 30.2")
    assert Release.objects.get().source == server.address("/dl/db_30_2_text.zip")
    assert load_release(address).outcome is Outcome.ALREADY
    assert len(server.asked) == 2
    assert load_release(address, if_needed=True).outcome is Outcome.ALREADY
    assert len(server.asked) == 2


def test_a_redirect_is_followed_but_not_to_another_kind_of_address(
    tmp_path: Path, site: Callable[[Answer], Site]
) -> None:
    content = write_zip(tmp_path / "x.zip", tables()).read_bytes()

    def answer(request: BaseHTTPRequestHandler) -> None:
        targets = {"/moved": "/here.zip", "/file": "file:///etc/passwd", "/ftp": "ftp://127.0.0.1/"}
        if request.path in targets:
            request.send_response(302)
            request.send_header("Location", targets[request.path])
            request.send_header("Content-Length", "0")
            request.end_headers()
            return
        body(content)(request)

    server = site(answer)
    assert statements_in(server.address("/moved")) == 4
    for path in ("/file", "/ftp"):
        with pytest.raises(CannotLoad):
            statements_in(server.address(path))


def test_an_error_page_a_web_page_and_a_broken_download_are_refused(
    site: Callable[[Answer], Site],
) -> None:
    missing = site(lambda request: request.send_error(404))
    with pytest.raises(CannotLoad, match=r"127\.0\.0\.1 answered with 404 Not Found"):
        statements_in(missing.address("/db.zip"))
    short = site(body(b"PK", announced=5000))
    with pytest.raises(CannotLoad, match=r"The download from 127\.0\.0\.1 failed"):
        statements_in(short.address("/db.zip"))
    text = site(body(b"<html>", kind="text/html; charset=utf-8"))
    with pytest.raises(CannotLoad, match="is not a zip file that can be read"):
        statements_in(text.address("/db.zip"))


def test_nobody_listening_is_one_sentence(site: Callable[[Answer], Site]) -> None:
    gone = site(body(b""))
    address = gone.address("/db.zip")
    gone.server.socket.close()
    with pytest.raises(CannotLoad, match=r"The download from 127\.0\.0\.1 failed"):
        statements_in(address)


@pytest.mark.parametrize("announced", [True, False])
def test_a_download_over_the_limit_is_stopped(
    tmp_path: Path, site: Callable[[Answer], Site], announced: bool
) -> None:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        if announced:
            request.send_header("Content-Length", "5000")
        request.end_headers()
        request.wfile.write(b"x" * 5000)

    address = site(answer).address("/db.zip")
    with pytest.raises(CannotLoad, match="is larger than"):
        download(address, tmp_path / "db.zip", Reporter(), max_bytes=4000)


def test_an_address_is_shown_without_user_password_and_query() -> None:
    assert public_address("https://me:pw@example.org:8443/a/b.zip?key=1#x") == (
        "https://example.org:8443/a/b.zip"
    )
