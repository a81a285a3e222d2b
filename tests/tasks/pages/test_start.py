"""Home, the job title, the picker of occupations, and the beginning of a talk."""

import pytest

from chat.models import Message, Participant, Run, Session
from tasks.models import SurveyResponse


@pytest.fixture(scope="module")
def _kept() -> None:
    """Everybody here begins without a survey."""


def test_home_says_what_it_is_and_makes_no_rows(db, client):
    answer = client.get("/")
    assert answer.status_code == 200
    assert "What would you like to do?" in answer.content.decode()
    assert Participant.objects.count() == 0
    assert client.get("/survey").status_code == 200
    assert Participant.objects.count() == 0


def test_home_lists_the_own_surveys_only(survey, page, browser, bob):
    assert survey.url("tasks") in page.get("/surveys").content.decode()
    assert survey.url("tasks") not in browser(bob).get("/surveys").content.decode()


def test_the_first_post_shows_the_picker_and_keeps_what_was_typed(starter, client):
    sent = {"title": "Registered Nurse", "initial_tasks": "I give medicine."}
    html = client.post("/survey", sent).content.decode()
    assert 'value="29-1141.00"' in html
    assert "None of these" in html
    assert "I give medicine." in html
    assert Session.objects.count() == 0


def test_choosing_an_occupation_starts_the_talk_for_an_anonymous_person(starter, client):
    answer = client.post("/survey", {"title": " Night  nurse ", "occupation": "29-1141.00"})
    response = SurveyResponse.objects.get()
    assert answer.headers["Location"] == f"/survey/{response.pk}/chat"
    assert response.job_title == "Night nurse"
    assert response.occupation_title == "Registered Nurses"
    assert Run.objects.filter(session=response.session).count() == 1
    assert client.get(answer.headers["Location"]).status_code == 200


@pytest.mark.parametrize("title", ["Prompt engineer", "Directora de una biblioteca municipal"])
def test_what_is_only_the_least_unlike_does_not_stand_chosen(starter, client, title):
    html = client.get("/survey/occupations", {"title": title}).content.decode()
    assert 'value="none" checked' in html
    assert html.count(" checked") == 1


def test_a_title_like_nothing_in_the_catalogue_starts_at_once(starter, client):
    html = client.get("/survey/occupations", {"title": "Krankenschwester"}).content.decode()
    assert "Continue with your own job title" in html
    assert "appear here" not in html
    assert "radio" not in html
    answer = client.post("/survey", {"title": "Krankenschwester"})
    response = SurveyResponse.objects.get()
    assert answer.headers["Location"] == f"/survey/{response.pk}/chat"
    assert response.occupation_code == ""


def test_none_of_these_goes_on_without_an_occupation(starter, client):
    client.post("/survey", {"title": "Cheese whisperer", "occupation": "none"})
    assert SurveyResponse.objects.get().occupation_code == ""


def test_a_title_ends_the_directions_that_it_begins(starter, client):
    client.post("/survey", {"title": "Ba\u202eker", "occupation": "none"})
    response = SurveyResponse.objects.get()
    assert (response.job_title, response.session.title) == ("Ba\u202eker\u202c",) * 2


def test_what_is_told_right_away_is_the_first_message(starter, client):
    sent = {"title": "Baker", "occupation": "none", "initial_tasks": " I bake bread. "}
    client.post("/survey", sent)
    assert Message.objects.get(role="user").text == "I bake bread."


@pytest.mark.parametrize(
    ("title", "told"), [("", "Please write something"), ("x" * 300, "at most 200")]
)
def test_a_title_that_does_not_fit_is_refused_with_the_form(starter, client, title, told):
    answer = client.post(
        "/survey", {"title": title, "occupation": "none", "initial_tasks": "I bake."}
    )
    html = answer.content.decode()
    assert answer.status_code == 422
    assert told in html
    assert "I bake." in html
    assert title in html
    assert 'aria-invalid="true"' in html
    assert Session.objects.count() == 0


def test_a_first_account_that_is_too_long_stays_in_the_form(starter, client):
    text = "I bake bread. " * 1500
    answer = client.post("/survey", {"title": "Baker", "occupation": "none", "initial_tasks": text})
    assert answer.status_code == 422
    assert "at most 10,000" in answer.content.decode()
    assert text in answer.content.decode()


def test_an_occupation_that_is_not_there_is_refused(starter, client):
    answer = client.post("/survey", {"title": "Baker", "occupation": "99-9999.99"})
    assert answer.status_code == 422
    assert "not in the catalogue" in answer.content.decode()


def test_markup_in_the_title_is_text_everywhere(starter, client):
    evil = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'
    html = client.post("/survey", {"title": evil, "initial_tasks": evil}).content.decode()
    assert "<script>alert" not in html
    assert "<img" not in html
    client.post("/survey", {"title": evil, "occupation": "none", "initial_tasks": evil})
    response = SurveyResponse.objects.get()
    for name in ("chat", "tasks", "complete"):
        page = client.get(f"/survey/{response.pk}/{name}").content.decode()
        assert "<script>alert" not in page, name
        assert "<img" not in page, name


def test_titles_are_offered_while_typing(starter, client):
    html = client.get("/survey/titles", {"title": "regist"}).content.decode()
    assert 'role="option"' in html
    assert "<b>Regist</b>ered Nurse" in html
    assert "role=" not in client.get("/survey/titles", {"title": ""}).content.decode()


def test_a_title_like_no_other_is_answered_in_the_line_under_the_field(starter, client):
    html = client.get("/survey/titles", {"title": "Xqzv wrangler"}).content.decode()
    assert "No similar job title in the catalogue" in html
    assert '<p id="title-hint" hx-swap-oob="innerHTML">' in html
    assert "<li" not in html
    assert (
        "No similar job title" not in client.get("/survey/titles", {"title": "x"}).content.decode()
    )


def test_the_picker_comes_as_a_fragment(starter, client):
    html = client.get("/survey/occupations", {"title": "nurse"}).content.decode()
    assert 'value="29-1141.00" checked' in html
    assert "<html" not in html
    assert html.count('type="radio"') in range(2, 7)
    assert "Starter catalogue" in html


def test_the_footer_names_the_source(starter, client):
    html = client.get("/survey").content.decode()
    assert "CC BY 4.0" in html
    assert "Starter catalogue" in html


def test_a_start_without_a_recording_is_told_as_json_and_leaves_nobody_behind(client, db):
    answer = client.post("/survey/transcribe", {}, headers={"Accept": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"]["field"] == "audio"
    assert client.get("/survey/transcribe").status_code == 405
    assert not Participant.objects.exists()


JAPANESE = {"Accept-Language": "ja-JP,ja;q=0.9"}


@pytest.mark.django_db(transaction=True)
def test_with_a_model_a_title_in_any_language_finds_its_occupations(starter, client, scripted):
    scripted.on("title_translation").json({"titles": ["Registered Nurse", "Nurse"]})
    sent = {"title": "看護師", "initial_tasks": "血圧を測ります。"}
    html = client.post("/survey", sent, headers=JAPANESE).content.decode()
    assert 'value="29-1141.00" checked' in html
    assert "血圧を測ります。" in html
    assert not Session.objects.exists()
    asked = scripted.of("title_translation")
    assert "看護師" in asked[0].text
    shown = client.get("/survey/occupations", {"title": "看護師"}, headers=JAPANESE)
    assert 'value="29-1141.00" checked' in shown.content.decode()
    assert len(scripted.of("title_translation")) == 1  # it is known for a day
    client.post("/survey", {**sent, "occupation": "29-1141.00"}, headers=JAPANESE)
    response = SurveyResponse.objects.get()
    assert (response.job_title, response.occupation_code) == ("看護師", "29-1141.00")


@pytest.mark.django_db(transaction=True)
def test_a_model_is_asked_for_a_title_only_where_that_may_help(starter, client, scripted):
    scripted.on("title_translation").json({"titles": ["<b>x</b>" * 60, " "]}).status(500)
    english = {"Accept-Language": "en-GB"}
    shown = client.post("/survey", {"title": "Registered Nurse"}, headers=english)
    assert 'value="29-1141.00"' in shown.content.decode()
    assert not scripted.of("title_translation")
    for title in ("Zauberin", "Zauberer"):  # nonsense, then a model that is away
        answer = client.post("/survey", {"title": title}, headers={"Accept-Language": "de"})
        assert answer.status_code == 302
        assert SurveyResponse.objects.get(job_title=title).occupation_code == ""
    assert len(scripted.of("title_translation")) == 2
