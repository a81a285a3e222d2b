"""`evaluate interview`: personas answer the survey's guide over HTTP; what the list has of theirs.

Whatever is configured answers: basic mode, or a model. A stored task is the persona's when its
quote stands where the persona told a hidden task (or its card is one of them); anything else on
the list is invented.
"""

from __future__ import annotations

import time
import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx2

from chat.actions.sessions import erase
from chat.models import Message, Session
from futura.embedded.programs import serving_product
from futura.errors import BadInput
from futura.evaluation import EvaluationOptions, read_cases
from futura.llm.client import Llm
from futura.progress import ProgressBar
from futura.text import locate
from onet import queries as catalogue
from onet.actions import ensure_starter
from onet.candidates import Candidate
from tasks.evaluation import share, spent
from tasks.simulation.personas import (
    MentionedTask,
    Persona,
    PersonaCase,
    hidden_tasks,
)

MOST_TURNS: Final = 25
STATEMENTS: Final = 60
PATIENCE_S: Final = 120.0
POLL_S: Final = 0.1
COUNTS: Final = (
    "hidden told recalled invented matched groups_right turns repeated_questions"
    " input_tokens cost_usd"
).split()


Interview = dict[str, Any]
"""What came of one interview: counts, cost, and the statements that nobody told."""


@dataclass
class Talk:
    """One conversation as it went."""

    session_id: uuid.UUID
    questions: list[str]
    answers: list[tuple[str, tuple[MentionedTask, ...]]]
    picked: set[str]

    @property
    def told_ids(self) -> set[str]:
        """The hidden tasks that the persona told, or picked as cards."""
        return self.picked | {task.task_id for _text, places in self.answers for task in places}


class Visitor:
    """An anonymous participant at the product's doors."""

    def __init__(self, url: str) -> None:
        self._http = httpx2.Client(base_url=url, timeout=PATIENCE_S, headers={"Origin": url})

    def __enter__(self) -> Visitor:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def chat(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The whole answer to a start or a message; the same message is sent until it is there."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            response = self._http.post("/api/chat", json=dict(body))
            if response.status_code == httpx2.codes.OK:
                answer: dict[str, Any] = response.json()
                return answer
            if response.status_code != httpx2.codes.ACCEPTED or time.monotonic() > deadline:
                raise BadInput(f"The talk stopped: {response.status_code} {response.text[:300]}")

    def select(self, session_id: str, cards: Sequence[str]) -> None:
        body = {"sessionId": session_id, "selectedSuggestionIds": list(cards)}
        self._http.patch("/api/chat", json=body).raise_for_status()

    def finish(self, session_id: str) -> list[dict[str, Any]]:
        """Says that it is done, and waits for the list with its matches."""
        self._http.get(f"/survey/{session_id}/chat").raise_for_status()
        form = {"csrfmiddlewaretoken": self._http.cookies.get("csrftoken", "")}
        self._http.post(f"/survey/{session_id}/finish", data=form)
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            whole = self._http.get(f"/api/survey/{session_id}/tasks").raise_for_status().json()
            tasks: list[dict[str, Any]] = whole["tasks"]
            if whole["status"] == "done" and all(t["matchStatus"] != "pending" for t in tasks):
                return tasks
            time.sleep(POLL_S)
        raise BadInput(f"The list of {session_id} was not ready within {PATIENCE_S:.0f} s.")


def evaluate_interview(path: Path | None, options: EvaluationOptions) -> dict[str, Any]:
    """Recall, invented tasks, accuracy, turns and cost over personas, in all and by manner."""
    if path is None:
        raise BadInput("Name the file with the personas: evaluate interview FILE.")
    cases = read_cases(path, PersonaCase)
    ensure_starter()
    with serving_product() as url, ProgressBar() as bar:
        bar.step("Interviewing personas", len(cases))
        interviews = []
        for case in cases:
            interviews.append(_interview(case, url))
            bar.advance()
    by_manner = defaultdict(list)
    for interview in interviews:
        by_manner[interview["manner"]].append(interview)
    figures: dict[str, Any] = {
        "mode": "model" if Llm().is_configured else "basic",
        "catalogue": catalogue.catalogue().kind,
        **_figures(interviews),
        "by_manner": {manner: _figures(group) for manner, group in sorted(by_manner.items())},
    }
    return figures | ({"details": interviews} if options.details else {})


def _figures(interviews: Sequence[Interview]) -> dict[str, Any]:
    n = len(interviews)
    total = {name: sum(interview[name] for interview in interviews) for name in COUNTS}
    return {
        "n": n,
        "recall": share(total["recalled"], total["hidden"]),
        "recall_of_told": share(total["recalled"], total["told"]),
        "invented_per_list": round(total["invented"] / n, 2),
        "statement_accuracy": share(total["matched"], total["recalled"]),
        "group_accuracy": share(total["groups_right"], total["recalled"]),
        "turns": round(total["turns"] / n, 1),
        "recalled_per_turn": share(total["recalled"], total["turns"]),
        "repeated_questions": round(total["repeated_questions"] / n, 2),
        "input_tokens": round(total["input_tokens"] / n),
        "cost_usd": round(total["cost_usd"] / n, 5),
    }


def _interview(case: PersonaCase, url: str) -> Interview:
    """One interview from title to list; its conversation is erased afterwards."""
    statements = catalogue.top_statements(case.occupation, limit=STATEMENTS)
    if not statements:
        raise BadInput(f"The catalogue has no statements for {case.occupation} ({case.id}).")
    person = Persona(case, hidden_tasks(case, statements))
    with Visitor(url) as visitor:
        talk = _talk(visitor, person, {_card_text(row): row.task_id for row in statements})
        tasks = visitor.finish(str(talk.session_id))
    try:
        return _judge(person, talk, tasks)
    finally:
        erase(Session.objects.get(pk=talk.session_id))


def _card_text(statement: Candidate) -> str:
    return statement.text.strip().rstrip(".")


def _talk(visitor: Visitor, person: Persona, statement_ids: Mapping[str, str]) -> Talk:
    case = person.case
    answer = visitor.chat(
        {"action": "start", "jobTitle": case.job_title, "occupationCode": case.occupation}
    )
    session_id = str(answer["sessionId"])
    talk = Talk(uuid.UUID(session_id), [], [], set())
    selected: list[str] = []
    for _turn in range(MOST_TURNS):
        question = str(answer["message"]["content"])
        talk.questions.append(question)
        cards = {
            card["id"]: statement_ids[card["statement"]]
            for card in answer.get("suggestions") or ()
            if card["statement"] in statement_ids
        }
        if picked := person.pick_cards(cards):
            selected += picked
            talk.picked.update(cards[card] for card in picked)
            visitor.select(session_id, selected)
        if answer["isComplete"]:
            break
        reply = person.answer(question)
        talk.answers.append((reply.text, reply.mentioned))
        answer = visitor.chat(
            {
                "action": "message",
                "sessionId": session_id,
                "message": reply.text,
                "clientId": str(uuid.uuid4()),
            }
        )
        if reply.is_end:
            break
    return talk


def _judge(person: Persona, talk: Talk, tasks: Sequence[Mapping[str, Any]]) -> Interview:
    hidden = {task.statement.task_id: task.statement for task in person.tasks}
    messages = Message.objects.filter(session_id=talk.session_id, role=Message.Role.PERSON)
    details = dict(talk.answers)  # of equal answers the last
    told_in = {str(m.pk): (m.text, details[m.text]) for m in messages if m.text in details}
    recalled: dict[str, Mapping[str, Any]] = {}
    invented: list[str] = []
    for task in tasks:
        own = _hidden_ids(task, told_in, talk, hidden)
        if not own:
            invented.append(str(task["normalizedDescription"]))
        for task_id in own:
            recalled.setdefault(task_id, task)
    tokens, cost = spent(talk.session_id)
    return {
        "id": person.case.id,
        "manner": person.case.manner.value,
        "hidden": len(hidden),
        "told": len(talk.told_ids),
        "recalled": len(recalled),
        "listed": len(tasks),
        "invented": len(invented),
        "matched": sum(task.get("statementId") == own_id for own_id, task in recalled.items()),
        "groups_right": sum(
            task.get("gwaCategory") in hidden[own_id].groups for own_id, task in recalled.items()
        ),
        "turns": len(talk.answers),
        "repeated_questions": len(talk.questions) - len(set(talk.questions)),
        "input_tokens": tokens,
        "cost_usd": cost,
        "invented_statements": invented,
    }


def _hidden_ids(
    task: Mapping[str, Any],
    told_in: Mapping[str, tuple[str, tuple[MentionedTask, ...]]],
    talk: Talk,
    hidden: Mapping[str, Candidate],
) -> list[str]:
    """The hidden tasks that a stored task stands for; none when it was never told."""
    if task["source"] == "suggestion":
        texts = {_card_text(statement): task_id for task_id, statement in hidden.items()}
        own = texts.get(str(task["normalizedDescription"]), "")
        return [own] if own in talk.told_ids else []
    text, values = told_in.get(str(task["sourceMessageId"]), ("", ()))
    place = locate(str(task["quote"]), text) if text else None
    if place is None:
        return []
    start, end = place
    return [item.task_id for item in values if item.start < end and start < item.end]
