"""A persona that a model plays: it words its hidden tasks, and says which it told and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from pydantic import BaseModel, Field

from futura.llm.client import ChatMessage, Llm
from futura.text import locate
from tasks.simulation.personas import HiddenTask, Manner, Persona, PersonaAnswer, ToldTask

MANNERS: Final = {
    Manner.TERSE: "You answer in as few words as you can, one thing at a time.",
    Manner.CHATTY: "You like to talk: small stories, how things feel, and the work in between.",
    Manner.OFF_TOPIC: "Every third answer or so you talk about something else altogether.",
    Manner.NON_NATIVE: "English is not your first language: simple words, some wrong grammar.",
    Manner.SEVERAL: "You pack three or four things into one long sentence.",
}
_ACT: Final = """\
You play a person who is asked about their work, and answer the last question as that person.

Below is what this person does and has not told yet, numbered, with hours a week. Tell only what \
is on this list and what the question calls for, in your own words, never those of the list. Do \
not add other work. When the list is empty, say that this was all.

For each task that you tell, give its number and the words of your answer that tell it, copied \
letter by letter.
"""


class ToldByModel(BaseModel):
    """One task of the list that the answer tells."""

    task: int = Field(description="Its number on the list.")
    quote: str = Field(description="The words of the answer that tell it, copied exactly.")


class PersonaReply(BaseModel):
    """What the person says."""

    VERSION: ClassVar[str] = "persona-1"

    text: str
    told: list[ToldByModel]


def acting_messages(
    title: str, manner: Manner, untold: list[tuple[int, HiddenTask]], question: str
) -> list[ChatMessage]:
    """Asks for the answer to one question."""
    lines = [f"{number}. {task.statement.text} ({task.hours:g} h)" for number, task in untold]
    work = "\n".join(lines) or "(everything has been told)"
    return [
        {"role": "system", "content": f"{_ACT}\n{MANNERS[manner]}"},
        {"role": "user", "content": f"Your job: {title}\n\nYour work:\n{work}\n\nQ: {question}"},
    ]


@dataclass
class ActedPersona(Persona):
    """Answers through the gateway; places that the model names wrongly count as not told."""

    def answer(self, question: str) -> PersonaAnswer:
        """One model call. Raises ModelUnavailable."""
        numbers = {task.statement.task_id: number for number, task in enumerate(self.tasks, 1)}
        untold = [(numbers[task.statement.task_id], task) for task in self.untold]
        reply = Llm().structured(
            "persona",
            acting_messages(self.case.job_title, self.case.manner, untold, question),
            PersonaReply,
            prompt_version=PersonaReply.VERSION,
        )
        by_number = dict(untold)
        told = []
        for item in reply.told:
            place = locate(item.quote, reply.text)
            if place is not None and item.task in by_number:
                told.append(ToldTask(by_number[item.task].statement.task_id, *place))
        ids = {place.task_id for place in told}
        is_end = not self.untold
        self.untold = [task for task in self.untold if task.statement.task_id not in ids]
        return PersonaAnswer(reply.text, tuple(told), is_end=is_end)
