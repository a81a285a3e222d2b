"""A visitors' model that is right: it cites sentences by the ids that its prompts show."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.scripted.requests import ScriptedRequest
from tests.scripted.server import ScriptedServer

NOWHERE = "s9999"
"""An id that no prompt shows."""
Computed = Callable[[ScriptedRequest], dict[str, Any]]


def id_of(request: ScriptedRequest, text: str) -> str:
    """The id that a prompt shows before a sentence; one that it does not show where it has none."""
    found = re.search(rf"^\[([sf]\d+)\] {re.escape(text)}", request.text, re.MULTILINE)
    return found[1] if found else NOWHERE


def plan(
    kind: str = "binary",
    sources: Sequence[str] = ("resume", "projects"),
    query: str = "Go",
    **more: Any,
) -> dict[str, Any]:
    """A plan; `more` are fields by name, `top_k` and `cards` among them."""
    top_k, cards = more.pop("top_k", 5), more.pop("cards", True)
    return {
        "standalone_question": query,
        "language": "English",
        "question_type": kind,
        "enumeration": "sample",
        "scope": "any_experience",
        "retrieval_requests": [
            {"source": source, "query_text": query, "top_k": top_k} for source in sources
        ],
        "resume_facets": [],
        "cards_enabled": cards,
        "topic": "Go experience",
    } | more


def evidence(*sentences: str, verdict: str = "yes", **more: Any) -> Computed:
    """Evidence on sentences, by the ids that the request shows; `more` are fields by name."""

    def answer(request: ScriptedRequest) -> dict[str, Any]:
        ids = [id_of(request, sentence) for sentence in sentences]
        return {
            "verdict": verdict,
            "confidence": "high",
            "reasoning": "It is so. The documents say it.",
            "supports": [] if verdict == "no" else ids,
            "contradicts": ids if verdict == "no" else [],
            "semantic_flags": [],
            "project_cards": [],
            "experience_cards": [],
        } | more

    return answer


def words(text: str, thoughts: Sequence[str] = ()) -> Computed:
    """An answer in which `{{a sentence}}` stands for the mark of that sentence."""

    def answer(request: ScriptedRequest) -> dict[str, Any]:
        marked = re.sub(r"\{\{(.+?)\}\}", lambda m: f"[{id_of(request, m[1])}]", text)
        return {"message": marked, "thoughts": list(thoughts)}

    return answer


def script(server: ScriptedServer, planned: Any, judged: Any, said: Any) -> ScriptedServer:
    """Scripts the stages of one turn."""
    server.on("portfolio_planner").json(planned)
    for stage in ("portfolio_evidence", "portfolio_evidence_deep"):
        server.on(stage).json(judged)
    server.on("portfolio_answer").json(said)
    return server


@dataclass(frozen=True)
class Asked:
    """A question and what is right: the sentences behind the answer, its words, its language."""

    question: str
    says: str
    sentences: Sequence[str] = ()
    verdict: str = "yes"
    language: str = "English"
    standalone: str = ""
    kind: str = "narrative"


class FaithfulVisitorsModel:
    """Answers each of these questions rightly, whichever is asked."""

    def __init__(self, server: ScriptedServer, cases: Sequence[Asked]) -> None:
        self.cases: Mapping[str, Asked] = {case.question: case for case in cases}
        script(server, self._plan, self._evidence, self._answer)

    def _case(self, request: ScriptedRequest) -> Asked:
        spoken = re.findall(r"«\w+:question»\n(.*?)\n«/", request.text, re.DOTALL)
        return self.cases[spoken[-1].strip()]

    def _plan(self, request: ScriptedRequest) -> dict[str, Any]:
        case = self._case(request)
        standalone = case.standalone or case.question
        return plan(case.kind, query=standalone, language=case.language)

    def _evidence(self, request: ScriptedRequest) -> dict[str, Any]:
        case = self._case(request)
        return evidence(*case.sentences, verdict=case.verdict)(request)

    def _answer(self, request: ScriptedRequest) -> dict[str, Any]:
        return words(self._case(request).says)(request)
