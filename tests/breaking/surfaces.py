"""The four places where a model answers people, each as a conversation that goes well so far."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from chat import actions as chat_actions, events
from chat.events.kinds import Token
from chat.models import Run, Session
from chat.presenters import presenter_for
from projects.concierge import actions as concierge_actions
from projects.modes.starting import start
from projects.portfolio.visitors.contract import KIND, VisitState
from tasks.actions import start_survey
from tests import project_rows
from tests.event_log import replay_now
from tests.llm import faults
from tests.llm.test_faults import GAP, NOTHING_NEW
from tests.scripted import ScriptedServer

PLAN = {
    "question_type": "binary", "enumeration": "sample", "scope": "any_experience",
    "retrieval_requests": [{"source": "projects", "query_text": "Go", "top_k": 5}],
    "resume_facets": [], "cards_enabled": True, "topic": "Go",
}  # fmt: skip
JUDGED = {
    "verdict": "yes", "confidence": "high", "reasoning": "It is so. The documents say it.",
    "supports": ["s1"], "contradicts": [],
    "semantic_flags": [], "project_cards": ["kiln"], "experience_cards": [],
}  # fmt: skip


@dataclass(frozen=True)
class Surface:
    """Where a model answers: its stage for words, one for a form, and words that can be said.

    `first` is what of the words can be seen once `pieces` of them have come. `wrapped` is how the
    model sends words; `forms` are the answers of all stages before them.
    """

    name: str
    stage: str
    asks: str
    words: str
    first: str
    pieces: int
    forms: dict[str, Any]
    has_tools: bool = False
    is_form: bool = False

    def wrapped(self, words: str) -> Any:
        """Words as the model sends them here."""
        return json.dumps({"message": words, "thoughts": []}) if self.is_form else words


SURVEY = Surface(
    "survey", "response", "I sharpen the saws",
    "I see. What happens in the harvest months?", "I see.", 4,
    {"message_analysis": NOTHING_NEW, "tool_selection": faults.TOOL, "gap_analysis": GAP},
)  # fmt: skip
CONCIERGE = Surface(
    "concierge", "concierge", "How does my week look?",
    "Quite calm on the whole. There is room on Thursday for more.", "Quite calm on the whole.", 8,
    {}, has_tools=True,
)  # fmt: skip
AGENT = Surface(
    "project agent", "agent_tools", "How does the plan look to you?",
    "Quite calm on the whole. There is room on Thursday for more.", "Quite calm on the whole.", 8,
    {}, has_tools=True,
)  # fmt: skip
VISITORS = Surface(
    "visitors", "portfolio_answer", "Have you used Go?",
    "Yes, I use Go. I built Kiln for 40 studios in Sweden.", "Yes, I use Go.", 8,
    {"portfolio_planner": PLAN, "portfolio_evidence": JUDGED, "portfolio_evidence_deep": JUDGED},
    is_form=True,
)  # fmt: skip
SURFACES = (SURVEY, CONCIERGE, AGENT, VISITORS)


@dataclass(frozen=True)
class Seen:
    """What a person got: the run, its page, and after how long the first of it and all of it."""

    run: Run
    html: str
    first_s: float
    whole_s: float

    @property
    def text(self) -> str:
        return self.run.reply.text if self.run.reply else ""

    @property
    def is_marked(self) -> bool:
        """Whether the page says under the answer that it came without the model."""
        begin = self.html.index(f'id="m-{self.run.reply_id}"')
        return "data-basic" in self.html[begin : self.html.index("</article>", begin)]


class Conversation:
    """One conversation on one surface; it has begun, without a fault."""

    def __init__(
        self, surface: Surface, session: Session, client: Client, drain: Callable[[], int]
    ) -> None:
        self.surface = surface
        self._session = session
        self._client = client
        self._drain = drain

    def ask(self) -> Seen:
        """Says something, lets the worker work, and looks at the page."""
        self.say()
        self._drain()
        return self.look()

    def say(self) -> uuid.UUID:
        """Says something through the JSON door; the run that will answer it."""
        self._before = events.tail(self._session.pk)
        self._began_at, self._began = time.time(), time.monotonic()
        sent = self._client.post(
            f"/api/chat/sessions/{self._session.pk}/messages",
            {"text": self.surface.asks},
            content_type="application/json",
        )
        assert sent.status_code == 202, sent.content
        self._run_id = uuid.UUID(sent.json()["runId"])
        return self._run_id

    def look(self) -> Seen:
        """What has come of it."""
        whole_s = time.monotonic() - self._began
        run = Run.objects.select_related("reply").get(pk=self._run_id)
        address = presenter_for(self._session.kind).page_url(self._session)
        page = self._client.get(address, follow=True)
        assert page.status_code == 200, self._session.kind
        first_s = self._first_at(self._before) - self._began_at
        return Seen(run, page.content.decode(), first_s, whole_s)

    def _first_at(self, before: Any) -> float:
        """When the first text of the answer reached the log, in seconds of the clock."""
        assert before is not None
        replay = replay_now(self._session.pk, before)
        assert replay is not None
        entry = next((item for item in replay.entries if isinstance(item.event, Token)), None)
        cursor = entry.cursor if entry else replay.cursor
        return int(str(cursor.id).split("-", 1)[0]) / 1000


@pytest.fixture
def converse(
    scripted: ScriptedServer, alice: Any, owner: Any, actor: Any, drain: Any, request: Any
) -> Callable[[Surface], Conversation]:
    """Begins a conversation on a surface, whose stages answer well until they are scripted."""
    client = Client()
    client.force_login(alice)

    def session_of(surface: Surface) -> Session:
        if surface is SURVEY:
            return start_survey(participant=owner, job_title="Gardener").session
        if surface is CONCIERGE:
            return concierge_actions.begin(participant=owner, text="")
        if surface is AGENT:
            made = project_rows.create_project(actor=actor, values={"name": "Garden shed"})
            return start(participant=owner, project=made.row, mode="update", first_text="")
        published = request.getfixturevalue("published")
        state = VisitState(portfolio_id=str(published.pk))
        return chat_actions.start_session(participant=owner, kind=KIND, state=state)

    def begin(surface: Surface) -> Conversation:
        for stage, answer in surface.forms.items():
            scripted.on(stage).json(answer)
        scripted.on(surface.stage).text(surface.wrapped(surface.words))
        conversation = Conversation(surface, session_of(surface), client, drain)
        drain()
        return conversation

    return begin
