"""Repositories, pages and profiles end in the same check page as a resume does."""

from __future__ import annotations

import itertools

import pytest

from projects.portfolio.intake import reading
from projects.portfolio.intake.fetch import COMMAND
from projects.portfolio.models import Entry, Experience, Profile, Source
from tests.extent import some
from tests.portfolio.intake.conftest import draft, texts_of
from tests.portfolio.sources import PROFILE, README, RESUME, pdf_of, web_of
from tests.portfolio.sources_pages.conftest import rows
from tests.portfolio.test_with_model import (
    PERSONA as PERSONA_BY_MODEL,
    PROFILE as PROFILE_BY_MODEL,
    README as README_BY_MODEL,
)

pytestmark = pytest.mark.django_db
PAGE = """<!doctype html><html><head><title>Lantern</title></head><body>
<nav><a href="/">Home</a></nav><h1>Lantern</h1><p>A reading app for the city library in Oslo.</p>
<ul><li>Says which books are free</li><li>Works without a network</li></ul>
<p>Client: Deichman Library</p><script>alert(1)</script><footer>All rights reserved</footer>
</body></html>"""


@pytest.fixture
def reachable(monkeypatch) -> None:
    """Lets pages read from this machine, which they never may otherwise."""
    monkeypatch.setattr(reading, "POLICY", COMMAND)


def page_of(body: str, status: int = 200):
    """A web server with this page and no repository."""

    def answer(request):
        is_git = "info/refs" in request.path
        return (404, {}, b"") if is_git else (status, {}, body.encode())

    return web_of(answer)


def test_a_readme_waits_to_be_checked_and_its_entry_is_corrected(give, page, portfolio, check):
    source = give("repository", confirmed=False, text=README)
    assert source.outcome == "check"
    assert rows(Entry, portfolio) == []
    url = f"/portfolio/{portfolio.pk}/sources/{source.pk}/check"
    shown = texts_of(page.get(url).content.decode())
    assert "Entry Kiln" in shown
    assert "Plans firings so that shared kilns stand idle half as long" in shown
    kiln = draft(source, "Kiln")
    form = {"kind": "entry", "title": "Kiln planner", "summary": kiln["values"]["summary"]}
    for ended, period in (("2019", "<small>2019</small>"), ("", "<small>since 2019</small>")):
        check(source, "save", key=kiln["key"], **form, started="2019", ended=ended)
        assert period in page.get(url).text
    assert check(source, "confirm").status_code == 302
    (entry,) = rows(Entry, portfolio)
    assert (entry.title, entry.status, entry.doc_id) == ("Kiln planner", "draft", "kiln")
    assert "title" in entry.kept_fields


def test_a_page_without_a_repository_is_read_itself(give, portfolio, check, reachable):
    with page_of(PAGE) as (address, asked):
        source = give("repository", at_once=False, address="example.org/lantern")
        Source.objects.filter(pk=source.pk).update(place=f"{address}/lantern")
        reading_again(source)
    assert (source.outcome, source.code) == ("check", "")
    lantern = draft(source, "Lantern")
    assert source.text[lantern["start"] : lantern["end"]].startswith("# Lantern")
    assert "All rights reserved" not in source.text
    check(source, "confirm")
    (entry,) = rows(Entry, portfolio)
    assert entry.title == "Lantern"
    assert entry.summary == "A reading app for the city library in Oslo."
    assert entry.bullets == ["Says which books are free", "Works without a network"]
    assert (entry.repository_url, entry.live_url) == ("", f"{address}/lantern")
    assert any("info/refs" in item["path"] for item in asked)


def reading_again(source: Source) -> None:
    """Has it read by this process."""

    assert reading.read(source.pk)
    source.refresh_from_db()


def test_a_profile_is_read_from_its_page(give, portfolio, check, reachable):
    html = (
        "<h1>Mara Lindqvist</h1><p>Engineer for quiet back ends.</p><h2>About</h2><p>I build.</p>"
    )
    with page_of(html + "<a href='https://github.com/maralind'>GitHub</a>") as (address, _asked):
        source = give("profile", at_once=False, address="https://mara.example.org")
        assert source.place == "https://mara.example.org"
        Source.objects.filter(pk=source.pk).update(place=f"{address}/")
        reading_again(source)
    assert source.outcome == "check"
    assert rows(Profile, portfolio) == []
    check(source, "confirm")
    (profile,) = rows(Profile, portfolio)
    assert (profile.full_name, profile.headline) == (
        "Mara Lindqvist",
        "Engineer for quiet back ends.",
    )
    assert profile.social_links[0]["url"] == "https://github.com/maralind"


@pytest.mark.parametrize(("kind", "most"), [("repository", 100_000), ("profile", 200_000)])
def test_of_a_page_without_end_its_source_says_how_much_was_read(
    give, page, portfolio, reachable, kind, most
):
    with page_of(PAGE.replace("Says which", f"{'静かに灯ります。' * 26_000}Says which")) as (
        address,
        _,
    ):
        source = give(kind, at_once=False, address="example.org/lantern")
        Source.objects.filter(pk=source.pk).update(place=f"{address}/lantern")
        reading_again(source)
    assert len(source.text) == most
    note = f"Only the first {most} characters were read."
    assert source.told["notes"] == [note]
    assert note in page.get(f"/portfolio/{portfolio.pk}/sources/{source.pk}").text


def test_a_pdf_at_an_address_is_read_as_an_uploaded_one(give, portfolio, check, reachable):
    def answer(_request):
        return 200, {"Content-Type": "application/pdf"}, pdf_of(RESUME)

    with web_of(answer) as (address, _asked):
        source = give("resume", at_once=False, address="https://mara.example.org/cv.pdf")
        Source.objects.filter(pk=source.pk).update(place=f"{address}/cv.pdf")
        reading_again(source)
    assert (source.outcome, source.code, source.upload) == ("check", "", None)
    assert source.text.startswith("Mara Lindqvist")
    check(source, "confirm", incomplete="leave")
    companies = {row.company for row in rows(Experience, portfolio)}
    assert companies == {"Acme Corp", "BigCo", "StartupCo"}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("charset", "name"),
    [
        ("iso-8859-1", "Jürgen Größl"),
        ("Shift_JIS", "山田 太郎"),
        ("", "Jürgen Größl"),
        ("gb-nonsense", "Jürgen Größl"),
    ],
    ids=["latin", "japanese", "undeclared", "unknown"],
)
def test_a_page_in_an_older_charset_is_read(give, reachable, charset, name):
    declared = f'<meta http-equiv="Content-Type" content="text/html; charset={charset}">'
    html = f"<html><head>{declared if charset else ''}</head><body><h1>{name}</h1><p>Engineer</p>"
    body = html.encode("Shift_JIS" if charset == "Shift_JIS" else "cp1252")
    with web_of(lambda _request: (200, {"Content-Type": "text/html"}, body)) as (address, _asked):
        source = give("profile", at_once=False, address="https://mara.example.org")
        Source.objects.filter(pk=source.pk).update(place=f"{address}/")
        reading_again(source)
    assert (source.outcome, source.code) == ("check", "")
    assert f"# {name}" in source.text


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"%PDF-1.4 broken", "cannot be read"),
        (b"\xff\xfe\x00\x01", "neither a page nor a PDF"),
        (b"%PDF" + b" " * 10_000_001, "larger than"),
    ],
    ids=["broken", "binary", "large"],
)
def test_what_cannot_be_read_at_an_address_says_why(give, page, portfolio, reachable, body, says):
    with web_of(lambda _request: (200, {}, body)) as (address, _asked):
        source = give("resume", at_once=False, address="https://mara.example.org/cv.pdf")
        Source.objects.filter(pk=source.pk).update(place=f"{address}/cv.pdf")
        reading_again(source)
    assert source.outcome == "failed"
    assert says in texts_of(page.get(f"/portfolio/{portfolio.pk}/sources").content.decode())


@pytest.mark.parametrize("status", some([404, 500], 2))
def test_an_address_where_nothing_is_says_so(give, reachable, status):
    with page_of("", status) as (address, _asked):
        source = give("repository", at_once=False, address="example.org/lantern")
        Source.objects.filter(pk=source.pk).update(place=f"{address}/lantern")
        reading_again(source)
    assert (source.outcome, source.code) == ("failed", "PREPROCESS_REPO_NOT_FOUND")


@pytest.mark.parametrize(
    ("kind", "address"),
    some(
        itertools.product(
            ["resume", "profile", "repository"],
            ["https://localhost/x", "https://169.254.169.254/x"],
        ),
        5,
    ),
)
def test_no_address_leads_inside(give, kind, address):
    source = give(kind, address=address)
    assert (source.outcome, source.code) == ("failed", "PREPROCESS_ADDRESS_REFUSED")


def test_with_a_model_an_entry_says_what_its_source_says(give, page, portfolio, check, scripted):
    scripted.on("portfolio_readme").json(README_BY_MODEL)
    source = give("repository", confirmed=False, text=README)
    assert "in the language of that text" in str(scripted.of("portfolio_readme")[0].body)
    kiln = draft(source, "Kiln")
    assert kiln["values"]["description"] == ""  # seven prizes are nowhere
    assert {"description", "organization", "bullets", "tech_stack"} <= {*kiln["unsure"]}
    url = f"/portfolio/{portfolio.pk}/sources/{source.pk}/check"
    assert "“Kubernetes” does not stand in the source" in texts_of(page.get(url).text)
    check(source, "confirm")
    assert rows(Entry, portfolio)[0].tech_stack == ["PostgreSQL"]


def test_with_a_model_a_profile_waits_to_be_checked(give, portfolio, check, scripted, drain):
    scripted.on("portfolio_profile").json(PROFILE_BY_MODEL)
    source = give("profile", confirmed=False, text=PROFILE)
    values = source.drafts[0]["values"]
    assert (values["current_role"], values["top_skills"]) == ("", ["Go"])
    scripted.on("portfolio_persona").json(PERSONA_BY_MODEL)
    check(source, "confirm")
    drain()
    assert "in the language that they write in" in str(scripted.of("portfolio_persona")[0].body)
    assert "mara@example.org" not in str(rows(Profile, portfolio)[0].about)


def test_a_project_of_a_resume_becomes_an_entry(give, portfolio, check):
    text = RESUME + "\nPROJECTS\nTidal clock\nShows the tide of the week.\n"
    source = give("resume", confirmed=False, text=text)
    check(source, "add", kind="entry", quote="Tidal clock\nShows the tide of the week.")
    check(source, "confirm", incomplete="leave")
    (entry,) = rows(Entry, portfolio)
    assert (entry.title, entry.description) == ("Tidal clock", "Shows the tide of the week.")
    assert entry.status == "draft"


def test_an_entry_that_its_owner_deleted_stays_away(give, page, portfolio, drain):
    source = give("repository", text=README)
    (entry,) = rows(Entry, portfolio)
    assert page.post(f"/portfolio/{portfolio.pk}/entries/{entry.pk}/delete").status_code == 302
    assert rows(Entry, portfolio) == []
    page.post(f"/portfolio/{portfolio.pk}/sources/{source.pk}/read")
    drain()
    source.refresh_from_db()
    assert source.outcome == "read"
    assert source.told["notes"] == ["1 skipped because you deleted it"]
    assert rows(Entry, portfolio) == []
