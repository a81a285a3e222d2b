"""Plays the cases of a file to the portfolios beside it, or questions made from the records of the
portfolios of this installation, and tells what came of them.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from chat.guides import StageDone, Text
from chat.memory.shapes import Utterance
from futura.errors import BadInput
from futura.evaluation import EvaluationOptions, read_cases
from futura.llm.client import Llm
from futura.llm.faithful import served
from projects.evaluation.case_run import somebody
from projects.portfolio.evaluation.cases import Case, load, own_cases, read_corpus
from projects.portfolio.evaluation.faithful import FaithfulVisitors
from projects.portfolio.evaluation.judging import Judged, below, figures_of, missed
from projects.portfolio.index.building import index_for
from projects.portfolio.models import Portfolio
from projects.portfolio.visitors.contract import Question, TurnResult, VisitState
from projects.portfolio.visitors.guide import speaker_of
from projects.portfolio.visitors.pipeline import respond

CORPORA: Final = "portfolio"
"""The folder beside a file of cases that holds the portfolios, one JSON file each."""


def evaluate_portfolio(path: Path | None, options: EvaluationOptions) -> dict[str, Any]:
    """The figures of spec 3, section 8.5, by portfolio, kind and language too, and what was missed.

    Without a file every published portfolio is asked what its own records answer. `--faithful`
    plays a model that is right, which needs the expectations of a file.
    """
    if path is None and options.faithful:
        raise BadInput("Name the file with the cases: evaluate portfolio FILE --faithful.")
    model = FaithfulVisitors() if options.faithful else None
    with served(model.answer) if model else nullcontext():
        mode = "faithful" if model else "model" if Llm().is_configured else "basic"
        if path is None:
            judged = play_own()
        else:
            judged = play(read_cases(path, Case), path.parent / CORPORA, model)
    figures = figures_of(judged)
    result: dict[str, Any] = {
        "mode": mode,
        **figures,
        "below_floor": below(figures, mode),
        **{f"by_{name}": _grouped(judged, name) for name in ("portfolio", "kind", "language")},
        "misses": missed(judged),
    }
    if options.details:
        result["details"] = [row.summary for row in judged]
    return result


def _grouped(judged: Sequence[Judged], name: str) -> dict[str, Any]:
    groups: dict[str, list[Judged]] = defaultdict(list)
    for row in judged:
        groups[getattr(row.case, name)].append(row)
    return {value: figures_of(rows) for value, rows in sorted(groups.items())}


def play(
    cases: Sequence[Case], corpora: Path, model: FaithfulVisitors | None = None
) -> list[Judged]:
    """Asks every case of the portfolio that it names, in the order of the cases."""
    names = sorted({case.portfolio for case in cases})
    written = {name: read_corpus(corpora / f"{name}.json") for name in names}
    with somebody() as person:
        portfolios = {name: load(entry, person.pk) for name, entry in written.items()}
        return [_judged(case, portfolios[case.portfolio], model) for case in cases]


def play_own() -> list[Judged]:
    """Asks every published portfolio what its records answer. Raises BadInput: there is none."""
    published = Portfolio.objects.filter(status=Portfolio.Status.PUBLISHED).order_by("slug")
    judged = []
    for portfolio in published:
        index = index_for(portfolio)
        cases = own_cases(portfolio.slug, index.by_id.values() if index else ())
        judged += [_judged(case, portfolio, None) for case in cases]
    if not judged:
        raise BadInput("No portfolio is published here. Name a file: evaluate portfolio FILE.")
    return judged


def _judged(case: Case, portfolio: Portfolio, model: FaithfulVisitors | None) -> Judged:
    """What came of a case; what was said before is really asked before."""
    history: list[Utterance] = []
    state = VisitState(portfolio_id=str(portfolio.pk))
    index = index_for(portfolio)
    texts = [message.content for message in case.input.conversation_history]
    texts.append(case.input.user_message)
    for place, text in enumerate(texts, start=1):
        if model:
            model.is_given(case, text, is_last=place == len(texts))
        question = Question(
            text=text,
            speaker=speaker_of(portfolio),
            index=index,
            state=state,
            llm=Llm(),
            history=tuple(history),
        )
        turn, calls, ms = _timed(question)
        history.append(Utterance("user", text, uuid.uuid4()))
        history.append(Utterance("assistant", turn.message, uuid.uuid4()))
    docs = index.by_id if index else {}
    return Judged(case, turn, docs, is_faithful=model is not None, calls=calls, ms=ms)


def _timed(question: Question) -> tuple[TurnResult, int, float]:
    """The turn; the model's calls in sequence and the milliseconds before its first word."""
    stream, started = respond(question), perf_counter()
    calls, ms = 0, 0.0
    while True:
        try:
            event = next(stream)
        except StopIteration as end:
            return end.value, calls, round(ms, 1)
        if isinstance(event, Text):
            ms = ms or (perf_counter() - started) * 1000
        elif isinstance(event, StageDone):
            calls += event.by == "model"
