"""A workspace with something on every main page, filled by a person in any language.

Nothing is found by its words here: the same steps are walked in languages that are made up.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final
from urllib.parse import quote

from playwright.sync_api import Page, expect

from tests.browser.walk import listed, listening, reply, say
from tests.portfolio.sources import RESUME
from tests.stack import Stack

WORDS: Final = {
    "en": (
        "Head of a town library",
        "I plan the budget, write the duty roster and talk to the town council every month.",
        "Add ring the mason tomorrow",
        "We repair the reading room. My team helps, and the budget is 800 euros.",
    ),
    "de": (
        "Leitung einer Stadtbücherei",
        "Ich plane den Haushalt, schreibe den Dienstplan und berichte jeden Monat im Stadtrat.",
        "Neu: Maurer anrufen morgen",
        "Wir richten den Lesesaal her. Mein Team hilft mit, das Budget beträgt 800 Euro.",
    ),
    "es": (
        "Directora de una biblioteca municipal",
        "Planifico el presupuesto, escribo los turnos e informo cada mes al ayuntamiento.",
        "Añadir llamar al albañil mañana",
        "Arreglamos la sala de lectura. Mi equipo ayuda y el presupuesto es de 800 euros.",
    ),
    "fr": (
        "Directrice d’une bibliothèque municipale",
        "Je prépare le budget, j’écris le planning et je rends compte au conseil chaque mois.",
        "Ajouter appeler le maçon demain",
        "Nous rénovons la salle de lecture. Mon équipe aide, le budget est de 800 euros.",
    ),
}
"""Of each language: a job, what its holder does, a to-do, a project."""
STAFF: Final = """
from importlib import import_module
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
user, new = User.objects.get_or_create(username="sam", is_staff=True, is_superuser=True)
session = import_module(settings.SESSION_ENGINE).SessionStore()
session[SESSION_KEY] = str(user.pk)
session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
session[HASH_SESSION_KEY] = user.get_session_auth_hash()
session.save()
print(session.session_key)
"""


@cache
def _staff_session(stack: Stack) -> str:
    return stack.manage("shell", "--no-imports", "-c", STAFF).split()[-1]


def signed_in_as_staff(page: Page, stack: Stack) -> None:
    """Gives the page's window the session of a superuser, who signs in once."""
    key = _staff_session(stack)
    page.context.add_cookies([{"name": "sessionid", "value": key, "url": stack.url}])


def campaign(stack: Stack) -> str:
    """The address of the campaign of sixty invented answers, made when there is none."""
    find = "SELECT id FROM tasks_campaign WHERE title = 'Sample: how we work'"
    if not stack.rows(find):
        stack.manage("simulate", "--people", "60", "--title", "Sample: how we work")
    return f"/staff/campaigns/{stack.rows(find)[0][0]}"


def filled(page: Page, url: str, language: str) -> dict[str, str]:
    """Walks through the product once; the address of each main page by its name."""
    job, work, todo, idea = WORDS.get(language, WORDS["en"])
    page.goto(url)
    page.locator("form[action$='/sample/create'] button").first.click()
    page.wait_for_load_state()
    project, portfolio = _sample(page, url)
    pages = {
        "home": "/",
        "todos": "/todos",
        "week": "/todos?view=week",
        "board": "/todos?view=board",
        "projects": "/projects",
        "project": project,
        "history": f"{project}/history",
        "project-agent": _project_talk(page, url, idea),
        "forecast": _forecast(page, url, project),
        "concierge": _concierge(page, url, todo),
        "portfolio": portfolio,
        "sources": f"{portfolio}/sources",
        "check": _check(page, url, portfolio),
        "builder": (builder := _builder(page, url, portfolio, idea)),
        "editor": f"{builder}/story",
        "block": f"{builder}/story/block?kind=text&at=0",
        "visitor": f"{portfolio}/desk/preview",
        "survey": f"/survey?title={quote(job)}",
    }
    pages |= _survey(page, url, job, work)
    return pages | {"conversations": "/conversations", "account": "/account"}


def _sample(page: Page, url: str) -> tuple[str, str]:
    """The addresses of the project with most in it and of the portfolio."""
    page.goto(f"{url}/projects")
    garden = str(page.locator("main a", has_text="roof garden").first.get_attribute("href"))
    page.goto(f"{url}/portfolio")  # the only portfolio opens at once
    portfolio = page.url.removeprefix(url).split("?")[0]
    return garden, portfolio


def _begun(page: Page, at: str, text: str) -> str:
    """Starts a conversation by its form; its address, once the first answer is there."""
    page.goto(at)
    form = page.locator("main form", has=page.locator("textarea[name=text]")).first
    form.locator("textarea").fill(text)
    form.locator("button[type=submit]").first.click()
    reply(page, 1)
    return page.url


def _project_talk(page: Page, url: str, idea: str) -> str:
    return _begun(page, f"{url}/projects/agent/new", idea).removeprefix(url)


def _builder(page: Page, url: str, portfolio: str, idea: str) -> str:
    return _begun(page, f"{url}{portfolio}/tell", idea).removeprefix(url)


def _check(page: Page, url: str, portfolio: str) -> str:
    """A resume that was read and waits to be checked."""
    page.goto(f"{url}{portfolio}/sources#resume")
    form = page.locator("form#resume")
    page.locator("details.give", has=form).evaluate("one => one.open = true")
    form.locator("[name=text]").fill(RESUME)
    form.locator("button[type=submit]").click()
    link = page.locator("#given a[href$='/check']").first
    link.wait_for()
    return str(link.get_attribute("href")).removeprefix(url)


def _forecast(page: Page, url: str, project: str) -> str:
    page.goto(f"{url}{project}/agent/forecast")
    page.locator("main form[action$='/agent/forecast'] button[type=submit]").first.click()
    reply(page, 1)
    return page.url.removeprefix(url)


def _concierge(page: Page, url: str, todo: str) -> str:
    page.goto(f"{url}/concierge")
    page.locator("form[action$='/concierge/new'] button").first.click()
    reply(page, 1)
    listening(page)
    say(page, todo)
    reply(page, 2)
    return page.url.removeprefix(url)


def _survey(page: Page, url: str, job: str, work: str) -> dict[str, str]:
    """One survey in the middle of its talk, and one with its list."""
    found = []
    for _ in range(2):
        page.goto(f"{url}/survey?title={quote(job)}")  # not every job has occupations to choose
        page.locator("form.start button[type=submit]").last.click()
        reply(page, 1)
        listening(page)
        say(page, work)
        reply(page, 2)
        found.append(page.url.removeprefix(url).removesuffix("/chat"))
    page.locator("form.talk__finish button").click()
    page.wait_for_url(re.compile("/tasks$"))
    expect(listed(page).first).to_be_visible()
    talk, done = found
    return {"talk": f"{talk}/chat", "tasks": f"{done}/tasks", "complete": f"{done}/complete"}
