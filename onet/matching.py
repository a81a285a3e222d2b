"""Codes pieces of work: the catalogue statement that says each best, or none; its activities."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Final, Literal

from django.utils import translation
from django.utils.translation import gettext as _

from futura.errors import ModelUnavailable
from futura.llm.checks import Reason
from futura.llm.client import Llm, each_side_by_side
from onet import queries
from onet.candidates import ActivityGroup, Candidate, groups_of
from onet.models import Release
from onet.prompts import NO_MATCH, MatchSelection, match_messages
from onet.search.finding import Query, Results, searcher

Confidence = Literal["high", "medium", "low", "none"]
Method = Literal["model", "rules"]

CANDIDATES: Final = 5
"""Statements looked at (spec 1, stage 4)."""
BANDS: Final[tuple[tuple[float, Confidence], ...]] = (
    (0.60, "high"),
    (0.45, "medium"),
    (0.30, "low"),
)
"""Smallest calibrated score of each confidence (spec 1, stage 4; DECISIONS 12)."""
AS_GOOD: Final = 0.05
"""Scores this close say the same; the order of the candidates decides."""
STAGE: Final = "match_selection"


@dataclass(frozen=True, slots=True)
class Coding:
    """What the catalogue says of a piece of work, with everything it was made from.

    Which of the candidates it is, if any, and why; `reason` is for the person.
    """

    choice: Candidate | None
    confidence: Confidence
    reason: str
    method: Method
    candidates: tuple[Candidate, ...] = ()
    space: str = ""
    catalogue: str = ""
    nearest: tuple[str, ...] = ()
    """Element ids that the nearest statements speak for, best first."""
    missed: str = ""
    """Why the model did not choose, where it was asked and the scores did."""

    @property
    def activities(self) -> tuple[str, ...]:
        """Element ids such as `4.A.2.b.2`, best first; empty where no statement shares a word.

        Those of the chosen statement, else those that the nearest statements speak for.
        """
        return self.choice.activity_ids if self.choice else self.nearest

    @property
    def groups(self) -> tuple[ActivityGroup, ...]:
        return groups_of(self.activities)


def code(statement: str, *, occupation_code: str = "", llm: Llm | None = None) -> Coding:
    return code_many([Query(statement, occupation_code)], llm=llm)[0]


def code_many(
    statements: Sequence[Query], *, llm: Llm | None = None, by_words_only: bool = False
) -> list[Coding]:
    """Five candidates for each, the occupation's own first; the best of them or none; activities.

    All are searched in one pass. Where a model is configured it chooses, one call a statement,
    side by side; without a usable answer of it the scores do. `by_words_only` leaves a neural
    space alone, so that nothing is asked over a network. Raises `Cancelled` from the gateway only.
    """
    release = queries.active_release()
    if release is None:
        return [_no_match()] * len(statements)
    search = searcher(release, by_words_only=by_words_only)
    results = search.search_many(statements, limit=CANDIDATES)
    pairs = list(zip(statements, results, strict=True))

    def chosen(pair: tuple[Query, Results]) -> Coding:
        with _speaking(pair[0]):
            return choose_with_model(pair[0], pair[1].candidates, llm=llm)

    choices: Iterable[Coding | ModelUnavailable | None] = repeat(None)
    if llm is not None and llm.is_configured:
        choices = each_side_by_side(chosen, pairs)
    return [_coding(*pair, release, choice) for pair, choice in zip(pairs, choices, strict=False)]


def code_taken(task_ids: Iterable[str]) -> dict[str, Coding]:
    """Statements that were taken from the catalogue word for word, as codings: no search.

    By task id; those that the active release does not have are left out. Three queries.
    """
    statements = {
        task_id: replace(statement, score=1.0)
        for task_id, statement in queries.statements(task_ids).items()
    }
    name = queries.catalogue().name if statements else ""
    return {
        task_id: Coding(
            candidates=(statement,),
            choice=statement,
            confidence="high",
            reason=_("You selected this statement from the catalogue."),
            method="rules",
            catalogue=name,
        )
        for task_id, statement in statements.items()
    }


def activities_for(statement: str) -> tuple[str, ...]:
    """Element ids of a piece of work, best first, as the nearest statements speak for them."""
    return code_many([Query(statement)], by_words_only=True)[0].nearest


def _speaking(query: Query) -> AbstractContextManager[None]:
    """Reasons are in the language of the query, where it has one."""
    return translation.override(query.language or translation.get_language())


def _coding(
    query: Query, results: Results, release: Release, choice: Coding | ModelUnavailable | None
) -> Coding:
    """With the model's choice, or that of the scores where it gave none."""
    with _speaking(query):
        chosen = choice if isinstance(choice, Coding) else choose_by_score(results.candidates)
    return replace(
        chosen,
        reason=f"{chosen.reason} {results.note}".strip(),
        candidates=results.candidates,
        space=results.space,
        catalogue=release.name,
        nearest=results.activities,
        missed=choice.reason if isinstance(choice, ModelUnavailable) else "",
    )


def choose_with_model(
    query: Query, candidates: Sequence[Candidate], *, llm: Llm | None = None
) -> Coding:
    """The model's pick and word; raises ModelUnavailable when it gives nothing usable."""
    if llm is None or not llm.is_configured or not candidates:
        raise ModelUnavailable(reason="not_configured")
    messages = match_messages(query.text, candidates, language=query.language, job=query.job)
    answer = llm.structured(STAGE, messages, MatchSelection)
    if answer.best_index != NO_MATCH and not 0 <= answer.best_index < len(candidates):
        llm.checked(STAGE, used=0, refused={Reason.UNKNOWN_ID: 1})
        raise ModelUnavailable(reason="index_out_of_range")
    llm.checked(STAGE, used=1)
    if answer.best_index == NO_MATCH:
        return _no_match(answer.reasoning.strip(), "model")
    picked = candidates[answer.best_index]
    return Coding(picked, answer.confidence, answer.reasoning.strip(), "model")


def choose_by_score(candidates: Sequence[Candidate]) -> Coding:
    """The candidate with the best score, when it reaches the lowest band.

    Of two that are about as good, the one of the person's occupation (listed first) is taken.
    """
    top = max((candidate.score for candidate in candidates), default=0.0)
    best = next((candidate for candidate in candidates if candidate.score >= top - AS_GOOD), None)
    confidence = confidence_of(best.score) if best else "none"
    if best is None or confidence == "none":
        return _no_match()
    return Coding(best, confidence, _why(confidence), "rules")


def confidence_of(score: float) -> Confidence:
    return next((name for floor, name in BANDS if score >= floor), "none")


def _no_match(reason: str = "", method: Method = "rules") -> Coding:
    return Coding(
        None, "none", reason or _("No statement in the catalogue is close enough."), method
    )


def _why(confidence: Confidence) -> str:
    if confidence == "high":
        return _("Nearly the same meaning in the catalogue's wording.")
    if confidence == "medium":
        return _("Most of the wording and the kind of work agree.")
    return _("Only part of the wording agrees. Check whether it fits.")
