"""Plays the cases of a file to the portfolios beside it, or questions made from the records of the
portfolios of this installation, and tells what came of them.

Without a model everything happens in a transaction that is rolled back. With one, for which no
transaction may wait, what was made is erased afterwards.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any

from django.db import transaction

from chat.guides import StageDone, Text
from chat.memory.shapes import Utterance
from chat.models import Participant
from chat.operations.changes import Actor
from chat.operations.erase import erase_all_of
from futura.errors import BadInput
from futura.evaluation import EvaluationOptions, read_cases
from futura.llm.client import Llm
from projects.portfolio.documents import Doc
from projects.portfolio.evaluation import corpus, faithful, own
from projects.portfolio.evaluation.cases import Case
from projects.portfolio.evaluation.figures import below, figures_of, missed
from projects.portfolio.evaluation.judging import FirstWord, Judged, judge
from projects.portfolio.index import index_for
from projects.portfolio.models import Portfolio
from projects.portfolio.visitors.contract import TurnResult
from projects.portfolio.visitors.pipeline import Question, respond
from projects.portfolio.visitors.speaker import speaker_of
from projects.portfolio.visitors.state import VisitState

CORPORA = "portfolio"
"""The folder beside a file of cases that holds the portfolios, one JSON file each."""


class _Undone(Exception):
    """Ends the transaction of an evaluation."""


def evaluate_portfolio(path: Path | None, options: EvaluationOptions) -> dict[str, Any]:
    """The figures of spec 3, section 8.5, by portfolio, kind and language too, and what was missed.

    Without a file every published portfolio is asked what its own records answer. `--faithful`
    plays a model that is right, which needs the expectations of a file.
    """
    if path is None and options.faithful:
        raise BadInput("Name the file with the cases: evaluate portfolio FILE --faithful.")
    started = perf_counter()
    with faithful.model() if options.faithful else nullcontext() as model:
        mode = "faithful" if model else "model" if Llm().is_configured else "basic"
        if path is None:
            judged = play_own()
        else:
            judged = play(read_cases(path, Case), path.parent / CORPORA, model)
    elapsed_ms = (perf_counter() - started) * 1000
    figures = figures_of(judged)
    told: dict[str, Any] = {
        "mode": mode,
        **figures,
        "unanswerable_or_near_miss": round(
            sum(one.kind != "plain" for one in judged) / len(judged), 4
        ),
        "mean_ms": round(elapsed_ms / len(judged), 1),
        "below_floor": below(figures, mode),
        "by_portfolio": _grouped(judged, lambda one: one.portfolio),
        "by_kind": _grouped(judged, lambda one: one.kind),
        "by_language": _grouped(judged, lambda one: one.language),
        "misses": missed(judged),
    }
    if options.details:
        told["details"] = [asdict(one) for one in judged]
    return told


def _grouped(judged: Sequence[Judged], key: Callable[[Judged], str]) -> dict[str, Any]:
    groups: dict[str, list[Judged]] = defaultdict(list)
    for one in judged:
        groups[key(one)].append(one)
    return {name: figures_of(some) for name, some in sorted(groups.items())}


def play(
    cases: Sequence[Case], corpora: Path, model: faithful.FaithfulVisitors | None = None
) -> list[Judged]:
    """Asks every case of the portfolio that it names, in the order of the cases."""
    names = sorted({case.portfolio for case in cases})
    written = {name: corpus.read_corpus(corpora / f"{name}.json") for name in names}
    keeping = _erased_afterwards if Llm().is_configured else _for_nothing
    with keeping() as person:
        opened = {
            name: _Opened(corpus.load(one, person.pk), model) for name, one in written.items()
        }
        return [opened[case.portfolio].judged(case) for case in cases]


def play_own() -> list[Judged]:
    """Asks every published portfolio what its records answer. Raises BadInput: there is none."""
    published = Portfolio.objects.filter(status=Portfolio.Status.PUBLISHED).order_by("slug")
    judged = []
    for portfolio in published:
        opened = _Opened(portfolio)
        cases = own.cases_of(portfolio.slug, opened.docs.values())
        judged += [opened.judged(case) for case in cases]
    if not judged:
        raise BadInput("No portfolio is published here. Name a file: evaluate portfolio FILE.")
    return judged


class _Opened:
    """A portfolio with its index, and the model that is given what is right, if one is."""

    def __init__(
        self, portfolio: Portfolio, model: faithful.FaithfulVisitors | None = None
    ) -> None:
        self.portfolio = portfolio
        self.model = model
        self.index = index_for(portfolio)
        self.docs: Mapping[tuple[str, str], Doc] = self.index.by_id if self.index else {}

    def judged(self, case: Case) -> Judged:
        """What came of a case; what was said before is really asked before."""
        history: list[Utterance] = []
        state = VisitState(portfolio_id=str(self.portfolio.pk))
        for earlier in case.input.conversation_history:
            turn, _ = self._asked(case, earlier.content, history, state, is_last=False)
            history.append(Utterance("user", earlier.content, uuid.uuid4()))
            history.append(Utterance("assistant", turn.message, uuid.uuid4()))
        turn, before = self._asked(case, case.input.user_message, history, state, is_last=True)
        return judge(case, turn, self.docs, before, is_faithful=self.model is not None)

    def _asked(
        self,
        case: Case,
        question: str,
        history: list[Utterance],
        state: VisitState,
        *,
        is_last: bool,
    ) -> tuple[TurnResult, FirstWord]:
        if self.model:
            self.model.is_given(case, question, is_last=is_last)
        ask = Question(
            text=question,
            speaker=speaker_of(self.portfolio),
            index=self.index,
            state=state,
            llm=Llm(),
            history=history,
        )
        stream, started, by_model = respond(ask), perf_counter(), 0
        before: FirstWord | None = None
        while True:
            try:
                event = next(stream)
            except StopIteration as end:
                result: TurnResult = end.value
                return result, before or FirstWord(by_model, 0)
            if isinstance(event, StageDone):
                by_model += event.by == "model"
            elif isinstance(event, Text) and before is None:
                is_spoken = ask.llm.is_configured and by_model > 0
                before = FirstWord(by_model + is_spoken, (perf_counter() - started) * 1000)


@contextmanager
def _for_nothing() -> Iterator[Participant]:
    """A transaction that is never committed."""
    try:
        with transaction.atomic():
            yield Participant.objects.create(time_zone="UTC")
            raise _Undone
    except _Undone:
        pass


@contextmanager
def _erased_afterwards() -> Iterator[Participant]:
    person = Participant.objects.create(time_zone="UTC")
    try:
        yield person
    finally:
        erase_all_of(actor=Actor(person.pk), reason=corpus.REASON)
        person.delete()
