"""`evaluate interview`: personas answer the survey's guide; what the list has of theirs.

Whatever is configured answers: basic mode, or a model. A stored task is the persona's when its
quote stands where the persona told a hidden task (or its card is one of them); anything else on
the list is invented.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from chat.actions.sessions import add_message
from chat.models import Message, Run, Session
from chat.runs.perform import perform
from futura.errors import BadInput
from futura.evaluation import EvaluationOptions, read_cases
from futura.llm.client import Llm
from futura.progress import ProgressBar
from futura.text import locate
from onet import queries as catalogue
from onet.actions import ensure_starter
from tasks.evaluation import new_talk, share, spent, written_list
from tasks.interview.cards import select
from tasks.models import SurveyResponse, WorkTask
from tasks.simulation.personas import MentionedTask, Persona, PersonaCase, hidden_tasks

MOST_TURNS: Final = 25
STATEMENTS: Final = 60
COUNTS: Final = (
    "hidden told recalled invented matched groups_right turns repeated_questions"
    " input_tokens cost_usd"
).split()


Interview = dict[str, Any]
"""What came of one interview: counts, cost, and the statements that nobody told."""


@dataclass
class Talk:
    """One conversation as it went; `mentioned` has what the persona told in each message."""

    questions: list[str] = field(default_factory=list)
    mentioned: dict[uuid.UUID, tuple[MentionedTask, ...]] = field(default_factory=dict)
    picked: set[str] = field(default_factory=set)

    @property
    def told_ids(self) -> set[str]:
        """The hidden tasks that the persona told, or picked as cards."""
        told = (task.task_id for tasks in self.mentioned.values() for task in tasks)
        return self.picked.union(told)


def evaluate_interview(path: Path | None, options: EvaluationOptions) -> dict[str, Any]:
    """Recall, invented tasks, accuracy, turns and cost over personas, in all and by manner."""
    if path is None:
        raise BadInput("Name the file with the personas: evaluate interview FILE.")
    cases = read_cases(path, PersonaCase)
    ensure_starter()
    with ProgressBar() as bar:
        bar.step("Interviewing personas", len(cases))
        interviews = []
        for case in cases:
            interviews.append(_interview(case))
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


def _interview(case: PersonaCase) -> Interview:
    """One interview from title to list; its conversation is erased afterwards."""
    statements = catalogue.top_statements(case.occupation, limit=STATEMENTS)
    if not statements:
        raise BadInput(f"The catalogue has no statements for {case.occupation} ({case.id}).")
    person = Persona(case, hidden_tasks(case, statements))
    with new_talk(case.job_title, case.occupation) as response:
        talk = _talk(response.session, person)
        return _judge(person, talk, response, written_list(response))


def _talk(session: Session, person: Persona) -> Talk:
    talk, message = Talk(), None
    for _turn in range(MOST_TURNS):
        reply = _reply(session, message)
        talk.questions.append(reply.text)
        cards = [card for part in reply.parts for card in part.get("cards", ())]
        task_ids = {card["id"]: card["taskId"] for card in cards}
        if picked := person.pick_cards(task_ids):
            talk.picked.update(task_ids[card] for card in picked)
            select(session=session, ids=[*session.state["selectedSuggestionIds"], *picked])
        if session.state["isComplete"]:
            break
        answer = person.answer(reply.text)
        message = add_message(session, answer.text, None, ())
        talk.mentioned[message.pk] = answer.mentioned
        if answer.is_end:
            _reply(session, message)
            break
    return talk


def _reply(session: Session, message: Message | None) -> Message:
    """What the guide says to a message, or as its opening. Raises BadInput when it cannot."""
    run = Run.objects.create(session=session, message=message)
    perform(run.pk)
    run.refresh_from_db()
    session.refresh_from_db()
    if run.reply is None or run.status != Run.Status.COMPLETED:
        raise BadInput(f"The talk stopped: {run.error_text or run.status}")
    return run.reply


def _judge(
    person: Persona, talk: Talk, response: SurveyResponse, tasks: Sequence[WorkTask]
) -> Interview:
    hidden = {task.statement.task_id: task.statement for task in person.tasks}
    cards = {card["id"]: card["taskId"] for card in response.session.state["cards"]}
    recalled: dict[str, WorkTask] = {}
    invented: list[str] = []
    for task in tasks:
        own = _hidden_ids(task, talk, cards)
        if not own:
            invented.append(task.statement)
        for task_id in own:
            recalled.setdefault(task_id, task)
    tokens, cost = spent(response.pk)
    return {
        "id": person.case.id,
        "manner": person.case.manner.value,
        "hidden": len(hidden),
        "told": len(talk.told_ids),
        "recalled": len(recalled),
        "listed": len(tasks),
        "invented": len(invented),
        "matched": sum(task.match.onet_task_id == own_id for own_id, task in recalled.items()),
        "groups_right": sum(
            task.group in hidden[own_id].groups for own_id, task in recalled.items()
        ),
        "turns": len(talk.mentioned),
        "repeated_questions": len(talk.questions) - len(set(talk.questions)),
        "input_tokens": tokens,
        "cost_usd": cost,
        "invented_statements": invented,
    }


def _hidden_ids(task: WorkTask, talk: Talk, cards: Mapping[str, str]) -> list[str]:
    """The hidden tasks that a stored task stands for; none when it was never told."""
    if task.source == WorkTask.Source.SUGGESTION:
        own = cards[task.suggestion_id]
        return [own] if own in talk.told_ids else []
    place = locate(task.quote, task.message.text) if task.message else None
    if task.message is None or place is None:
        return []
    start, end = place
    mentioned = talk.mentioned.get(task.message.pk, ())
    return [item.task_id for item in mentioned if item.start < end and start < item.end]
