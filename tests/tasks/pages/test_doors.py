"""Who may open which address of a survey, and what every page sends along."""

import re
import uuid

import pytest
from django.urls import reverse

from tests.tasks.pages.conftest import make_survey

PAGES = ["chat", "tasks", "live", "complete", "csv", "json", "delete_answers"]
ROWS = ["row", "edit", "split", "merge"]
POSTS = ["finish", "another", "add", "balance", "submit", "delete_answers"]
ROW_POSTS = ["edit", "split", "merge", "move", "delete", "restore", "rate", "match"]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_for_its_owner_only(survey, page, browser, charlie, name):
    url = survey.url(name)
    assert page.get(url).status_code == 200
    assert browser(charlie).get(url).status_code == 404
    assert browser().get(url).status_code == 404


@pytest.mark.parametrize("name", ROWS)
def test_a_row_opens_for_its_owner_only(survey, page, browser, charlie, htmx, name):
    url = survey.url(name, survey.tasks[0])
    assert page.get(url, headers=htmx).status_code == 200
    assert browser(charlie).get(url, headers=htmx).status_code == 404
    assert browser().get(url, headers=htmx).status_code == 404


@pytest.mark.parametrize("name", POSTS)
def test_a_stranger_changes_nothing(survey, browser, charlie, name):
    before = survey.statements()
    assert browser(charlie).post(survey.url(name), {"sure": "yes"}).status_code == 404
    assert browser().post(survey.url(name), {"sure": "yes"}).status_code == 404
    survey.response.refresh_from_db()
    assert survey.response.submitted_at is None
    assert survey.statements() == before


@pytest.mark.parametrize("name", ROW_POSTS)
def test_a_stranger_changes_no_task(survey, browser, charlie, name):
    task = survey.tasks[0]
    sent = {"statement": "Steal", "to": "down", "time_share": "5", "candidate": "none"}
    assert browser(charlie).post(survey.url(name, task), sent).status_code == 404
    assert survey.fresh(task).version == 1


def test_bob_cannot_reach_alices_task_through_his_own_survey(survey, browser, bob, participant_of):
    his = make_survey(participant_of(bob))
    url = reverse("survey:edit", args=[his.response.pk, survey.tasks[0].pk])
    assert browser(bob).post(url, {"statement": "Mine now"}).status_code == 404
    assert survey.statements()[0] == "Clean data"


@pytest.mark.parametrize("name", [*PAGES, "titles"])
def test_unknown_ids_are_404(page, name):
    if name == "titles":
        assert page.get("/survey/not-a-uuid/chat").status_code == 404
    else:
        assert page.get(reverse(f"survey:{name}", args=[uuid.uuid4()])).status_code == 404


def test_an_unknown_task_is_404(survey, page):
    for name in ROW_POSTS:
        url = reverse(f"survey:{name}", args=[survey.response.pk, uuid.uuid4()])
        sent = {"statement": "x y", "statements": "a\nb", "others": [str(survey.tasks[1].pk)],
                "to": "up", "time_share": "1", "candidate": "none"}  # fmt: skip
        assert page.post(url, sent).status_code == 404, name


def test_actions_want_post(survey, page):
    for name in ("move", "delete", "restore", "rate", "match"):
        assert page.get(survey.url(name, survey.tasks[0])).status_code == 405


@pytest.mark.parametrize("name", ["chat", "tasks", "complete", "delete_answers"])
def test_pages_carry_no_inline_script_or_style_and_a_strict_policy(survey, page, name):
    answer = page.get(survey.url(name))
    _is_strict(answer)


@pytest.mark.parametrize(
    "path", ["/", "/survey?title=nurse", "/accounts/login/", "/accounts/signup/",
             "/accounts/password/reset/", "/about/answers", "/admin/login/"],
)  # fmt: skip
def test_public_pages_are_strict_too(db, client, path):
    _is_strict(client.get(path))


def _is_strict(answer):
    assert answer.status_code == 200
    html = answer.content.decode()
    assert not re.search(r"<script(?![^>]*\bsrc=)", html)
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=", html)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert '"allowEval":false' in html


def test_a_page_says_its_language_its_title_and_the_way_past_the_masthead(survey, page):
    html = page.get(survey.url("tasks")).content.decode()
    assert '<html lang="en">' in html
    assert "<title>Review your tasks · Futura</title>" in html
    assert 'class="skip" href="#main"' in html
    assert 'id="main"' in html
    assert html.count("<h1") == 1


def test_every_control_of_the_list_has_a_name(survey, page):
    html = page.get(survey.url("tasks")).content.decode()
    for tag in re.findall(r"<(?:input|textarea)[^>]*>", html):
        if 'type="hidden"' in tag:
            continue
        labelled = re.search(r'id="([^"]+)"', tag)
        inside_label = 'type="radio"' in tag or 'type="checkbox"' in tag
        assert inside_label or (labelled and f'for="{labelled[1]}"' in html), tag
    for tag, inner in re.findall(r"<button([^>]*)>(.*?)</button>", html, re.DOTALL):
        assert "aria-label=" in tag or re.sub(r"<[^>]+>", "", inner).strip(), tag


def test_ids_occur_once(survey, page):
    html = page.get(survey.url("tasks")).content.decode()
    ids = re.findall(r'\sid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
