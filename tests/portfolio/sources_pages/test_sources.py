"""An owner gives something to be read; workers read it; what was put right stays."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from chat.operations.models import OperationBatch
from projects.portfolio.index.building import index_for
from projects.portfolio.intake import reading
from projects.portfolio.intake.extract import LARGEST_BYTES, page_apart, text_apart
from projects.portfolio.intake.failures import Code, PreprocessError
from projects.portfolio.intake.fetch import COMMAND
from projects.portfolio.models import (
    Award,
    Education,
    Entry,
    Experience,
    Persona,
    Profile,
    Skill,
    Source,
)
from projects.portfolio.readiness import waiting_items
from tests.extent import some
from tests.portfolio.sources import PROFILE, README, RESUME, pdf_of
from tests.portfolio.sources_pages.conftest import confirm, resume_file, rows
from tests.portfolio.test_with_model import RESUME as WITH_MODEL

pytestmark = pytest.mark.django_db


def test_a_resume_as_a_pdf_becomes_records_that_visitors_can_ask_about(give, page, portfolio):
    source = give("resume", file=resume_file())
    assert (source.outcome, source.code, source.upload) == ("read", "", None)
    assert "Mara Lindqvist" in source.text
    companies = {experience.company for experience in rows(Experience, portfolio)}
    assert companies == {"Acme Corp", "BigCo", "StartupCo"}
    assert [education.institution for education in rows(Education, portfolio)] == [
        "Chalmers University of Technology"
    ]
    assert rows(Skill, portfolio)
    assert rows(Award, portfolio)
    index = index_for(portfolio)
    assert index is not None
    assert any(item.title.endswith("Acme Corp") for item in index.by_id.values())
    shown = page.get(f"/portfolio/{portfolio.pk}/sources").content.decode()
    assert "read without a model" in shown


def test_without_a_model_no_position_is_called_an_employment_that_its_resume_does_not(
    give, page, portfolio
):
    source = give("resume", text=RESUME, confirmed=False)
    url = f"/portfolio/{portfolio.pk}"
    check = page.get(f"{url}/sources/{source.pk}/check").text
    assert '<option value="other" selected>' in check
    assert '<option value="full_time" selected>' not in check
    confirm(page, source)
    shown = page.get(f"{url}/records/experience").text
    assert "Software Engineering Intern" in shown
    assert "Employment" not in shown


def test_a_resume_makes_a_first_profile_which_a_given_one_replaces(give, portfolio):
    text = RESUME.replace("PROFESSIONAL", "SUMMARY\nI make payments boring.\n\nPROFESSIONAL", 1)
    give("resume", text=text)
    (profile,) = rows(Profile, portfolio)
    assert (profile.headline, profile.location) == ("Software engineer", "Gothenburg, Sweden")
    assert profile.about == ["I make payments boring."]
    assert profile.private_contact == ["mara@example.org", "+46 70 123 45 67"]
    assert rows(Persona, portfolio)
    give("profile", text=PROFILE)
    give("resume", text=text)
    (profile,) = rows(Profile, portfolio)
    assert profile.headline == "Engineer for quiet back ends."


def test_reading_again_leaves_what_a_person_put_right_and_took_away(give, page, portfolio, drain):
    source = give("resume", text=RESUME)
    acme, big, _intern = rows(Experience, portfolio)
    base = f"/portfolio/{portfolio.pk}/records/experience"
    form = {"company": acme.company, "title": "Staff Engineer", "version": str(acme.version)}
    form["is_current"] = "on"
    assert page.post(f"{base}/{acme.pk}", form).status_code == 302
    assert page.post(f"{base}/{big.pk}/delete").status_code == 302
    page.post(f"/portfolio/{portfolio.pk}/sources/{source.pk}/read")
    drain()
    source.refresh_from_db()
    confirm(page, source)
    after = rows(Experience, portfolio)
    assert [item.company for item in after] == ["Acme Corp", "StartupCo"]
    assert after[0].title == "Staff Engineer"
    assert after[0].kept_fields == ["title"]
    shown = page.get(f"/portfolio/{portfolio.pk}/sources").text
    assert "1 skipped because you deleted it" in shown


def test_a_newer_resume_takes_the_place_of_the_older_one_once_it_was_read_and_checked(
    give, page, portfolio
):
    def companies() -> set[str]:
        return {experience.company for experience in rows(Experience, portfolio)}

    give("resume", text=RESUME)
    older = {"Acme Corp", "BigCo", "StartupCo"}
    assert give("resume", confirmed=False, text="Nothing of the kind.").outcome == "failed"
    assert companies() == older
    newer = RESUME.replace("StartupCo |", "Northwind |")
    waiting = give("resume", confirmed=False, text=newer)
    assert (waiting.outcome, companies()) == ("check", older)
    confirm(page, waiting)
    assert companies() == {"Acme Corp", "BigCo", "Northwind"}


def test_what_a_newer_resume_does_not_say_of_its_owner_stays(give, portfolio):
    work = "\n\nExperience\n\nEngineer, Acme 2019 - 2021\n"
    give("resume", text=f"Mara Lindqvist\nSenior Engineer\nmara@example.org{work}")
    give("resume", text=f"Mara Lindqvist\n\nSummary\n\nI build quiet kilns.{work}")
    profile = Profile.objects.get(deleted_at=None)
    assert profile.headline == "Senior Engineer"
    assert profile.about == ["I build quiet kilns."]
    assert profile.private_contact == ["mara@example.org"]


def test_reading_is_one_gesture_that_can_be_undone(give, portfolio, page):
    give("resume", text=RESUME)
    batch = OperationBatch.objects.get(
        reason="portfolio_source", title="Added records from the resume"
    )
    assert batch.actor == OperationBatch.Actor.PERSON
    assert str(batch.pk) in page.get(f"/portfolio/{portfolio.pk}/history").content.decode()
    page.post(f"/projects/undo/{batch.pk}", {"next": f"/portfolio/{portfolio.pk}"})
    assert rows(Experience, portfolio) == []


def test_a_profile_gives_a_profile_and_a_voice_and_keeps_contacts_private(give, portfolio, page):
    give("profile", text=PROFILE)
    (profile,) = rows(Profile, portfolio)
    assert profile.full_name == "Mara Lindqvist"
    assert profile.private_contact == ["mara@example.org"]
    (persona,) = rows(Persona, portfolio)
    assert persona.voice_examples[0].startswith("USER: who are you?")
    index = index_for(portfolio)
    assert index is not None
    assert not any(
        "mara@example.org" in f"{item.text} {item.keywords}" for item in index.by_id.values()
    )
    form = page.get(f"/portfolio/{portfolio.pk}/records/profile").content.decode()
    assert "Private" in form
    assert "mara@example.org" in form


def test_voice_examples_are_written_in_the_record_and_stay_when_the_profile_is_read_again(
    give, portfolio, page
):
    give("profile", text=PROFILE)
    (persona,) = rows(Persona, portfolio)
    url = f"/portfolio/{portfolio.pk}/records/persona"
    form = {
        "short_about": persona.short_about,
        "system_persona": persona.system_persona,
        "version": persona.version,
    }
    for words in ("I am funny.", "USER: who? USER: when?", "USER: who? CHATBOT:"):
        answer = page.post(url, form | {"voice_examples": words})
        assert answer.status_code == 422
        assert "Write each example as “USER: …”" in answer.text
        assert words in answer.text
    pasted = "USER: Do you like Mondays?\nCHATBOT: less than Fridays.\n\nUSER: tea? CHATBOT: always"
    assert page.post(url, form | {"voice_examples": pasted}).status_code == 302
    give("profile", text=PROFILE)
    (persona,) = rows(Persona, portfolio)
    assert persona.voice_examples == [
        "USER: Do you like Mondays? CHATBOT: less than Fridays.",
        "USER: tea? CHATBOT: always",
    ]


def test_there_is_no_second_form_for_the_voice(page, portfolio):
    answer = page.post(f"/portfolio/{portfolio.pk}/sources/give/voice", {"text": "Q: a\nA: b"})
    assert answer.status_code == 404
    assert "give/voice" not in page.get(f"/portfolio/{portfolio.pk}/sources").content.decode()


def test_a_readme_becomes_a_draft_of_an_entry(give, portfolio, page):
    give("repository", text=README)
    give("resume", text=RESUME)
    assert "pasted text: kiln" in page.get(f"/portfolio/{portfolio.pk}/sources").content.decode()
    (entry,) = rows(Entry, portfolio)
    assert (entry.title, entry.status) == ("Kiln", "draft")
    assert "Rust" in [*entry.tech_stack, *entry.languages]
    index = index_for(portfolio)
    assert index is not None
    assert all(
        item.corpus != "projects" for item in index.by_id.values()
    )  # a draft is nobody's business
    assert all(not item.linked for item in index.by_id.values())


def test_repositories_are_cloned_and_those_that_are_not_there_say_so(
    give, portfolio, kiln, monkeypatch, page, drain
):
    monkeypatch.setattr(reading, "POLICY", COMMAND)
    source = give("repository", at_once=False, address="mara/kiln")
    assert source.place == "https://github.com/mara/kiln"
    # the same repository where this machine can see it
    Source.objects.filter(pk=source.pk).update(place=f"http://127.0.0.1:9/{kiln.name}")
    drain()
    source.refresh_from_db()
    assert (source.outcome, source.code) == ("failed", "PREPROCESS_REPO_NOT_FOUND")
    shown = page.get(f"/portfolio/{portfolio.pk}/sources").content.decode()
    assert "Paste the README of a private one" in shown


def test_a_repository_that_is_given_again_is_read_again(give, portfolio):
    for address in ("mara/kiln", "https://gitlab.com/mara/wheel.git", "mara/kiln"):
        give("repository", at_once=False, address=address)
    waiting = Source.objects.filter(portfolio=portfolio, kind="readme", outcome="waiting")
    assert waiting.count() == 2
    assert {(item.place, item.doc_id) for item in waiting} == {
        ("https://github.com/mara/kiln", "kiln"),
        ("https://gitlab.com/mara/wheel", "wheel"),
    }


def test_no_address_names_a_folder_of_the_server(page, portfolio):
    for repo in ("/etc", "file:///etc", "../secrets", "ssh://git@example.org/a"):
        url = f"/portfolio/{portfolio.pk}/sources/give/repository"
        answer = page.post(url, {"address": repo})
        assert answer.status_code == 422, repo
        assert "not the address of a repository" in answer.content.decode()
        assert not Source.objects.filter(portfolio=portfolio).exists()


NOT_TAKEN = (
    ("resume", {}, "Paste the text, or choose a file"),
    ("resume", {"file": SimpleUploadedFile("cv.docx", b"PK\x03\x04\xff\xfe")}, "not a PDF"),
    ("repository", {"address": "not an address"}, "not the address of a repository"),
    ("repository", {"address": "ftp://example.org/x"}, "not the address of a repository"),
    ("repository", {}, "Enter an address, or paste the README"),
    ("repository", {"address": "mara/kiln", "text": "# Kiln"}, "not several at once"),
    ("resume", {"file": SimpleUploadedFile("cv.rtf", b"{\\rtf1 Mara}")}, "not a PDF"),
    ("resume", {"file": SimpleUploadedFile("cv.txt", "Mara".encode("utf-16"))}, "plain text"),
)


def test_what_cannot_be_taken_comes_back_with_what_was_typed(page, portfolio):
    for kind, form, says in NOT_TAKEN:
        sent = {"text": "", **form}
        answer = page.post(f"/portfolio/{portfolio.pk}/sources/give/{kind}", sent)
        assert answer.status_code == 422, (kind, form, says)
        shown = answer.content.decode()
        assert says in shown
        assert str(sent["text"]).splitlines()[:1] == [] or sent["text"].splitlines()[0] in shown
        assert not Source.objects.filter(portfolio=portfolio).exists()


def test_a_pdf_that_cannot_be_read_says_why_also_on_the_home_page(
    give, page, portfolio, alice, identity_for
):
    source = give("resume", file=SimpleUploadedFile("cv.pdf", b"%PDF-1.7 broken"))
    assert (source.outcome, source.code) == ("failed", "PREPROCESS_PDF_UNREADABLE")
    shown = page.get(f"/portfolio/{portfolio.pk}").content.decode()
    assert "cv.pdf" in shown
    assert "not read" in shown
    assert "Not read:" in page.get(f"/portfolio/{portfolio.pk}/sources/{source.pk}").text
    (line,) = waiting_items(identity_for(alice))
    assert line.title == "One source could not be read"
    assert page.get(line.url).status_code == 200


def test_a_text_file_is_read_and_never_beside_a_text(page, portfolio):
    url = f"/portfolio/{portfolio.pk}/sources/give/profile"
    file = SimpleUploadedFile("about.txt", "Ich töpfere.".encode("utf-8-sig"))
    refused = page.post(url, {"file": file, "text": "I plan firings."})
    assert refused.status_code == 422
    assert "not several at once" in refused.text
    assert "I plan firings." in refused.text
    file.seek(0)
    assert page.post(url, {"file": file}).status_code == 302
    (source,) = Source.objects.filter(portfolio=portfolio)
    assert (source.place, source.text) == ("about.txt", "Ich töpfere.")


def test_what_could_not_be_read_says_why(give, page, portfolio):
    source = give("resume", address="https://localhost/cv")
    url = f"/portfolio/{portfolio.pk}/sources"
    for shown in (page.get(url).text, page.get(f"{url}/{source.pk}").text):
        assert "Not read:" in shown
        assert "PREPROCESS" not in shown


@pytest.mark.parametrize("kind", some(["repository", "resume", "profile"], 3))
def test_what_could_not_be_read_is_put_right_where_it_says_so(give, page, portfolio, kind):
    failed = give(kind, address="https://localhost/mara/kiln")
    shown = page.get(f"/portfolio/{portfolio.pk}/sources/{failed.pk}").text
    assert f'action="/portfolio/{portfolio.pk}/sources/give/{kind}#{kind}"' in shown
    assert 'value="https://localhost/mara/kiln"' in shown
    sent = {"instead": str(failed.pk), "text": README if kind == "repository" else RESUME}
    refused = page.post(f"/portfolio/{portfolio.pk}/sources/give/{kind}", {**sent, "text": ""})
    assert refused.status_code == 422
    assert f'name="instead" value="{failed.pk}"' in refused.text
    source = give(kind, **sent)
    assert source.outcome == "read"
    given = Source.objects.filter(portfolio=portfolio).exclude(kind="corpus")
    assert [row.pk for row in given] == [source.pk]
    assert 'name="instead"' not in page.get(f"/portfolio/{portfolio.pk}/sources/{source.pk}").text


def test_only_what_could_not_be_read_makes_room(give, portfolio, make):
    read = give("profile", text=PROFILE)
    foreign = Source.objects.create(
        portfolio=make("portfolio", slug="other", owner_name="Another"),
        kind="profile", outcome="failed", given_at=timezone.now(), read_at=timezone.now(),
    )  # fmt: skip
    for other in (read, foreign):
        give("profile", text=PROFILE, instead=str(other.pk))
        assert Source.objects.filter(pk=other.pk).exists()


def test_only_public_addresses_are_fetched(give):
    source = give("repository", address="https://localhost/mara/kiln")
    assert (source.outcome, source.code) == ("failed", "PREPROCESS_ADDRESS_REFUSED")


def test_an_address_with_a_port_is_refused_for_its_port(give):
    source = give("resume", address="https://example.org:8443/cv")
    assert "port" in source.note


def test_a_source_goes_and_what_was_read_from_it_stays(give, page, portfolio):
    source = give("resume", text=RESUME)
    url = f"/portfolio/{portfolio.pk}/sources/{source.pk}"
    assert "Its records stay." in page.get(url).text
    assert page.post(f"{url}/delete").status_code == 302
    assert not Source.objects.filter(kind="resume").exists()
    assert len(rows(Experience, portfolio)) == 3


def test_a_model_reads_where_there_is_one_and_says_so_when_it_cannot(
    give, page, portfolio, scripted, drain
):
    scripted.on("portfolio_resume").status(400)
    source = give("resume", text=RESUME)
    assert (source.outcome, source.method) == ("failed", "model")
    assert source.code == "PREPROCESS_LLM_UNAVAILABLE"
    assert rows(Experience, portfolio) == []
    shown = page.get(f"/portfolio/{portfolio.pk}/sources").content.decode()
    assert "Read without a model" in shown
    page.post(f"/portfolio/{portfolio.pk}/sources/{source.pk}/read", {"how": "rules"})
    drain()
    source.refresh_from_db()
    assert (source.outcome, source.method) == ("check", "rules")
    confirm(page, source)
    assert len(rows(Experience, portfolio)) == 3
    scripted.on("portfolio_resume").json(WITH_MODEL)
    page.post(f"/portfolio/{portfolio.pk}/sources/{source.pk}/read")
    drain()
    source.refresh_from_db()
    assert (source.outcome, source.method, source.told["calls"]) == ("check", "model", 1)
    # also what a model has read can be read without one, from the list as from its own page
    for path in ("sources", f"sources/{source.pk}"):
        assert "Read without a model" in page.get(f"/portfolio/{portfolio.pk}/{path}").text
    confirm(page, source)
    assert [experience.company for experience in rows(Experience, portfolio)] == ["Acme Corp"]


@pytest.mark.thorough
def test_of_a_very_long_resume_its_page_says_how_much_was_read(give, page, scripted):
    scripted.on("portfolio_resume").json(WITH_MODEL)
    source = give("resume", confirmed=False, text=f"{RESUME}\n{'More of the same. ' * 5_000}")
    note = "Only the first 60000 characters were read."
    assert source.told["notes"][0] == note
    assert note in page.get(f"/portfolio/{source.portfolio_id}/sources/{source.pk}").text


def test_a_pdf_that_takes_too_long_is_given_up():
    with pytest.raises(PreprocessError, match="longer than") as refused:
        text_apart(pdf_of(RESUME), "cv.pdf", deadline_s=0.01)
    assert refused.value.failure == Code.PDF_UNREADABLE


@pytest.mark.thorough
def test_a_page_without_end_of_nesting_is_given_up():
    with pytest.raises(PreprocessError, match="longer than") as refused:
        page_apart("<div>" * 400_000, "https://kiln.example.org/about", deadline_s=1.0)
    assert refused.value.failure == Code.PAGE_UNAVAILABLE


def test_a_page_that_cannot_be_read_is_spoken_of_as_a_page():
    page = "é" * (LARGEST_BYTES // 2 + 1)  # it is cut within a letter
    with pytest.raises(PreprocessError, match="cannot be read as a web page") as refused:
        page_apart(page, "https://kiln.example.org/about")
    assert refused.value.failure == Code.PAGE_UNAVAILABLE
    assert "Save it" not in str(refused.value)


def test_a_worker_that_dies_is_followed_by_another_and_not_for_ever(give, portfolio, drain):
    source = give("resume", text=RESUME, at_once=False)
    long_ago = timezone.now() - timedelta(minutes=2)
    mine = Source.objects.filter(pk=source.pk)
    dead = {"outcome": "reading", "lease": uuid.uuid4(), "heartbeat_at": long_ago}
    mine.update(**dead, attempts=1)
    assert reading.sweep() == 1
    assert reading.read(source.pk)
    assert mine.get().outcome == "check"
    mine.update(**dead, attempts=reading.ATTEMPTS)
    assert reading.read(source.pk)
    assert (mine.get().outcome, mine.get().code) == ("failed", "BROKE_OFF")


def test_a_source_that_is_to_be_read_again_meanwhile_is_read_anew(give, portfolio, monkeypatch):
    source = give("resume", text=RESUME, at_once=False)
    read_on = reading.Reader.read

    def asked_meanwhile(reader, given):
        drafts = read_on(reader, given)
        reading.wait(Source.objects.get(pk=source.pk))
        return drafts

    monkeypatch.setattr(reading.Reader, "read", asked_meanwhile)
    assert reading.read(source.pk) is False
    assert rows(Experience, portfolio) == []
    assert Source.objects.get(pk=source.pk).outcome == "waiting"
