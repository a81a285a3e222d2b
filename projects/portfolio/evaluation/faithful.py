"""A visitors' model that is right: it answers Planner, Evidence and Answer as a case expects.

What is measured with it is the product: whether right answers reach the visitor whole, with their
sentences behind them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from futura.llm.faithful import served
from projects.portfolio.evaluation.cases import Case, Expected, Right

SUPPORTS: Final = 6
"""Sentences that evidence names at most, as its prompt asks."""
NOWHERE: Final = "s9999"
_DOCUMENT: Final = re.compile(r"^source: (\w+)\nid: (\S+)\n(?:kind|title|dates): ", re.MULTILINE)
_SENTENCE: Final = re.compile(r"^\[([sf]\d+)\] (.+)$", re.MULTILINE)
_MARK: Final = re.compile(r"\{\{(.+?)\}\}")


class FaithfulVisitors:
    """Answers whatever stage asks for the case and the question that it was given last."""

    def __init__(self) -> None:
        self.case: Case | None = None
        self.question = ""
        self.is_last = True
        self.calls = 0
        self._sentences: dict[str, str] = {}

    def is_given(self, case: Case, question: str, *, is_last: bool) -> None:
        """The question that is asked next; of those before the last only a plan is known."""
        self.case, self.question, self.is_last = case, question, is_last
        self.calls = 0

    @property
    def right(self) -> Right:
        """What is right for the question asked."""
        given = self.case.right if self.case and self.is_last else None
        return given or Right()

    def answer(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The message of one completion."""
        assert self.case is not None  # noqa: S101 - given before anything is asked
        self.calls += 1
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
        fields = schema.get("properties", {})
        prompt = "\n".join(str(message.get("content") or "") for message in body["messages"])
        if "verdict" in fields:
            return _json(self._evidence(prompt))
        if "question_type" in fields:
            return _json(self._plan())
        return _json({"message": self._says(prompt), "thoughts": []})

    def _plan(self) -> dict[str, Any]:
        assert self.case is not None  # noqa: S101
        of, kind = self.case.expected, self.case.category
        usual = kind if kind in {"binary", "list", "narrative", "meta"} else "narrative"
        question = self.right.standalone or self.question
        everything = of.enumeration == "all_relevant"
        top_k = 20 if everything else 8
        is_meta = (of.question_type or usual) == "meta"
        return {
            "standalone_question": question,
            "language": self.right.language,
            "question_type": of.question_type or usual,
            "enumeration": of.enumeration or "sample",
            "scope": of.scope or "any_experience",
            "retrieval_requests": []
            if is_meta
            else [
                {"source": source, "query_text": question, "top_k": top_k}
                for source in ("projects", "resume", "profile")
            ],
            "resume_facets": [],
            "cards_enabled": of.cards_enabled if of.cards_enabled is not None else True,
            "topic": self.case.name[:40],
        }

    def _evidence(self, prompt: str) -> dict[str, Any]:
        assert self.case is not None  # noqa: S101
        of = self.case.expected
        lines = dict(_SENTENCE.findall(prompt))
        project_cards = [*of.must_include_project_ids]
        supports = [_id_of(prompt, text) for text in self.right.supports]
        if not supports and of.verdict in {"yes", "partial", "no"}:
            by_doc = _by_document(prompt)
            supports = self._chosen(of, by_doc, lines)
            if not supports:  # any example will do
                name = next(name for name in by_doc if name.startswith("project:"))
                supports = by_doc[name][:1]
                project_cards = [name.removeprefix("project:")]
        self._sentences = {one: lines[one] for one in supports if one in lines}
        contradicts = [_id_of(prompt, text) for text in self.right.contradicts]
        if of.verdict == "no" and not contradicts:
            supports, contradicts = [], supports
        return {
            "verdict": of.verdict,
            "confidence": "low" if of.verdict == "unknown" else "high",
            "reasoning": "",
            "supports": supports,
            "contradicts": contradicts,
            "semantic_flags": [],
            "project_cards": project_cards,
            "experience_cards": of.must_include_experience_ids,
        }

    def _chosen(
        self, of: Expected, by_doc: Mapping[str, list[str]], lines: Mapping[str, str]
    ) -> list[str]:
        """Sentences with the words that an answer must hold, and one of each document named."""
        named = [
            *(f"project:{one}" for one in of.must_include_project_ids),
            *(f"resume:{one}" for one in of.must_include_experience_ids),
            *(one.replace("projects:", "project:") for one in of.relevant_documents),
        ]
        of_named = [one for name in named for one in by_doc.get(name, ())]
        chosen = [
            next(
                (one for one in (*of_named, *lines) if words.casefold() in lines[one].casefold()),
                "",
            )
            for words in of.answer_contains
        ]
        chosen += [by_doc[name][0] for name in named if by_doc.get(name)]
        return [*filter(None, dict.fromkeys(chosen))][:SUPPORTS]

    def _says(self, prompt: str) -> str:
        if self.right.says:
            return _MARK.sub(lambda mark: f"[{_id_of(prompt, mark[1])}]", self.right.says)
        shown = dict(_SENTENCE.findall(prompt))
        cited = [
            f"It says: {text.rstrip('.')} [{one}]."
            for one, text in self._sentences.items()
            if one in shown
        ]
        return " ".join(cited) or "My portfolio shows other things."


def said_of(case: Case) -> tuple[str, list[str]]:
    """The words of a case's right answer without its marks, and the sentences that it names."""
    says = case.right.says if case.right else ""
    return re.sub(r"[ ]*\{\{.+?\}\}", "", says), _MARK.findall(says)


@contextmanager
def model() -> Iterator[FaithfulVisitors]:
    """Lets the product talk to one."""
    faithful = FaithfulVisitors()
    with served(faithful.answer):
        yield faithful


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
    """The id before a sentence that begins so; one that no prompt shows where there is none."""
    for sentence in _SENTENCE.finditer(prompt):
        if sentence[2].startswith(text):
            return sentence[1]
    return NOWHERE


def _json(value: Mapping[str, Any]) -> dict[str, Any]:
    return {"content": json.dumps(value, ensure_ascii=False)}
