"""What was read from a resume is checked by its owner before anything of it is stored."""

from __future__ import annotations

import re
from typing import Any

import pytest

from projects.portfolio.index.building import index_for
from projects.portfolio.intake.drafts import from_json
from projects.portfolio.models import (
    Award,
    Credential,
    Education,
    Entry,
    Experience,
    Profile,
    Skill,
    Source,
)
from projects.portfolio.readiness import waiting_items
from tests.extent import some
from tests.portfolio.intake.conftest import draft, texts_of
from tests.portfolio.intake.layouts import GEODESIST
from tests.portfolio.intake.resumes import DATES_RIGHT, GERMAN, STACKED
from tests.portfolio.sources import README, RESUME
from tests.portfolio.sources_pages.conftest import resume_file, rows
from tests.portfolio.test_with_model import RESUME as WITH_MODEL

pytestmark = pytest.mark.django_db
RECORDS = (Experience, Education, Award, Credential, Skill)


def test_nothing_is_stored_before_it_is_confirmed(
    give, page, portfolio, check, alice, identity_for
):
    source = give("resume", confirmed=False, file=resume_file(DATES_RIGHT.text))
    assert source.outcome == "check"
    assert all(not rows(model, portfolio) for model in RECORDS)
    assert index_for(portfolio) is None or not index_for(portfolio).by_id
    assert "Check one source" in [
        waiting_item.title for waiting_item in waiting_items(identity_for(alice))
    ]
    listed = page.get(f"/portfolio/{portfolio.pk}/sources").content.decode()
    assert f"/portfolio/{portfolio.pk}/sources/{source.pk}/check" in listed
    confirmed = check(source, "confirm")
    assert confirmed.status_code == 302
    assert "Undo" in page.get(confirmed["Location"]).content.decode()  # it was one gesture
    assert (source.outcome, source.drafts) == ("read", [])
    volunteering = Experience.objects.filter(experience_type="volunteer", deleted_at=None)
    assert {(item.title, item.company) for item in volunteering} == {
        ("Mentor", "Girls in Engineering"),
        ("Volunteer", "Mountain rescue service"),
    }
    assert [f"{row.degree} {row.field}".strip() for row in rows(Education, portfolio)] == [
        "MSc Civil Engineering", "BSc Civil Engineering", "A-levels",
    ]  # fmt: skip
    assert [award.title for award in rows(Award, portfolio)] == [
        "Timber Prize of Carinthia",
        "Young Engineer Award",
    ]
    kinds = [credential.kind for credential in rows(Credential, portfolio)]
    assert (kinds.count("publication"), kinds.count("certificate"), kinds.count("language")) == (
        2, 2, 3,
    )  # fmt: skip


def test_the_entries_that_were_fused_once_are_two(give, portfolio):
    give("resume", file=resume_file(GEODESIST.text))
    assert {str(experience) for experience in rows(Experience, portfolio)} >= {
        "Coding mentor — CoderDojo Graz",
        "Volunteer — Mountain rescue service",
    }
    assert len(rows(Education, portfolio)) == 3
    assert len(rows(Award, portfolio)) == 3


@pytest.mark.parametrize(
    "resume", some([DATES_RIGHT, GERMAN, STACKED], 3), ids=lambda item: item.name
)
def test_source_and_records_stand_side_by_side_and_lead_to_each_other(
    give, page, portfolio, resume
):
    source = give("resume", confirmed=False, text=resume.text)
    shown = page.get(f"/portfolio/{portfolio.pk}/sources/{source.pk}/check").content.decode()
    for one in source.drafts:
        assert f'id="d-{one["key"]}"' in shown
        if one["end"]:
            assert source.text[one["start"] : one["end"]].strip()
    first = draft(source, "2018") if resume is not STACKED else draft(source, "Head of Planning")
    assert f'id="s-{first["key"]}"' in shown
    assert f'href="#s-{first["key"]}"' in shown
    assert f'href="#d-{first["key"]}"' in shown


def test_a_record_has_one_form_a_skill_its_places_and_a_wrong_date_comes_back(
    give, page, portfolio, check
):
    source = give("resume", confirmed=False, text=DATES_RIGHT.text)
    shown = page.get(f"/portfolio/{portfolio.pk}/sources/{source.pk}/check").text
    assert "Appears in: Senior Structural Engineer — Alpenbau GmbH" in texts_of(shown)
    for record in shown.split("data-draft=")[1:]:
        form = record.partition("</form>")[0]
        labels = [label.strip() for label in re.findall(r'for="\w+_\w+">([^<]+)<', form)]
        assert "Kind" in labels
        assert len(labels) == len(set(labels)), labels
    key = draft(source, "Holzer & Partner")["key"]
    sent = {"kind": "position", "company": "Holzer", "started": "2019", "ended": "2014"}
    answer = check(source, "save", key=key, **sent)
    assert answer.status_code == 422
    assert "The end is before the start" in answer.content.decode()
    assert "Holzer & Partner" in draft(source, "Holzer")["values"]["company"]


def test_a_record_is_corrected_and_stays_so_when_the_resume_is_read_again(
    give, page, portfolio, check, drain
):
    source = give("resume", confirmed=False, text=DATES_RIGHT.text)
    holzer = draft(source, "Holzer & Partner")
    form = {"kind": "position", "title": "Structural Engineer", "company": "Holzer and Partner Ltd"}
    form |= {"started": "September 2014", "ended": "2019-03", "location": "Klagenfurt, Austria"}
    form |= {"bullets": "\r\n".join(holzer["values"]["bullets"]), "skills": ""}
    assert check(source, "save", key=holzer["key"], **form).status_code == 302
    assert draft(source, "Holzer and")["values"]["started"] == "2014-09"
    check(source, "confirm")
    row = next(
        experience
        for experience in rows(Experience, portfolio)
        if experience.company.startswith("Holzer")
    )
    assert "company" in row.kept_fields
    page.post(f"/portfolio/{portfolio.pk}/sources/{source.pk}/read")
    drain()
    source.refresh_from_db()
    check(source, "confirm")
    companies = [experience.company for experience in rows(Experience, portfolio)]
    assert companies.count("Holzer and Partner Ltd") == 1
    assert "Holzer & Partner" not in companies


def test_a_newer_resume_finds_the_record_that_its_owner_completed_or_put_right(
    give, page, portfolio, check
):
    older = "Experience\n\nEngineer, Acme 2019 - 2021\n\n2013 - 2015\n• Cleaned archives.\n"
    source = give("resume", confirmed=False, text=older)
    named = {"kind": "position", "title": "Student", "company": "Shimbun", "started": "2013"}
    check(source, "save", key=draft(source, "Cleaned")["key"], **named, ended="2015")
    check(source, "confirm")
    acme = next(row for row in rows(Experience, portfolio) if row.company == "Acme")
    base = f"/portfolio/{portfolio.pk}/records/experience/{acme.pk}"
    page.post(base, {"company": "Acme Ltd", "title": acme.title, "started": "2019",
                     "ended": "2021", "version": str(acme.version)})  # fmt: skip
    newer = older.replace("Acme", "Acme Ltd").replace("\n2013", "\nTrainee, Shimbun 2013")
    give("resume", text=newer)
    records = {(row.company, row.title) for row in rows(Experience, portfolio)}
    assert records == {("Acme Ltd", "Engineer"), ("Shimbun", "Student")}
    assert len(rows(Experience, portfolio)) == 2


@pytest.mark.parametrize("form", [{}, {"keep": "on"}])
def test_what_an_earlier_resume_said_alone_is_named_before_it_goes_and_may_stay(
    give, page, portfolio, check, form
):
    give("resume", text="Experience\n\nEngineer, Acme 2019 - 2021\n\nAwards\n\nTram Prize 2020\n")
    source = give("resume", confirmed=False, text="Experience\n\nEngineer, Globex 2022 - 2024\n")
    html = page.get(f"/portfolio/{portfolio.pk}/sources/{source.pk}/check").text
    assert "removed when you confirm: Engineer — Acme; Tram Prize" in texts_of(html)
    # above and below the records, and of one form: what is ticked here holds there
    assert html.count('name="keep" form="confirm"') == html.count('<form id="confirm"') * 2 == 2
    check(source, "confirm", **form)
    companies = {row.company for row in rows(Experience, portfolio)}
    assert companies == ({"Acme", "Globex"} if form else {"Globex"})
    assert len(rows(Award, portfolio)) == len(form)


def test_records_are_fused_split_added_and_left_out(give, portfolio, check):
    source = give("resume", confirmed=False, text=DATES_RIGHT.text)
    count = len(source.drafts)
    bsc = draft(source, "BSc")
    check(source, "fuse", key=bsc["key"])
    assert len(source.drafts) == count - 1
    msc = draft(source, "MSc")
    assert source.text[msc["start"] : msc["end"]].count("\n") == 1
    second = source.text.index("BSc Civil")
    assert check(source, "split", key=msc["key"], at=second + 3).status_code == 422
    check(source, "split", key=msc["key"], at=second)
    assert len(source.drafts) == count
    assert draft(source, "BSc")["values"]["ended"] == "2011"
    assert draft(source, "MSc")["values"]["ended"] == "2014"
    check(source, "remove", key=draft(source, "A-levels")["key"])
    check(source, "add", kind="education", quote="A-levels, HTL Villach, 2007")
    added = draft(source, "A-levels")
    assert added["values"]["institution"] == "HTL Villach"
    assert source.text[added["start"] : added["end"]] == "A-levels, HTL Villach, 2007"
    assert check(source, "add", kind="award", quote="Nobel Prize for physics").status_code == 422
    check(source, "add", kind="award", quote="")
    assert check(source, "confirm").status_code == 422
    assert rows(Education, portfolio) == []
    check(source, "confirm", incomplete="leave")
    assert len(rows(Education, portfolio)) == 3
    assert check(source, "confirm").status_code == 409


def test_what_is_not_recognised_is_shown_and_becomes_what_its_owner_says(
    give, page, portfolio, check
):
    text = DATES_RIGHT.text + "\n\nPATENTS\n\nFolding gallery, AT 334455, 2016\n"
    source = give("resume", confirmed=False, text=text)
    unknown = next(item for item in source.drafts if not item["kind"])
    assert "Folding gallery" in text[unknown["start"] : unknown["end"]]
    assert check(source, "confirm").status_code == 422
    check(source, "save", key=unknown["key"], kind="award")
    assert draft(source, "Folding gallery")["values"]["date"] == "2016"
    check(source, "confirm")
    assert "Folding gallery" in [award.title for award in rows(Award, portfolio)]


def test_with_a_model_only_quoted_records_wait_to_be_checked(give, page, portfolio, scripted):
    scripted.on("portfolio_resume").json(WITH_MODEL)
    source = give("resume", confirmed=False, text=RESUME)
    assert len(scripted.of("portfolio_resume")) == 1
    assert "Globex" not in str(source.drafts)
    acme = draft(source, "Acme Corp")
    assert source.text[acme["start"] :].startswith("Acme Corp, Stockholm")
    assert "bullets" in acme["unsure"]
    shown = texts_of(
        page.get(f"/portfolio/{portfolio.pk}/sources/{source.pk}/check").content.decode()
    )
    assert "“Globex, Director” does not stand in the source" in shown
    assert Source.objects.get(pk=source.pk).outcome == "check"


def test_a_model_reads_the_years_and_figures_of_a_japanese_resume(give, portfolio, scripted):
    answers: Any = WITH_MODEL
    text = (
        "職歴\n令和３年４月　株式会社青空　入社\n売上を２０％伸ばした。\n"
        "学歴\n平成元年 京都大学 卒業\n"
    )
    position = answers["experience"][0] | {
        "quote": "令和３年４月 株式会社青空 入社", "company": "株式会社青空", "title": "入社",
        "location": None, "started": "2021-04", "bullets": ["売上を20%伸ばした。"], "skills": [],
    }  # fmt: skip
    school = answers["education"][0] | {
        "quote": "平成元年 京都大学 卒業", "institution": "京都大学", "degree": "卒業",
        "field": None, "started": "1990", "ended": "1989",
    }  # fmt: skip
    answer = answers | {"experience": [position], "education": [school], "skills": []}
    scripted.on("portfolio_resume").json(answer)
    source = give("resume", confirmed=False, text=text)
    worked, learnt = draft(source, "株式会社青空"), draft(source, "京都大学")
    assert worked["values"]["started"] == "2021-04"
    assert worked["values"]["bullets"] == ["売上を20%伸ばした。"]
    assert (learnt["values"]["started"], learnt["values"]["ended"]) == ("", "1989")
    assert learnt["unsure"] == ["started"]


def test_what_a_model_could_not_quote_empties_nothing_that_was_read_before(
    give, portfolio, scripted
):
    answers: Any = WITH_MODEL
    acme = answers["experience"][0]
    for bullets in (["Led a team of four; cut deploy time by 60%."], ["Won nine prizes."]):
        answer = answers | {"experience": [acme | {"bullets": bullets}]}
        scripted.on("portfolio_resume").json(answer)
        give("resume", text=RESUME)
    [row] = rows(Experience, portfolio)
    assert row.bullets == ["Led a team of four; cut deploy time by 60%."]


def test_confirming_a_source_leads_to_the_next_that_waits(give, page, portfolio, check):
    kiln = give("repository", confirmed=False, text=README)
    wheel = give("repository", confirmed=False, text=README.replace("Kiln", "Wheel"))
    following = check(kiln, "confirm")["Location"]
    assert following.startswith(f"/portfolio/{portfolio.pk}/sources/{wheel.pk}/check?done=")
    assert "Undo" in page.get(following).text
    last = check(wheel, "confirm")["Location"]
    assert last.startswith(f"/portfolio/{portfolio.pk}/sources?done=")
    assert {entry.title for entry in rows(Entry, portfolio)} == {"Kiln", "Wheel"}


def test_one_record_that_needs_a_look_is_open_and_saving_it_opens_the_next(give, page, portfolio):
    text = DATES_RIGHT.text + "\nPATENTS\n\nGallery, 2016\n\nHOUSES\n\nVilla Rosa, 2018\n"
    source = give("resume", confirmed=False, text=text)
    url = f"/portfolio/{portfolio.pk}/sources/{source.pk}/check"
    first, second = [item.key for item in from_json(source.drafts) if item.needs_look]

    def open_ones(address: str) -> list[str]:
        html = page.get(address).content.decode()
        return re.findall(r'data-draft="(\w+)">\s*<details open>', html)

    assert open_ones(url) == [first]
    for key, other in ((first, second), (second, "")):
        sent = {"do": "save", "key": key, "kind": "award", "title": "A prize"}
        answer = page.post(url, sent)
        assert open_ones(answer["Location"]) == ([other] if other else [])
    assert answer["Location"].endswith("#check-title")


NARROW = """\
Kenji Tanaka
Data Engineer

CONTACT
kenji@example.com
+49 30 1234567
Berlin, Germany

EXPERIENCE
Senior Data Engineer, Zürcher Datenwerk
GmbH, Berlin
since 2019
• Leads three engineers.

HOBBIES
Scratch for children

CERTIFICATES
AWS Certified Big Data,
Amazon 2019
"""


def test_contacts_below_a_heading_of_their_own_stay_private_and_are_no_record(
    give, page, portfolio, check
):
    source = give("resume", confirmed=False, text=NARROW)
    assert [item["kind"] for item in source.drafts] == ["profile", "position", "", "certificate"]
    unknown = source.drafts[2]
    shown = page.get(f"/portfolio/{portfolio.pk}/sources/{source.pk}/check").content.decode()
    # what is incomplete is named by its words
    assert re.search(rf'href="#d-{unknown["key"]}">Scratch for children</a>', shown)
    assert "<b>Scratch for children</b>" in shown
    check(source, "remove", key=unknown["key"])
    check(source, "confirm")
    assert Profile.objects.get().private_contact == ["kenji@example.com", "+49 30 1234567"]
    assert Credential.objects.get(kind="certificate").title == "AWS Certified Big Data"


def test_a_part_of_a_broken_name_is_not_taken_for_sure(give, portfolio):
    source = give("resume", confirmed=False, text=NARROW)
    assert draft(source, "Leads three")["unsure"] == ["company"]
