"""A survey's model that is right: each message of a talk with what is true of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.scripted.requests import ScriptedRequest
from tests.scripted.server import ScriptedServer

GROUPS = ("informationInput", "mentalProcesses", "workOutput", "interactingWithOthers")


@dataclass(frozen=True)
class Said:
    """One message of the person, what it says, and what the model answers.

    `activities` are pairs of a task and its quote; `confirmed` are the texts of named tasks or
    cards that the message takes, `withdrawn` those of known tasks or cards that it takes back;
    `accepts` are its words that take up an offer.
    """

    message: str
    reply: str
    activities: Sequence[tuple[str, str]] = ()
    levels: Mapping[str, str] = field(default_factory=dict)
    engagement: str = "medium"
    manner: str = "answer"
    confirmed: Sequence[str] = ()
    withdrawn: Sequence[str] = ()
    stops: bool = False
    accepts: str = ""
    tool: str = "custom_question"
    area: str = ""
    question: str = ""
    named: Sequence[str] = ()
    cards: Sequence[tuple[str, str]] = ()


class FaithfulModel:
    """Plays one talk on a scripted server; `delay_s` is how long it thinks before it reads."""

    def __init__(
        self,
        server: ScriptedServer,
        talk: Sequence[Said],
        *,
        language: str,
        opening: str = "",
        delay_s: float = 0.0,
    ) -> None:
        self.talk = {said.message: said for said in talk}
        self.language = language
        self.opening = opening
        for stage, answer in {
            "message_analysis": self._analysis,
            "tool_selection": self._choice,
            "gap_analysis": self._gap,
            "suggestions": self._cards,
        }.items():
            server.on(stage).text(answer, first_delay_s=delay_s)
        server.on("response").text(self._reply)

    def _said(self, request: ScriptedRequest) -> Said | None:
        spoken = re.findall(r"<(person|message)>(.*?)</\1>", request.last_user, re.DOTALL)
        return self.talk[spoken[-1][1].strip()] if spoken else None

    def _analysis(self, request: ScriptedRequest) -> dict[str, Any]:
        said = self._said(request)
        assert said is not None
        ids = {
            text: key
            for key, text in re.findall(r"^- (\S+): (.+)$", request.last_user, re.MULTILINE)
        }
        return {
            "newActivities": [task for task, _ in said.activities],
            "quotes": [quote for _, quote in said.activities],
            "underexploredActivities": [],
            "gwaUpdates": {group: said.levels.get(group) for group in GROUPS},
            "engagement": said.engagement,
            "wantsToStop": said.stops,
            "wish": "accepts_offer" if said.accepts else "none",
            "wishQuote": said.accepts,
            "confirmedIds": [ids[text] for text in said.confirmed],
            "withdrawnIds": [ids[text] for text in said.withdrawn],
            "manner": said.manner,
            "language": self.language,
        }

    def _choice(self, request: ScriptedRequest) -> dict[str, Any]:
        said = self._said(request)
        assert said is not None
        return {"tool": said.tool, "reason": "It fits.", "question": said.question or None}

    def _gap(self, request: ScriptedRequest) -> dict[str, Any]:
        said = self._said(request)
        assert said is not None
        return {
            "gapArea": said.area,
            "suggestedQuestion": said.question,
            "namedTasks": list(said.named),
        }

    def _cards(self, request: ScriptedRequest) -> dict[str, Any]:
        said = self._said(request)
        assert said is not None
        return {
            "suggestions": [
                {"statement": text, "gwaCategory": group, "taskId": ""}
                for text, group in said.cards
            ]
        }

    def _reply(self, request: ScriptedRequest) -> str:
        said = self._said(request)
        return said.reply if said else self.opening
