"""The second coding: blind, by somebody else, compared."""

from __future__ import annotations

import pytest

from chat.staff.actions import mark_reviewed
from tasks.campaigns.models import Campaign
from tasks.models import SurveyResponse
from tasks.staff import second
from tasks.staff.models import SecondCoding
from tests.tasks import changing

pytestmark = pytest.mark.django_db
PAGE = "/staff/second"


@pytest.fixture
def reviewed(sent, rita):
    """Alice's list, reviewed by rita."""
    mark_reviewed(user=rita, session=sent.response.session)
    return sent


@pytest.fixture
def other(browser, sven):
    """Sven's browser."""
    return browser(sven)


def test_it_begins_after_the_review_and_not_with_ones_own(desk, other, sent, rita):
    address = f"{PAGE}/{sent.tasks[0].pk}"
    assert "not due for second coding" in other.get(address).text
    mark_reviewed(user=rita, session=sent.response.session)
    assert "not due for second coding" in desk.get(address).text
    assert desk.post(address, {"candidate": "c2"}).status_code == 409
    assert not SecondCoding.objects.exists()
    assert "Analyze data." in other.get(address).text


def test_the_first_choice_is_not_shown(other, reviewed):
    text = other.get(f"{PAGE}/{reviewed.tasks[0].pk}").text
    assert "Analyze data." in text
    assert "Present findings." in text
    for told in ("chosen first:", "Likely match", "Strong match", "0.80", 'aria-current="true"'):
        assert told not in text.split("<main")[1]


def test_coding_goes_from_task_to_task_and_ends(other, reviewed):
    at, seen = other.get(f"{PAGE}/next")["Location"], []
    while at != PAGE:
        seen.append(at)
        answer = other.post(at, {"candidate": "c1" if len(seen) < 3 else "c2"})
        assert answer.status_code == 303
        at = answer["Location"]
    assert len(seen) == 3
    assert SecondCoding.objects.count() == 3
    again = other.post(seen[1], {"candidate": "c1"})
    assert (again.status_code, "not due for second coding" in again.text) == (409, True)
    total, lines = second.lines()
    assert (total.agreement.number, total.agreement.agreeing) == (3, 2)
    assert [line.title for line in lines] == ["No campaign"]
    assert "0.00" in other.get(PAGE).text


def test_a_slip_of_the_key_is_mended_from_the_next_task_and_only_the_last_one(other, reviewed):
    first = other.get(f"{PAGE}/next")["Location"]
    following = other.post(first, {"candidate": "none"})["Location"]
    assert f'href="{first}"' in other.get(following).text
    assert "Analyze data." in other.get(first).text
    other.post(first, {"candidate": "c1"})
    assert [coding.second_code for coding in SecondCoding.objects.all()] == ["c1"]
    other.post(following, {"candidate": "c1"})
    assert other.post(first, {"candidate": "none"}).status_code == 409


def test_a_disagreement_is_listed_with_both_choices_and_leads_to_the_list(desk, other, reviewed):
    task = reviewed.tasks[0]
    assert "No disagreements" in desk.get(PAGE).text
    assert other.post(f"{PAGE}/{task.pk}", {"candidate": "<b>"}).status_code == 400
    other.post(f"{PAGE}/{task.pk}", {"candidate": "none"})
    page = desk.get(PAGE)
    (listed,) = page.context["disagreements"]
    assert (listed.first, listed.second) == ("Analyze data.", "No good match")
    assert f"/staff/sessions/{reviewed.response.pk}?show=tasks&amp;task={task.pk}" in page.text
    for name in ("Coded twice", "First selection", "Second selection"):  # told on a phone, too
        assert f'data-label="{name}"' in page.text
    assert reviewed.fresh(task).match.text == "Analyze data."


def test_all_disagreements_are_counted_and_can_be_reached(desk, other, reviewed, monkeypatch):
    monkeypatch.setattr(second, "PAGE_SIZE", 1)
    older, newer = reviewed.tasks[:2]
    for task in (older, newer):
        other.post(f"{PAGE}/{task.pk}", {"candidate": "none"})
    first, last = (desk.get(f"{PAGE}?page={number}").text for number in (1, 2))
    assert '<span class="count">2</span>' in first
    assert (newer.statement in first, older.statement in first) == (True, False)
    assert older.statement in last


def test_agreement_is_told_by_campaign_and_only_campaigns_that_ask_take_part(other, reviewed, sven):
    quiet = Campaign.objects.create(slug="quiet", title="Quiet one")
    SurveyResponse.objects.filter(pk=reviewed.response.pk).update(campaign=quiet)
    assert not second.open_for(sven).exists()
    Campaign.objects.filter(pk=quiet.pk).update(has_second_review=True)
    other.post(f"{PAGE}/{reviewed.tasks[0].pk}", {"candidate": "c1"})
    assert "Quiet one" in other.get(f"{PAGE}?group={quiet.pk}").text
    assert second.lines()[1][0].campaign_id == quiet.pk


def test_no_disagreement_about_a_list_in_the_bin_or_a_deleted_task_is_listed(
    browser, alice, desk, other, reviewed
):
    first, second_task = reviewed.tasks[:2]
    for task in (first, second_task):
        other.post(f"{PAGE}/{task.pk}", {"candidate": "none"})
    changing.take_off(first)
    page = desk.get(PAGE).text
    assert (first.statement in page, second_task.statement in page) == (False, True)
    browser(alice).post(f"/conversations/{reviewed.response.pk}/delete")
    assert second_task.statement not in desk.get(PAGE).text
    assert other.get(f"{PAGE}/{second_task.pk}").status_code == 404
