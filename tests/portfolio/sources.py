"""Sources as people have them: a resume as a PDF, repositories, a profile, a gist."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

RESUME = """\
Mara Lindqvist
Software engineer, Gothenburg, Sweden
mara@example.org  |  +46 70 123 45 67

PROFESSIONAL EXPERIENCE
Acme Corp, Stockholm, Sweden                      Jan 2022 – Present
Senior Software Engineer
• Built the payment service in Go and PostgreSQL, used by 2 million
customers in nine countries.
• Led a team of four; cut deploy time by 60%.
Technologies: Go, Kubernetes, gRPC

Software Engineer, BigCo                          03/2020 – 12/2021
Remote
• Wrote internal tools in TypeScript and React
• Moved reporting to Kafka

StartupCo | Software Engineering Intern | Berlin | Jun – Aug 2019
• Prototyped a recommendation engine in Python.

EDUCATION
Chalmers University of Technology, Gothenburg     2014 – 2019
MSc in Computer Science

SKILLS
Languages: Go, Python, TypeScript, C++
Tools: Docker, Terraform, Figma

AWARDS & HONORS
• Best Thesis Award, Chalmers Foundation, 2019
"""
PROFILE = """\
# Mara Lindqvist

Engineer for quiet back ends.

Location: Gothenburg, Sweden

## About

I build payment systems that people do not notice. Before that I wrote reporting tools.

I care about tests, small teams and good names.

## Skills

Go, PostgreSQL, Kubernetes

## Links

- [GitHub](https://github.com/maralind): code
- mara@example.org

## Voice examples

- USER: who are you? CHATBOT: i'm mara. i make money move, quietly.
"""
README = """\
# Kiln

[![build](https://shields.io/x.svg)](https://ci.example.org)

A scheduler for pottery kilns, written in Rust with a Postgres store.

Live at [the demo](https://kiln.example.org).

## Features

- Plans firings so that shared kilns stand idle half as long
- Warns the potter by text message

Used by 40 studios in Sweden.

## Installation

Install Docker and run `make`.
"""


def pdf_of(text: str, *, compress: bool = True) -> bytes:
    """A plain PDF with one line of text under the other."""
    lines = text.splitlines() or [""]
    shown = "".join(f"({_escaped(line)}) Tj T*\n" for line in lines)
    content = f"BT /F1 10 Tf 12 TL 50 800 Td\n{shown}ET".encode("cp1252")
    filters = b""
    if compress:
        content, filters = zlib.compress(content), b"/Filter /FlateDecode "
    return _pdf(content, filters)


def _pdf(content: bytes, filters: bytes) -> bytes:
    """One page with this content."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
            b"/Resources << /Font << /F1 5 0 R >> >> >>"
        ),
        b"<< " + filters + b"/Length %d >>\nstream\n" % len(content) + content + b"\nendstream",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    written = b"%PDF-1.4\n"
    places = []
    for number, one in enumerate(objects, start=1):
        places.append(len(written))
        written += b"%d 0 obj\n" % number + one + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    tail = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (size, len(written))
    return written + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + tail


def pdf_of_columns(left: str, right: str) -> bytes:
    """A PDF with a narrow column beside the wide one, as templates with a sidebar make it."""
    shown = "".join(
        f"BT /F1 10 Tf 1 0 0 1 {x} {800 - 12 * row} Tm ({_escaped(line)}) Tj ET\n"
        for x, column in ((40, left), (230, right))
        for row, line in enumerate(column.splitlines())
        if line.strip()
    )
    return _pdf(shown.encode("cp1252"), b"")


def _escaped(line: str) -> str:
    return line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def repository(folder: Path, files: dict[str, str | bytes], *, branch: str = "main") -> Path:
    """A bare repository with one commit of these files."""
    work = folder.with_name(f"{folder.name}-work")
    work.mkdir(parents=True)
    _git(work, "init", "--quiet", f"--initial-branch={branch}")
    for name, content in files.items():
        file = work / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    _git(work, "add", "--all")
    _git(work, "commit", "--quiet", "--allow-empty", "--message", "Start")
    _git(work.parent, "clone", "--quiet", "--bare", str(work), str(folder))
    return folder


def _git(folder: Path, *words: str) -> None:
    who = {
        f"GIT_{role}_{part}": "x@example.org"
        for role in ("AUTHOR", "COMMITTER")
        for part in ("NAME", "EMAIL")
    }
    subprocess.run(
        ["git", *words],
        cwd=folder,
        check=True,
        capture_output=True,
        env={**os.environ, **who, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
    )


class Portfolio:
    """The folder of somebody's sources, with its configuration."""

    def __init__(self, folder: Path, kiln: Path | None = None) -> None:
        """`kiln` is the repository mara/kiln where somebody has made it already."""
        self.folder = folder
        self.config: dict[str, Any] = {
            "owner": {
                "ownerId": "mara",
                "ownerName": "Mara Lindqvist",
                "domainLabel": "software engineer",
            },
            "github": {"repoListPath": "repos.json", "cloneBase": "repositories"},
            "resume": {"pdfPath": "resume.pdf"},
            "profile": {"profileMarkdownPath": "profile.md"},
            "retries": {"retryDelayMs": 1},
        }
        self.repos: list[dict[str, Any]] = [
            {"repo": "mara/kiln", "projectId": "kiln", "linkedToCompanies": ["acme corp"]}
        ]
        self.write("profile.md", PROFILE)
        (folder / "resume.pdf").write_bytes(pdf_of(RESUME))
        if kiln is None:
            self.add_repository("mara/kiln", {"README.md": README})
        else:
            (folder / "repositories" / "mara").mkdir(parents=True)
            (folder / "repositories" / "mara" / "kiln").symlink_to(kiln)

    def write(self, name: str, text: str) -> None:
        """A file of the folder."""
        (self.folder / name).write_text(text, encoding="utf-8")

    def add_repository(self, name: str, files: dict[str, str | bytes], **more: Any) -> None:
        """A bare repository under the clone base."""
        repository(self.folder / "repositories" / name, files, **more)

    @property
    def file(self) -> Path:
        """The configuration, written with the list of repositories."""
        self.write("repos.json", json.dumps(self.repos))
        self.write("portfolio.yml", json.dumps(self.config))  # JSON is YAML
        return self.folder / "portfolio.yml"


@contextmanager
def web_of(
    answer: Callable[[BaseHTTPRequestHandler], tuple[int, dict[str, str], bytes]],
) -> Iterator[tuple[str, Sequence[dict[str, str]]]]:
    """A web server on loopback; its address, and the headers of what was asked (with `path`)."""
    asked: list[dict[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(
                {**{name.lower(): value for name, value in self.headers.items()}, "path": self.path}
            )
            status, headers, body = answer(self)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
