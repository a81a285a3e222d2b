"""What the auditing conversation asks of the model: typed input in, messages out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, Literal

from pydantic import BaseModel, Field

from chat.assistant.delimiter import Delimiter
from futura.llm.client import ChatMessage
from projects.dimensions import DimensionName

TOOLS_VERSION: Final = "audit-tools-2"
TONES: Final = {
    5: "5 of 10: warm and careful; name what matters, leave the small things out",
    7: "7 of 10: honest and direct, never discouraging",
    8: "8 of 10: hard; spare nothing, but stay with the matter and never with the person",
}


class Quoted(BaseModel):
    """Words of the project, copied exactly, and where they stand."""

    source: str = Field(description="Name of the block, such as core_goals_momentum or t3.")
    words: str


class AuditFinding(BaseModel):
    """One thing to point out."""

    area: Literal["completeness", "consistency", "risks", "feasibility", "missing"]
    dimension: DimensionName | None
    severity: Literal["minor", "serious", "critical"]
    observation: str
    quotes: list[Quoted] = Field(max_length=3)
    question: str
    recommendation: str = Field(description="Reads after “I would …”, without a capital.")
    task: str | None = Field(None, description="Title of a to-do that would mend it.")
    continues: str | None = Field(None, description="Key of the earlier finding that this is.")


class AuditStrength(BaseModel):
    """Something that works, with the words that show it."""

    text: str
    quote: Quoted


class AuditAnswer(BaseModel):
    """The whole audit."""

    VERSION: ClassVar[str] = "audit-findings-2"

    overall: str = Field(description="Two sentences: the judgement.")
    strengths: list[AuditStrength] = Field(max_length=4)
    findings: list[AuditFinding] = Field(max_length=14)
    mended: list[str] = Field(
        default_factory=list, description="Keys of earlier findings that the project now settles."
    )


def audit_messages(
    records: Sequence[tuple[str, str]], harshness: int, today: str, delimiter: Delimiter
) -> list[ChatMessage]:
    """A critical reading along nine dimensions and five areas.

    `records` are the project's own texts by name, the figures, what is computed already, earlier
    findings by their keys, and what the person worries about.
    """
    instructions = (
        "You are asked to read a project as an experienced, critical friend would. Look along all "
        "nine dimensions for five things: what is incomplete; what does not fit together (goals "
        "and means, dates and tasks, money, people); which risks there are and whether they have "
        "an answer; whether it can be done at all; what is missing that nobody thought of. Every "
        "finding rests on words of the project: copy them exactly, with the name of the block "
        "they stand in. Only that something is absent may go without words, and then under a "
        "dimension that says nothing at all. Do not repeat what has been computed already. Where "
        "an earlier finding still holds, give its key; where the project now settles one, name "
        "its key as mended; one that was answered is not brought up again unless the answer does "
        "not hold. A question is one that makes them think (“what if …”), a recommendation one "
        "concrete step. First say what works, with its words. What the person worries about comes "
        "first. Write in the language of the worry, or else of the project, and use no figure "
        "that does not stand in the material. "
        f"Tone: {TONES[harshness]}. Today is {today}. {delimiter.rule}"
    )
    material = delimiter.blocks(records)
    return [{"role": "system", "content": instructions}, {"role": "user", "content": material}]


def question_instructions(delimiter: Delimiter, harshness: int) -> str:
    """How to go on talking about an audit with reading tools."""
    return (
        "You have audited a project; now you answer about it. Stay with the findings and the "
        "project's own words, ask back where an answer is thin, and acknowledge what settles a "
        "finding. You cannot change the project. With a tool you can audit again (also in another "
        "tone or with another focus), note that a finding is answered when the person has "
        "answered it, and put findings before them as changes to approve when they ask for that. "
        "Four short sentences at most, at most one question, in the language of the person's last "
        f"message. Tone: {TONES[harshness]}. {delimiter.rule}"
    )
