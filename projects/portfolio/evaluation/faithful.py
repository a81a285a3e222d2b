"""A visitors' model that is right: it answers Planner, Evidence and Answer as a case expects.

What is measured with it is the product: whether right answers reach the visitor whole, with their
sentences behind them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from projects.portfolio.evaluation.cases import Case, Right

SUPPORTS: Final = 6
"""Sentences that evidence names at most, as its prompt asks."""
NOWHERE: Final = "s9999"
"""An id that no prompt shows."""
_DOCUMENT: Final = re.compile(r"^source: (\w+)\nid: (\S+)\n(?:kind|title|dates): ", re.MULTILINE)
_SENTENCE: Final = re.compile(r"^\[([sf]\d+)\] (.+)$", re.MULTILINE)
_MARK: Final = re.compile(r"\{\{(.+?)\}\}")


class FaithfulVisitors:
    """Answers whatever stage asks for the case and the question that it was given last."""

    case: Case

    def __init__(self) -> None:
        self.question = ""
        self.right = Right()
        self._cited: dict[str, str] = {}

    def is_given(self, case: Case, question: str, *, is_last: bool) -> None:
        """The question that is asked next; of those before the last only a plan is known."""
        self.case, self.question = case, question
        self.right = (case.right if is_last else None) or Right()

    def answer(self, body: Mapping[str, Any]) -> dict[str, Any]:
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
        fields = schema.get("properties", {})
        prompt = "\n".join(str(message.get("content") or "") for message in body["messages"])
        if "verdict" in fields:
            value = self._evidence(prompt)
        elif "question_type" in fields:
            value = self._plan()
        else:
            value = {"message": self._words(prompt), "thoughts": []}
        return {"content": json.dumps(value, ensure_ascii=False)}

    def _plan(self) -> dict[str, Any]:
        expected, kind = self.case.expected, self.case.category
        kind = expected.question_type or ("narrative" if kind == "edge_case" else kind)
        question = self.right.standalone or self.question
        sources = () if kind == "meta" else ("projects", "resume", "profile")
        top_k = 20 if expected.enumeration == "all_relevant" else 8
        return {
            "standalone_question": question,
            "language": self.right.language,
            "question_type": kind,
            "enumeration": expected.enumeration or "sample",
            "scope": expected.scope or "any_experience",
            "retrieval_requests": [
                {"source": source, "query_text": question, "top_k": top_k} for source in sources
            ],
            "resume_facets": [],
            "cards_enabled": expected.cards_enabled is not False,
            "topic": self.case.name[:40],
        }

    def _evidence(self, prompt: str) -> dict[str, Any]:
        expected, lines = self.case.expected, dict(_SENTENCE.findall(prompt))
        project_cards = list(expected.must_include_project_ids)
        supports = [_id_of(prompt, text) for text in self.right.supports]
        if not supports and expected.verdict in {"yes", "partial", "no"}:
            by_doc = _by_document(prompt)
            supports = self._chosen(by_doc, lines)
            if not supports:  # any example will do
                name = next(name for name in by_doc if name.startswith("project:"))
                supports = by_doc[name][:1]
                project_cards = [name.removeprefix("project:")]
        self._cited = {pk: lines[pk] for pk in supports if pk in lines}
        contradicts = [_id_of(prompt, text) for text in self.right.contradicts]
        if expected.verdict == "no" and not contradicts:
            supports, contradicts = [], supports
        return {
            "verdict": expected.verdict,
            "confidence": "low" if expected.verdict == "unknown" else "high",
            "reasoning": "",
            "supports": supports,
            "contradicts": contradicts,
            "semantic_flags": [],
            "project_cards": project_cards,
            "experience_cards": expected.must_include_experience_ids,
        }

    def _chosen(self, by_doc: Mapping[str, Sequence[str]], lines: Mapping[str, str]) -> list[str]:
        """Sentences with the words that an answer must hold, and one of each document named."""
        expected = self.case.expected
        names = [
            *(f"project:{pk}" for pk in expected.must_include_project_ids),
            *(f"resume:{pk}" for pk in expected.must_include_experience_ids),
            *(name.replace("projects:", "project:") for name in expected.relevant_documents),
        ]
        near = [*(pk for name in names for pk in by_doc.get(name, ())), *lines]
        chosen = []
        for text in expected.answer_contains:
            chosen += [pk for pk in near if text.casefold() in lines[pk].casefold()][:1]
        chosen += [by_doc[name][0] for name in names if by_doc.get(name)]
        return list(dict.fromkeys(chosen))[:SUPPORTS]

    def _words(self, prompt: str) -> str:
        if self.right.says:
            return _MARK.sub(lambda mark: f"[{_id_of(prompt, mark[1])}]", self.right.says)
        displayed = dict(_SENTENCE.findall(prompt))
        cited = [
            f"It says: {text.rstrip('.')} [{pk}]."
            for pk, text in self._cited.items()
            if pk in displayed
        ]
        return " ".join(cited) or "My portfolio shows other things."


def _by_document(prompt: str) -> dict[str, list[str]]:
    """Ids of sentences by `source:id` of the documents that a prompt shows."""
    heads = [*_DOCUMENT.finditer(prompt)]
    ends = [head.start() for head in heads[1:]] + [len(prompt)]
    return {
        f"{head[1]}:{head[2]}": [
            sentence[1]
            for sentence in _SENTENCE.finditer(prompt, head.end(), end)
            if sentence[1].startswith("s")
        ]
        for head, end in zip(heads, ends, strict=True)
    }


def _id_of(prompt: str, text: str) -> str:
    """The id before a sentence that begins so."""
    ids = (sentence[1] for sentence in _SENTENCE.finditer(prompt) if sentence[2].startswith(text))
    return next(ids, NOWHERE)
