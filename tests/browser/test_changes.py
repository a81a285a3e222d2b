"""The log of changes: live, in two tabs, by keyboard, on a phone, without scripts."""

from __future__ import annotations

import json
import re
import sys
import uuid

import pytest
from playwright.sync_api import Page, expect

from tests.browser.walk import no_sideways_scrolling, start_talking

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
DO = """
import json, sys, uuid
import django
django.setup()
from chat.models import Message, Session
from chat.operations.changes import Actor, Cause, Create, Delete, Update
from chat.operations.execute import execute
from chat.operations.review import propose
from projects.models import Project
session = Session.objects.get(pk=sys.argv[1])
said = Message.objects.filter(session=session, role="user").first()
agent = Actor(session.participant_id, kind="agent")
cause = Cause(session=session, message=said)
for step in json.loads(sys.argv[2]):
    made = []
    for one in step["changes"]:
        entity, key = one["entity"], uuid.UUID(one["id"])
        if one["do"] == "create":
            made.append(Create(entity, one["values"], id=key))
        elif one["do"] == "update":
            made.append(Update(entity, key, one["values"]))
        else:
            made.append(Delete(entity, key))
    if step.get("review"):
        propose(actor=agent, changes=made, reasons=["It deletes something."], cause=cause)
    else:
        batch = execute(actor=agent, changes=made, cause=cause, title=step.get("title", ""))
"""


def create(entity: str, key: str, **values: object) -> dict:
    return {"do": "create", "entity": entity, "id": key, "values": values}


def update(entity: str, key: str, **values: object) -> dict:
    return {"do": "update", "entity": entity, "id": key, "values": values}


@pytest.fixture
def changes(stack, open_page):
    """A page with the changes of a conversation, and a way to have an agent change things."""

    def start(size: str = "desk", **options: object):
        page = open_page(size, **options)
        start_talking(page, stack.url, "Policy Analyst")
        session = re.findall(r"/survey/([0-9a-f-]{36})/", page.url)[0]

        def agent(*steps: dict) -> None:
            script = (sys.executable, "-c", DO, session, json.dumps(steps))
            stack._run(*script, DJANGO_SETTINGS_MODULE="futura.settings")

        page.goto(f"{stack.url}/operations/sessions/{session}")
        page.locator("html[data-line=on]").wait_for(state="attached")
        return page, agent

    return start


def ids(n: int) -> list[str]:
    return [str(uuid.uuid4()) for _ in range(n)]


def card(page: Page, words: str):
    return page.locator("article.operation").filter(has_text=words)


def test_changes_come_live_and_are_undone_redone_and_edited_in_two_tabs(changes, open_page):
    page, agent = changes()
    other = open_page("desk", like=page)
    other.goto(page.url)
    other.locator("html[data-line=on]").wait_for(state="attached")
    page.bring_to_front()  # browsers slow down what a tab behind another does
    shed, wood = ids(2)
    agent(
        {"changes": [create("project", shed, name="Shed", slug="shed")]},
        {
            "title": "The roof comes first",
            "changes": [
                update("project", shed, name="Garden shed", core_goals_momentum="Roof by May."),
                create("task", wood, title="Buy wood", project=shed),
            ],
        },
    )
    for tab in (page, other):
        expect(tab.locator("article.operation")).to_have_count(3)
        expect(card(tab, "Project updated")).to_contain_text("Garden shed")
    assert page.locator("[data-gesture]").first.inner_text().startswith("Project updated")
    link = card(page, "To-do created").get_by_role("link", name=re.compile("^Undo"))
    link.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("To-do: Buy wood")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(link).to_be_focused()
    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="Undo").click()
    expect(dialog).to_have_count(0)
    for tab in (page, other):
        expect(card(tab, "Undone by you")).to_have_attribute("data-status", "rolled_back")
    # by key: news that replace a link keep the focus; a press that ends on the new one is no click
    page.get_by_role("link", name=re.compile("^Redo")).press("Enter")
    dialog.get_by_role("button", name="Redo").click()
    for tab in (page, other):
        expect(card(tab, "Undone by you")).to_have_count(0)
    card(page, "Project updated").get_by_role("link", name=re.compile("^View details")).press(
        "Enter"
    )
    expect(dialog.locator("ins").first).to_be_visible()
    dialog.get_by_role("link", name="Edit").click()
    dialog.get_by_label("Name").fill("")
    dialog.get_by_label("Goals and momentum").fill("Roof by June.")
    dialog.get_by_label("Name").fill("Small shed")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    for tab in (page, other):
        expect(tab.locator("article.operation")).to_have_count(4)
        expect(tab.locator("article.operation").first).to_contain_text("Small shed")
    # the agent's change was worked on since: both values, and a choice
    page.get_by_role("link", name=re.compile("Undo all 2")).press("Enter")
    expect(dialog.get_by_text("edited later").first).to_be_visible()
    dialog.get_by_label(re.compile("^Keep: Small shed")).check()
    dialog.get_by_label(re.compile("^Restore")).last.check()
    dialog.get_by_role("button", name="Undo").click()
    expect(dialog).to_have_count(0)
    expect(page.locator("[data-status=rolled_back]")).to_have_count(2)


def test_what_waits_is_decided_and_found_among_the_others_on_a_phone(changes):
    page, agent = changes("phone")
    shed, wood = ids(2)
    agent(
        {"changes": [create("project", shed, name="Shed", slug="shed")]},
        {
            "review": True,
            "changes": [
                create("task", wood, title="Buy wood", project=shed),
                update("project", shed, name="Garden shed"),
                {"do": "delete", "entity": "project", "id": shed},
            ],
        },
    )
    expect(page.get_by_role("heading", name="3 changes to review")).to_be_visible()
    assert no_sideways_scrolling(page)
    page.get_by_role("link", name=re.compile("^Change ?: Shed")).tap()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Tool shed")
    assert no_sideways_scrolling(page)
    dialog.get_by_role("button", name="Save").tap()
    expect(page.locator(".decision")).to_contain_text("Tool shed")
    page.get_by_role("button", name=re.compile("^Reject ?: Delete")).tap()
    expect(page.get_by_role("heading", name="2 changes to review")).to_be_visible()
    page.get_by_role("button", name="Approve all 2").tap()
    expect(page.locator(".decision")).to_have_count(0)
    expect(card(page, "Tool shed").first).to_have_attribute("data-status", "completed")
    page.get_by_text("Filter").tap()
    page.get_by_label("Action").select_option("delete")
    expect(page.locator("article.operation")).to_have_count(1)
    expect(page.locator("article.operation")).to_contain_text("You rejected this.")
    assert no_sideways_scrolling(page)


def test_everything_works_without_scripts(changes, stack, open_page):
    scripted, agent = changes()
    shed = ids(1)[0]
    agent({"changes": [create("project", shed, name="Shed", slug="shed")]})
    agent({"changes": [update("project", shed, name="Garden shed")]})
    page = open_page("desk", java_script_enabled=False)
    page.context.add_cookies(scripted.context.cookies())
    page.goto(scripted.url)
    card(page, "Project updated").get_by_role("link", name=re.compile("^Undo")).click()
    expect(page.get_by_role("heading", name="Undo this change?")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(card(page, "Undone by you")).to_contain_text("Garden shed")
    page.get_by_role("link", name=re.compile("^Redo")).click()
    page.get_by_role("button", name="Redo").click()
    card(page, "Project updated").get_by_role("link", name=re.compile("^Edit")).click()
    page.get_by_label("Name").fill("Small shed")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("article.operation").first).to_contain_text("Small shed")
