"""One question through Planner, Retrieval, Evidence and Answer, as the events of a turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final, Literal, TypeVar

from django.conf import settings
from django.db import connections
from django.utils import translation
from django.utils.translation import gettext as _, gettext_lazy

from chat import languages
from chat.guides import GuideEvent, StageDone, StageStarted, Text, TextWithdrawn
from chat.memory.tokens import count
from futura.characters import is_blank
from futura.errors import FuturaError, ModelUnavailable
from futura.llm import stages
from futura.llm.client import Llm
from futura.threads import carried
from projects.portfolio.documents import Doc
from projects.portfolio.visitors import admission, answer as answering, basic, retrieval
from projects.portfolio.visitors.answer import Answer
from projects.portfolio.visitors.contract import (
    AnswerRecord,
    Contract,
    Dropped,
    Evidence,
    EvidenceSummary,
    Question,
    RetrievalPlan,
    Retrieved,
    Stage,
    TurnResult,
    UiPayload,
    Verdict,
)
from projects.portfolio.visitors.evidence import (
    is_deep,
    judge_with_model,
    record_cards,
    record_evidence,
)

PREFIX: Final = "portfolio_"
"""Before the name of a stage in a run's trace."""
LABELS: Final[dict[Stage, Any]] = {
    "planner": gettext_lazy("Understanding your question"),
    "retrieval": gettext_lazy("Searching the portfolio"),
    "evidence": gettext_lazy("Comparing the results"),
    "answer": gettext_lazy("Answering"),
}
By = Literal["model", "rules", "engine"]
ValueT = TypeVar("ValueT")


class _Failed(FuturaError):
    """How a turn can fail, each with the code of the spec's `error` event (3, section 6.5)."""

    status = 503
    retry_helps = True


class BrokenOff(_Failed):
    """The model failed after the first words; what was shown stays."""

    code = "stream_interrupted"
    default_message = gettext_lazy("The answer was interrupted. Try again.")


class ModelFailed(_Failed):
    """The model failed before the first word, and rules may not take over."""

    code = "llm_error"
    default_message = gettext_lazy("The language model is not reachable. Please try again.")

    def __init__(self, reason: str = "") -> None:
        super().__init__()
        if "timeout" in reason:
            self.code = "llm_timeout"
        elif "budget" in reason:
            self.code, self.retry_helps = "budget_exceeded", False


class RetrievalFailed(_Failed):
    code = "retrieval_error"
    default_message = gettext_lazy("The portfolio could not be searched. Please try again.")


def respond(question: Question) -> Generator[GuideEvent, None, TurnResult]:
    """The stages one after the other; the result at the end.

    Raises BrokenOff, ModelFailed, RetrievalFailed, Cancelled.
    """
    with ThreadPoolExecutor(1, thread_name_prefix="moderation") as executor:
        return (yield from _Turn(question, executor).stages())


class _Turn:
    def __init__(self, question: Question, executor: ThreadPoolExecutor) -> None:
        self.question = question
        self.text, self.llm = question.text, question.llm
        self.plan = RetrievalPlan(question_type="meta", cards_enabled=False, topic="refused")
        self.retrieved = Retrieved()
        self.evidence = Evidence(EvidenceSummary(verdict="n/a", confidence="low"))
        self.answer = Answer()
        self.failures: list[str] = []
        self.was_refused = False
        self.uses_model = self.llm.is_configured
        self.moderated: Future[bool] | None = None
        if self.uses_model and not question.is_moderated:
            self.moderated = executor.submit(carried(_moderated), self.text, self.llm)

    def stages(self) -> Generator[GuideEvent, None, TurnResult]:
        if not self.uses_model and not settings.PORTFOLIO_BASIC_MODE:
            raise ModelFailed
        plan = yield from self._plan()
        if self._is_refused():  # nothing of the question is kept
            self.was_refused = True
            with _spoken(plan):
                refusal = admission.refusal()
            yield Text(self.answer.add(refusal))
            return self._result()
        self.plan = plan
        yield from self._retrieve()
        yield from self._judge()
        yield from self._write()
        return self._result()

    def _is_refused(self) -> bool:
        """What moderation says, which ran beside; a question that nobody could look at goes no
        further to the model.
        """
        try:
            return self.moderated is not None and self.moderated.result()
        except ModelUnavailable as error:
            self._note(error)
            self.uses_model = False
            return False

    def _plan(self) -> Generator[GuideEvent, None, RetrievalPlan]:
        yield _begin("planner")
        plan = self._attempt(retrieval.plan_with_model)
        by: By = "model" if plan else "rules"
        if plan is None:
            plan = basic.plan_of(self.text, goes_on=bool(self.question.state.last_evidence))
        axes = {"question_type", "enumeration", "scope", "topic", "cards_enabled"}
        meta = plan.model_dump(mode="json", by_alias=True, include=axes)
        yield self._end("planner", by, meta, {"plan": _json(plan)})
        return plan

    def _retrieve(self) -> Iterator[GuideEvent]:
        yield _begin("retrieval")
        plan, question = self.plan, self.question
        if question.index is not None:
            try:
                self.retrieved = retrieval.retrieve(
                    question.index,
                    plan,
                    plan.standalone_question or self.text,
                    today=question.today,
                    last_evidence=question.state.last_evidence,
                )
            except (ValueError, KeyError) as error:  # an index that was damaged
                raise RetrievalFailed from error
        retrieved = self.retrieved
        counts = Counter(doc.corpus for doc in retrieved.documents)
        meta = {
            "docsFound": len(retrieved.documents),
            "sources": {source: counts[source] for source in retrieval.SOURCES if counts[source]},
            "enumerationMode": plan.enumeration == "all_relevant",
            "readWhole": retrieved.is_whole,
            "readAgain": retrieved.is_reread,
            "space": retrieved.space,
            "docsLeftOut": len(retrieved.left_out),
        }
        trace = {"retrieval": [_json(summary) for summary in retrieved.requests]}
        yield self._end("retrieval", "engine", meta, trace, leftOut=_names(retrieved.left_out))

    def _judge(self) -> Iterator[GuideEvent]:
        yield _begin("evidence")
        plan, retrieved = self.plan, self.retrieved
        by: By = "model" if self.uses_model else "rules"
        evidence: Evidence | None
        if plan.question_type == "meta" or not retrieved.documents:
            # nothing asked, or nothing found: there is nothing to decide
            verdict: Verdict = "n/a" if plan.question_type == "meta" else "unknown"
            evidence = Evidence(EvidenceSummary(verdict=verdict, confidence="low"))
            by = "engine" if self.uses_model else "rules"
        else:
            evidence = self._attempt(judge_with_model, plan, retrieved)
        if evidence is None:
            evidence, by = basic.search(self.text, plan, retrieved), "rules"
        self.evidence = evidence
        meta = {
            "verdict": evidence.summary.verdict,
            "confidence": evidence.summary.confidence,
            "evidenceCount": len(evidence.summary.selected_evidence),
            "deepDive": (by == "model" and is_deep(plan, retrieved)) or None,
        }
        trace, ui = {"evidence": _json(evidence.summary)}, self._ui()
        yield self._end("evidence", by, meta, trace, ui=_json(ui))
        # what a search found is decided by nobody: no model makes an answer of it
        self.uses_model = self.uses_model and by != "rules"

    def _write(self) -> Iterator[GuideEvent]:
        yield _begin("answer")
        plan, evidence, answer = self.plan, self.evidence, self.answer
        by: By = "model" if self.uses_model else "rules"
        if self.uses_model:
            try:
                for text in answering.answer_with_model(
                    self.question, plan, self.retrieved.documents, evidence, answer
                ):
                    yield Text(text)
            except ModelUnavailable as error:
                if answer.text:
                    raise BrokenOff from error
                self._note(error)
                by = "rules"
        if by == "model" and admission.is_answer_flagged(answer.text, self.llm):
            flagged = Dropped(stage="answer", code="MODERATED")
            with _spoken(plan):  # what it stood on goes with it, and what was left out of it
                answer = self.answer = Answer(admission.refusal(), dropped=[flagged])
            judged = EvidenceSummary(
                **evidence.summary.model_dump(include={"verdict", "confidence"})
            )
            self.evidence, self.was_refused = Evidence(judged, dropped=evidence.dropped), True
            yield TextWithdrawn(answer.text)
        if is_blank(answer.text):
            is_foreign = bool(plan.language and not languages.named(plan.language))
            with _spoken(plan):  # quotes need no words of ours in a language that is not theirs
                is_bare = is_foreign and bool(evidence.sentences)
                pieces = [*basic.pieces_of(self.evidence, self.question.speaker, is_bare=is_bare)]
            for text, numbers in pieces:
                yield Text(answer.add(text, numbers))
        about = {
            "model": stages.stage(answering.STAGE).model if by == "model" else "rules",
            "questionType": plan.question_type,
            "enumeration": plan.enumeration,
            "scope": plan.scope,
            "verdict": evidence.summary.verdict,
            "confidence": evidence.summary.confidence,
            "thoughts": answer.thoughts,
        }
        yield self._end("answer", by, {"tokenCount": count(answer.text)}, {"answerMeta": about})

    def _result(self) -> TurnResult:
        plan, evidence, answer, question = self.plan, self.evidence, self.answer, self.question
        # a follow-up reads again what the answer stood on, and the works that were shown with it
        if keys := [doc.key for doc in (*evidence.documents, *evidence.cards)]:
            question.state.last_evidence = list(dict.fromkeys(keys))
        record = AnswerRecord(
            anchor_id=question.anchor_id,
            verdict=evidence.summary.verdict,
            confidence=evidence.summary.confidence,
            claims=answer.claims,
            evidence=record_evidence(evidence),
            cards=record_cards(evidence),
            ui=self._ui(),
            dropped=[*evidence.dropped, *answer.dropped],
            basic_mode=not self.llm.is_configured or bool(self.failures),
            truncation_applied=question.is_cut or len(question.window) < len(question.history),
            was_refused=self.was_refused,
        )
        read = _names([*self.retrieved.documents, *evidence.cards])
        return TurnResult(answer.text, record, plan, evidence.summary, read)

    def _ui(self) -> UiPayload:
        """Cards of the evidence, and what the page says while the model is not reachable."""
        summary = self.evidence.summary
        hints = summary.ui_hints
        banner = _("Basic mode: the language model is not reachable.")
        return UiPayload(
            show_projects=hints.projects,
            show_experiences=hints.experiences,
            banner_text=banner if self.failures else None,
            core_evidence_ids=list(dict.fromkeys(item.id for item in summary.selected_evidence)),
        )

    def _attempt(self, call: Callable[..., ValueT], *read: Any) -> ValueT | None:
        """What the model says; None without one, or when it fails and basic mode takes over."""
        if not self.uses_model:
            return None
        try:
            return call(self.question, *read)
        except ModelUnavailable as error:
            self._note(error)
            return None

    def _note(self, error: ModelUnavailable) -> None:
        if not settings.PORTFOLIO_BASIC_MODE:
            raise ModelFailed(error.reason) from error
        self.failures.append(error.reason)

    def _end(
        self, stage: Stage, by: By, meta: dict[str, Any], trace: dict[str, Any], **more: Any
    ) -> StageDone:
        """The end of a stage: `meta` for the page, `trace` for those who ask for reasoning."""
        values = {name: value for name, value in meta.items() if value is not None} | {"by": by}
        if self.failures:
            values["fallback"] = more["fallback"] = self.failures[-1]
        return StageDone(PREFIX + stage, by, {"meta": values, "trace": trace, **more})


def _spoken(plan: RetrievalPlan) -> translation.override:
    """What the product says itself in the visitor's language, where the interface has it."""
    return translation.override(languages.named(plan.language) or languages.current())


def _begin(stage: Stage) -> StageStarted:
    return StageStarted(PREFIX + stage, str(LABELS[stage]))


def _moderated(question: str, llm: Llm) -> bool:
    """In a thread of its own. Raises ModelUnavailable, Cancelled."""
    try:
        return admission.is_flagged(question, llm)
    finally:
        connections.close_all()


def _names(docs: Iterable[Doc]) -> list[str]:
    """Documents as source/id, each once."""
    return list(dict.fromkeys("/".join(doc.key) for doc in docs))


def _json(value: Contract) -> dict[str, Any]:
    return value.model_dump(mode="json", by_alias=True)
