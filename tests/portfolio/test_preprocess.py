"""The command from end to end, by rules: all is read, checked and stored, or nothing is."""

import datetime as dt
import json
import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management.base import CommandError

from chat.operations.changes import Actor, Create, Update
from chat.operations.execute import execute
from chat.operations.models import OperationBatch
from projects.portfolio.index.building import index_for
from projects.portfolio.intake.config import read_config, read_list
from projects.portfolio.models import (
    Award,
    Document,
    Education,
    Entry,
    Experience,
    IndexBuild,
    Persona,
    Portfolio,
    Profile,
    Skill,
    Source,
)
from tests.extent import some
from tests.portfolio.sources import pdf_of

pytestmark = pytest.mark.django_db
TODAY = dt.date(2026, 11, 21)


def test_whose_it_is_is_said_by_user_name_or_email(sources, preprocess, alice, bob):
    with pytest.raises(CommandError, match="There is no account 'carol'"):
        preprocess(sources.file, user="carol")
    User.objects.filter(pk=alice.pk).update(email="shared@example.org")
    User.objects.filter(pk=bob.pk).update(email="shared@example.org")
    with pytest.raises(CommandError, match="Say with --user NAME whose"):
        preprocess(sources.file, user="shared@example.org")
    User.objects.filter(pk=bob.pk).update(email="Bob@example.org")
    preprocess(sources.file, user="bob@example.org")
    assert Portfolio.objects.get(slug="mara").owner.user == bob


def test_all_is_read_stored_written_and_found(sources, preprocess):
    told, _ = preprocess(sources.file)
    portfolio = Portfolio.objects.get(slug="mara")
    entry = Entry.objects.get()
    assert (entry.doc_id, entry.title) == ("kiln", "Kiln")
    assert entry.summary == "A scheduler for pottery kilns, written in Rust with a Postgres store."
    assert entry.languages == ["Rust"]
    assert entry.tech_stack == ["PostgreSQL"]  # Docker is only how it is installed
    assert entry.live_url == "https://kiln.example.org"
    assert "40 studios" in entry.description
    assert [experience.company for experience in Experience.objects.all()] == [
        "Acme Corp",
        "BigCo",
        "StartupCo",
    ]
    assert list(Experience.objects.get(company="Acme Corp").linked_entries.all()) == [entry]
    assert Education.objects.get().degree == "MSc"
    assert Award.objects.get().issuer == "Chalmers Foundation"
    assert Skill.objects.count() == 7
    profile = Profile.objects.get()
    assert (profile.headline, profile.location) == (
        "Engineer for quiet back ends.",
        "Gothenburg, Sweden",
    )
    assert "mara@example.org" in profile.private_contact
    assert Persona.objects.get().voice_examples[0].startswith("USER: who are you?")
    assert '• "Acme Corp" — Senior Software Engineer (2022-01 to present)' in told
    assert "Read by rules" in told
    assert "Confirmed by this command; nobody has looked at a check page." in told
    assert IndexBuild.objects.get(portfolio=portfolio).is_active
    batch = OperationBatch.objects.get(owner_id=portfolio.owner_id)
    assert batch.reason == "portfolio_preprocess"
    _each_source_is_noted_with_its_place_commit_and_method()
    _nothing_private_stands_in_a_document()
    _files_and_metrics_have_the_form_of_the_spec(sources.folder / "generated")
    _questions_find_what_was_read()


def _each_source_is_noted_with_its_place_commit_and_method():
    readme = Source.objects.get(kind="readme")
    assert readme.place.endswith("mara/kiln#README.md")
    assert len(readme.commit) == 40
    assert readme.method == "rules"
    assert "pottery" in readme.text
    assert Entry.objects.get().source == readme
    assert set(Source.objects.values_list("kind", flat=True)) == {
        *("repository_list", "readme", "resume", "profile", "corpus")
    }


def _nothing_private_stands_in_a_document():
    everything = " ".join(
        f"{document.title} {document.text} {document.keywords}"
        for document in Document.objects.all()
    )
    for word in ("mara@example.org", "123 45 67"):
        assert word not in everything


def _files_and_metrics_have_the_form_of_the_spec(folder):
    project = json.loads((folder / "projects.json").read_text())[0]
    assert project["techStack"] == ["PostgreSQL"]
    assert project["oneLiner"].startswith("A scheduler")
    experience = json.loads((folder / "resume.json").read_text())[0]
    assert experience["linkedProjects"] == ["kiln"]
    assert experience["isCurrent"] is True
    assert experience["monthsOfExperience"] > 50
    (metrics,) = (folder / "metrics").glob("preprocess-*.json")
    told = json.loads(metrics.read_text())
    assert [stage["stage"] for stage in told["stages"]] == [
        *("list", "projects", "resume", "profile", "persona", "embeddings")
    ]
    assert told["method"] == "rules"


def _questions_find_what_was_read():
    index = index_for(Portfolio.objects.get())
    projects = index.search("projects", "Have you used Postgres?", today=TODAY)
    assert [project.doc_id for project in projects] == ["kiln"]
    jobs = index.search("resume", "Go experience at work", scope="employment_only", today=TODAY)
    assert jobs[0].title == "Senior Software Engineer — Acme Corp"
    assert index.search("projects", "underwater welding certificates", today=TODAY) == []
    assert index.by_id["profile", "profile"].title == "Mara Lindqvist"
    shipped = index.search("projects", "Which projects did you ship at Acme Corp?", today=TODAY)
    assert shipped[0].doc_id == "kiln"


def test_reading_again_changes_nothing_and_a_failure_leaves_all_as_it_was(sources, preprocess):
    preprocess(sources.file)
    told, _ = preprocess(sources.file)
    assert " 0 changes" in told
    assert OperationBatch.objects.count() == 1
    assert IndexBuild.objects.count() == 1
    assert Source.objects.filter(kind="readme").count() == 2  # the row still names the first
    build = IndexBuild.objects.get()
    sources.write("profile.md", "")
    with pytest.raises(CommandError, match="PREPROCESS_PROFILE_REQUIRED"):
        preprocess(sources.file)
    assert IndexBuild.objects.get() == build


@pytest.mark.thorough
def test_what_a_person_put_right_or_wrote_stays_and_what_left_the_list_goes(sources, preprocess):
    preprocess(sources.file)
    portfolio, entry = Portfolio.objects.get(), Entry.objects.get()
    own = {
        "portfolio": portfolio.pk,
        "doc_id": "own",
        "slug": "own",
        "title": "Mine",
        "status": "published",
    }
    right = {"title": "Kiln Planner", "kept_fields": ["title"]}
    changes = [Update("portfolio_entry", entry.pk, right), Create("portfolio_entry", own)]
    execute(actor=Actor(portfolio.owner_id), changes=changes)
    sources.repos.append({"repo": "mara/loom", "projectId": "loom"})
    sources.add_repository(
        "mara/loom", {"README.md": "# Loom\n\nWeaves patterns with Python and NumPy."}
    )
    preprocess(sources.file)
    titles = set(Entry.objects.filter(deleted_at=None).values_list("title", flat=True))
    assert titles == {"Kiln Planner", "Loom", "Mine"}
    assert set(Document.objects.filter(corpus="projects").values_list("title", flat=True)) == titles
    sources.repos[1]["hideFromChat"] = True
    preprocess(sources.file)
    left = Entry.objects.filter(deleted_at=None).values_list("title", flat=True)
    assert set(left) == {"Kiln Planner", "Mine"}


def test_missing_and_empty_repositories_are_passed_over_and_a_long_readme_cut(sources, preprocess):
    sources.repos += [
        {"repo": "mara/gone", "projectId": "gone"},
        {"repo": "mara/empty", "projectId": "empty"},
        {"repo": "mara/blank", "projectId": "blank"},
        {"repo": "mara/kiln", "projectId": "again", "linkedToCompanies": ["Nobody Ltd"]},
        {"repo": "mara/long", "projectId": "long"},
    ]
    sources.add_repository("mara/long", {"README.md": "# Long\n\n" + "It weaves. " * 12_000})
    sources.add_repository("mara/empty", {"main.py": "print()"})
    sources.add_repository("mara/blank", {"README.md": " \n"})
    _, told = preprocess(sources.file)
    assert "PREPROCESS_REPO_NOT_FOUND (gone)" in told
    assert "PREPROCESS_EMPTY_README (empty)" in told
    assert "PREPROCESS_EMPTY_README (blank)" in told
    assert "PREPROCESS_COMPANY_NOT_FOUND (again)" in told
    assert "PREPROCESS_README_TRUNCATED (long)" in told
    assert len(Source.objects.get(doc_id="long").text.encode()) == 100_000
    assert Entry.objects.count() == 3
    skipped = Source.objects.filter(outcome="skipped")
    assert {item.doc_id for item in skipped} == {"gone", "empty", "blank"}


@pytest.mark.parametrize(
    ("spoil", "code"),
    some(
        [
            (lambda item: item.repos.clear(), "PREPROCESS_NO_PROJECTS"),
            (lambda item: (item.folder / "profile.md").unlink(), "PREPROCESS_PROFILE_REQUIRED"),
            (lambda item: item.write("profile.md", " \n"), "PREPROCESS_PROFILE_REQUIRED"),
            (lambda item: (item.folder / "resume.pdf").unlink(), "PREPROCESS_PDF_UNREADABLE"),
            (lambda item: item.write("resume.pdf", "%PDF-1.4 broken"), "PREPROCESS_PDF_UNREADABLE"),
            (lambda item: item.write("resume.pdf", "Mara Lindqvist"), "PREPROCESS_PDF_UNREADABLE"),
            (
                lambda item: (item.folder / "resume.pdf").write_bytes(pdf_of(" ")),
                "PREPROCESS_PDF_EMPTY",
            ),
            (
                lambda item: (item.folder / "resume.pdf").write_bytes(
                    pdf_of("Hello, this is no resume.")
                ),
                "PREPROCESS_NO_RESUME",
            ),
            (
                lambda item: item.config["github"].update(repoListPath="none.json"),
                "PREPROCESS_GIST_UNAVAILABLE",
            ),
            (lambda item: item.repos.append({"repo": "x"}), "PREPROCESS_GIST_INVALID"),
            (lambda item: item.repos.append(dict(item.repos[0])), "PREPROCESS_GIST_INVALID"),
            (lambda item: item.config["owner"].pop("ownerName"), "PREPROCESS_CONFIG_INVALID"),
        ],
        3,
    ),
)
def test_what_fails_says_its_code_and_stores_nothing(sources, preprocess, spoil, code):
    spoil(sources)
    with pytest.raises(CommandError, match=code):
        preprocess(sources.file)
    assert not Portfolio.objects.exists()
    assert not Document.objects.exists()


def test_a_dry_run_stores_nothing(sources, preprocess):
    told, _ = preprocess(sources.file, dry_run=True)
    assert "not stored" in told
    assert not Portfolio.objects.exists()


@pytest.mark.thorough
def test_two_portfolios_never_mix(sources, preprocess):
    preprocess(sources.file)
    sources.config["owner"] |= {"ownerId": "noor", "ownerName": "Noor Haddad"}
    sources.add_repository("noor/loom", {"README.md": "# Loom\n\nWeaves patterns in Python."})
    sources.repos = [{"repo": "noor/loom", "projectId": "loom"}]
    preprocess(sources.file)
    for slug, project in (("mara", "kiln"), ("noor", "loom")):
        index = index_for(Portfolio.objects.get(slug=slug))
        assert [doc.doc_id for doc in index.parts["projects"].docs] == [project]
        found = index.search("projects", "pottery kilns, weaving patterns", today=TODAY)
        assert [item.doc_id for item in found] == [project]


def test_the_files_that_the_documents_show_are_read(tmp_path):
    documents = Path(__file__).resolve().parents[2] / "docs" / "how-to"
    page = (documents / "read-a-portfolio.md").read_text(encoding="utf-8")
    shown, listed, _commands = re.findall(r"^```\w+\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    (tmp_path / "me.yml").write_text(shown)
    (tmp_path / "repositories.json").write_text(listed)
    config = read_config(tmp_path / "me.yml")
    assert config.resume.path == "resume.pdf"
    assert [repo.include for repo in read_list(config.github, tmp_path)] == [True, True, False]
