"""Word documents are read as PDFs are; a forge's API is asked before a repository is cloned."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from http.server import BaseHTTPRequestHandler
from xml.sax.saxutils import escape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from projects.portfolio.intake import extract, git as forge, reading
from projects.portfolio.intake.extract import text_apart
from projects.portfolio.intake.failures import Code, PreprocessError
from projects.portfolio.intake.fetch import COMMAND
from projects.portfolio.models import Entry, Source
from tests.portfolio.intake.fidelity import fidelity
from tests.portfolio.intake.resumes import DATES_RIGHT
from tests.portfolio.sources import README, web_of

NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def docx_of(text: str, *, xml: str = "") -> bytes:
    """A Word document with a paragraph for each line; points are list items."""
    paragraphs = []
    for line in text.splitlines():
        style = '<w:numPr><w:numId w:val="1"/></w:numPr>' if line.startswith("• ") else ""
        words = escape(line.removeprefix("• ")).replace("          ", "</w:t><w:tab/><w:t>")
        paragraphs.append(
            f'<w:p><w:pPr>{style}</w:pPr><w:r><w:t xml:space="preserve">{words}</w:t></w:r></w:p>'
        )
    body = (
        xml
        or f'<w:document xmlns:w="{NAMESPACE}"><w:body>{"".join(paragraphs)}</w:body></w:document>'
    )
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("word/document.xml", body)
    return content.getvalue()


@pytest.mark.django_db
def test_a_word_document_is_read_as_its_pdf_is(give, page, portfolio):
    file = SimpleUploadedFile("cv.docx", docx_of(DATES_RIGHT.text), TYPE)
    source = give("resume", confirmed=False, file=file)
    assert (source.outcome, source.place, source.upload) == ("check", "cv.docx", None)
    from projects.portfolio.intake.drafts import from_json

    found = fidelity(from_json(source.drafts), DATES_RIGHT)
    assert (found.wrong, found.fused, found.invented, found.empty) == ([], [], [], 0)


def test_boxes_and_tables_in_tables_are_read_once_and_no_reading_above_a_name():
    def line(words: str) -> str:
        return f"<w:p><w:r><w:t>{words}</w:t></w:r></w:p>"

    def table(*cells: str) -> str:
        return f"<w:tbl><w:tr>{''.join(f'<w:tc>{cell}</w:tc>' for cell in cells)}</w:tr></w:tbl>"

    box = f"<w:txbxContent>{line('Skills')}{line('Python, CAD')}</w:txbxContent>"
    both = f"<mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback>"
    above, name = (f"<w:r><w:t>{words}</w:t></w:r>" for words in ("あおき", "青木"))
    named = f"<w:ruby><w:rt>{above}</w:rt><w:rubyBase>{name}</w:rubyBase></w:ruby>"
    xml = (
        f'<w:document xmlns:w="{NAMESPACE}" '
        'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:body>'
        f"<w:p><w:r>{named}</w:r></w:p>"
        f"<w:p><w:r><mc:AlternateContent>{both}</mc:AlternateContent></w:r></w:p>"
        f"{table(table(line('2018'), line('Baker')), line('Halle'))}</w:body></w:document>"
    )
    lines = text_apart(docx_of("", xml=xml), "cv.docx").splitlines()
    assert [words for words in lines if words] == [
        "青木", "Skills", "Python, CAD", "2018  Baker  Halle",
    ]  # fmt: skip


@pytest.mark.django_db
def test_the_command_reads_a_word_document(sources, preprocess):
    (sources.folder / "resume.docx").write_bytes(docx_of(DATES_RIGHT.text))
    sources.config["resume"] = {"pdfPath": "resume.docx"}
    sources.repos[0].pop("linkedToCompanies")
    told, _ = preprocess(sources.file)
    assert "Alpenbau GmbH" in told


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (docx_of("", xml="<broken"), Code.PDF_UNREADABLE),
        (docx_of("", xml='<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'), Code.PDF_UNREADABLE),
        (docx_of(""), Code.PDF_EMPTY),
        (docx_of("", xml=" " * 25_000_000), Code.PDF_UNREADABLE),
    ],
)
def test_a_broken_or_hostile_document_is_a_clear_error(content, code):
    assert extract.is_docx(content)
    with pytest.raises(PreprocessError) as refused:
        text_apart(content, "cv.docx")
    assert refused.value.failure == code


def _api(path: str = "README.md", commit: str = "a" * 40, status: int = 200):
    def answer(request: BaseHTTPRequestHandler) -> tuple[int, dict[str, str], bytes]:
        if request.path.startswith("/repos/mara/kiln/readme"):
            content = base64.b64encode(README.encode()).decode()
            return status, {}, json.dumps({"path": path, "content": content}).encode()
        if request.path.startswith("/repos/mara/kiln/commits/"):
            return status, {}, commit.encode()
        return 404, {}, b""

    return answer


@pytest.mark.django_db
def test_the_command_asks_the_forge_before_it_clones(sources, preprocess):
    with web_of(_api()) as (address, asked):
        sources.config["github"] |= {"cloneBase": "http://127.0.0.1:9", "apiUrl": address}
        preprocess(sources.file)
    assert [item["path"].split("?")[0] for item in asked] == [
        "/repos/mara/kiln/readme",
        "/repos/mara/kiln/commits/HEAD",
    ]
    assert Entry.objects.get().title == "Kiln"
    assert Source.objects.get(kind="readme").commit == "a" * 40


@pytest.mark.parametrize(
    "answers",
    [_api("docs/README.md"), _api(commit="no commit"), _api(status=404), _api(status=403)],
)
def test_what_the_forge_does_not_say_is_left_to_git(answers):
    with web_of(answers) as (address, _asked):
        where = "https://github.com/mara/kiln"
        assert forge.readme_of(where, address, COMMAND) is None


@pytest.mark.django_db
def test_the_pages_ask_the_forge_before_they_clone(give, drain, monkeypatch):
    with web_of(_api()) as (address, asked):
        monkeypatch.setattr(reading, "POLICY", COMMAND)
        monkeypatch.setattr(forge, "API_URL", address)
        source = give("repository", confirmed=False, address="mara/kiln")
    assert (source.outcome, source.commit) == ("check", "a" * 40)
    assert [item["path"].split("?")[0] for item in asked] == [
        "/repos/mara/kiln/readme",
        "/repos/mara/kiln/commits/HEAD",
    ]


def test_a_token_goes_to_the_api():
    with web_of(_api()) as (address, asked):
        found = forge.readme_of(
            "https://github.com/mara/kiln", address, COMMAND, branch="main", token="secret"
        )
    assert found is not None
    assert found.text == README
    assert {item["authorization"] for item in asked} == {"Bearer secret"}
    assert forge.readme_of("https://github.com/mara", "http://127.0.0.1:9", COMMAND) is None
