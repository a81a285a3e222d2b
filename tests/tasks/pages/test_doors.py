"""Who may open which address of a survey, and what every page sends along."""

import re

import pytest

PAGES = ["chat", "tasks", "live", "complete", "csv", "json", "delete_answers"]
ROWS = ["row", "edit", "split", "merge"]
POSTS = ["finish", "another", "add", "balance", "submit", "delete_answers"]
ROW_POSTS = ["edit", "split", "merge", "move", "delete", "rate", "match"]


def test_actions_want_post(survey, page):
    for name in ("move", "delete", "rate", "match"):
        assert page.get(survey.url(name, survey.tasks[0])).status_code == 405


def test_pages_carry_no_inline_script_or_style_and_a_strict_policy(survey, page):
    for name in ("chat", "tasks", "complete", "delete_answers"):
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
