"""Starting a portfolio, its overview, its settings, its records by hand."""

from __future__ import annotations

import pytest
from django.urls import reverse

from chat.operations.models import Operation, OperationBatch
from projects.portfolio.models import Entry, Experience, Persona, Portfolio, Profile
from tests.portfolio.sources import PROFILE
from tests.portfolio.sources_pages.conftest import rows

pytestmark = pytest.mark.django_db
START = {"owner_name": "Mara Lindqvist", "domain_label": "potter", "kind": "individual"}


def test_a_visitor_without_an_account_starts_a_portfolio_and_finds_it_again(browser):
    client = browser()
    assert "Profession or field" in client.get("/portfolio").content.decode()
    assert Portfolio.objects.count() == 0
    answer = client.post("/portfolio", START)
    made = Portfolio.objects.get()
    assert answer["Location"].startswith(f"/portfolio/{made.pk}")
    assert (made.slug, made.status) == ("mara-lindqvist", "draft")
    assert client.get("/portfolio")["Location"] == f"/portfolio/{made.pk}"
    assert browser().get(f"/portfolio/{made.pk}").status_code == 404


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        *[("Jürgen Groß", "jurgen-gross"), ("STRAẞE & Söhne", "strasse-sohne")],
        *[("Łukasz Wałęsa", "lukasz-walesa"), ("Søren Ørsted", "soren-orsted")],
        *[("Đặng Đình", "dang-dinh"), ("Ægir Þórðarson", "aegir-thordarson")],
        *[("Işıl Yıldız", "isil-yildiz"), ("İbrahim Œuvrard", "ibrahim-oeuvrard")],
        *[("Leyla Əliyeva", "leyla-eliyeva"), ("Ħaġar Ŧ Ŋ", "hagar-t-n")],
        ("Łukasz Ольга", "lukasz"),
    ],
)
def test_an_address_keeps_every_latin_letter_of_a_name(page, name, slug):
    page.post("/portfolio", START | {"owner_name": name})
    assert Portfolio.objects.get().slug == slug


@pytest.mark.parametrize("name", ["山田 太郎", "Ольга"])
def test_a_name_without_latin_letters_asks_for_an_address_and_keeps_what_was_typed(page, name):
    asked = page.post("/portfolio", START | {"owner_name": name})
    assert asked.status_code == 422
    assert "choose an address, such as olga-petrova" in asked.text
    assert f'value="{name}"' in asked.text
    assert not Portfolio.objects.exists()
    page.post("/portfolio", START | {"owner_name": name, "slug": "taro-yamada"})
    assert Portfolio.objects.get().slug == "taro-yamada"


def test_a_name_ends_the_directions_that_it_begins(page):
    page.post("/portfolio", START | {"owner_name": "Mara \u2067L"})
    portfolio = Portfolio.objects.get()
    assert portfolio.owner_name == "Mara \u2067L\u2069"
    page.post(f"/portfolio/{portfolio.pk}/entries", {"title": "Ki\u202eln"})
    assert Entry.objects.get().title == "Ki\u202eln\u202c"


def test_an_address_is_given_once(page, browser, bob):
    page.post("/portfolio", START)
    other = browser(bob)
    other.post("/portfolio", START)
    assert sorted(Portfolio.objects.values_list("slug", flat=True)) == [
        "mara-lindqvist",
        "mara-lindqvist-2",
    ]
    answer = other.post("/portfolio", START | {"slug": "mara-lindqvist"})
    assert answer.status_code == 422
    assert "This address is taken by another portfolio" in answer.content.decode()


def test_the_overview_says_what_is_missing_until_nothing_is(page, portfolio, give, make):
    url = f"/portfolio/{portfolio.pk}"
    shown = page.get(url).content.decode()
    assert "Add a profile: who you are" in shown
    assert "Add an entry: one piece of work" in shown
    assert "This portfolio is empty" in shown
    give("profile", text=PROFILE)
    make(
        "portfolio_entry",
        portfolio=portfolio.pk, doc_id="kiln", slug="kiln", title="Kiln", status="published",
    )  # fmt: skip
    shown = page.get(url).content.decode()
    assert "Required to publish" not in shown
    assert "Ready to publish" in shown
    assert "Suggestions" in shown


@pytest.mark.thorough
def test_the_overview_costs_the_same_however_much_there_is(
    page, portfolio, make, django_assert_max_num_queries
):
    for number in range(12):
        make("portfolio_skill", portfolio=portfolio.pk, doc_id=f"skill_{number}", name=f"S{number}")
    with django_assert_max_num_queries(24):
        page.get(f"/portfolio/{portfolio.pk}")
    with django_assert_max_num_queries(16):
        page.get(f"/portfolio/{portfolio.pk}/records/skills")


def test_settings_changed_in_two_tabs_ask_which_shall_stand(page, portfolio):
    url = f"/portfolio/{portfolio.pk}/settings"
    form = {**START, "slug": "mara", "version": "1"}
    assert page.post(url, form | {"domain_label": "baker"}).status_code == 302
    answer = page.post(url, form | {"domain_label": "smith"})
    assert answer.status_code == 409
    shown = answer.content.decode()
    assert "baker" in shown
    assert "smith" in shown


def test_deleting_can_be_undone(page, portfolio):
    answer = page.post(f"/portfolio/{portfolio.pk}/delete")
    assert page.get(f"/portfolio/{portfolio.pk}").status_code == 404
    assert "Undo" in page.get(answer["Location"]).content.decode()
    batch = OperationBatch.objects.order_by("-created_at").first()
    assert batch is not None
    page.post(f"/projects/undo/{batch.pk}", {"next": f"/portfolio/{portfolio.pk}"})
    assert page.get(f"/portfolio/{portfolio.pk}").status_code == 200


def test_what_was_done_names_records_as_their_language_writes_them(page, portfolio):
    page.post(reverse("chat:language"), {"language": "de"})
    base = f"/portfolio/{portfolio.pk}/records/education"
    answer = page.post(base, {"institution": "Töpferschule"})
    shown = page.get(answer["Location"]).content.decode()
    assert "Zu „Ausbildung“ hinzugefügt" in shown


def test_two_degrees_of_one_school_are_told_apart(page, portfolio):
    base = f"/portfolio/{portfolio.pk}/records/education"
    for degree in ("BEng", "MSc"):
        page.post(base, {"institution": "Chalmers", "degree": degree, "field": "Clay"})
    shown = page.get(base).text
    assert shown.count(": MSc — Chalmers</span>") == shown.count(": BEng — Chalmers</span>") == 2
    assert shown.count(">Clay</p>") == 2  # and beside it what its name does not say


def test_records_are_added_changed_and_deleted_by_hand(page, portfolio):
    base = f"/portfolio/{portfolio.pk}/records/experience"
    form = {"company": "Clay Ltd", "title": "Potter", "started": "March 2020", "is_current": "on"}
    form |= {"bullets": "- Made pots\n- Fired them", "skills": "clay, Fire, clay"}
    assert page.post(base, form).status_code == 302
    (row,) = rows(Experience, portfolio)
    assert (row.doc_id, row.started, row.is_current) == ("exp_clay_ltd_2020", "2020-03", True)
    assert row.bullets == ["Made pots", "Fired them"]
    assert row.skills == ["clay", "Fire"]
    assert "bullets" in row.kept_fields
    shown = page.get(f"{base}/{row.pk}").content.decode()
    assert "- Made pots" not in shown
    assert "Made pots" in shown
    wrong = page.post(f"{base}/{row.pk}", form | {"ended": "2019", "is_current": ""})
    assert wrong.status_code == 422
    assert "The end is before the start" in wrong.content.decode()
    page.post(base, {"company": "Before Ltd", "started": "2015", "ended": "2019"})
    listed = page.get(base).content.decode()
    assert listed.index("Clay Ltd") < listed.index("Before Ltd")
    answer = page.post(f"{base}/{row.pk}/delete")
    assert "Undo" in page.get(answer["Location"]).content.decode()
    assert [experience.company for experience in rows(Experience, portfolio)] == ["Before Ltd"]


def test_profile_and_voice_are_one_each_and_written_through_the_ledger(page, portfolio):
    base = f"/portfolio/{portfolio.pk}/records"
    links = "My code https://github.com/mara since 2012\nhttps://example.org"
    form = {"full_name": "Mara", "about": "I make pots.\n\nAnd wheels.", "social_links": links}
    form["private_contact"] = "mara@example.org"
    assert page.post(f"{base}/profile", form).status_code == 302
    (profile,) = rows(Profile, portfolio)
    assert profile.about == ["I make pots.", "And wheels."]
    assert [social_link["label"] for social_link in profile.social_links] == [
        "My code",
        "example.org",
    ]
    assert profile.social_links[0]["blurb"] == "since 2012"
    again = page.post(
        f"{base}/profile", form | {"headline": "Potter"}
    )  # a form without its version
    assert again.status_code == 302
    assert len(rows(Profile, portfolio)) == 1
    persona = {"short_about": "I'm Mara.", "system_persona": "You speak as Mara."}
    examples = "USER: tea?\nCHATBOT: always"
    page.post(f"{base}/persona", {**persona, "voice_examples": examples})
    (voice,) = rows(Persona, portfolio)
    assert voice.voice_examples == ["USER: tea? CHATBOT: always"]
    wrong = page.post(f"{base}/persona", {**persona, "voice_examples": "tea, always"})
    assert wrong.status_code == 422
    assert "tea, always" in wrong.content.decode()
    assert Operation.objects.filter(entity="portfolio_profile", type="create").count() == 1
