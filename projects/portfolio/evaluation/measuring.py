"""Plays the cases of a file to the portfolios beside it, and tells what came of them.

Without a model everything happens in a transaction that is rolled back. With one, for which no
transaction may wait, what was made is erased afterwards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any

from django.db import transaction

from chat.models import Participant
from chat.operations.changes import Actor
from chat.operations.erase import erase_all_of
from futura.errors import BadInput
from futura.evaluation import EvaluationOptions, read_cases
from futura.llm.client import Llm
from projects.portfolio.documents import Doc
from projects.portfolio.evaluation import corpus
from projects.portfolio.evaluation.cases import Case
from projects.portfolio.evaluation.figures import below, figures_of, missed
from projects.portfolio.evaluation.judging import Judged, judge
from projects.portfolio.index import index_for
from projects.portfolio.models import Portfolio
from projects.portfolio.visitors.contract import TurnResult
from projects.portfolio.visitors.pipeline import answer
from projects.portfolio.visitors.prompts import Said
from projects.portfolio.visitors.state import VisitState

CORPORA = "portfolio"
"""The folder beside a file of cases that holds the portfolios, one JSON file each."""


class _Undone(Exception):
    """Ends the transaction of an evaluation."""


def evaluate_portfolio(path: Path | None, options: EvaluationOptions) -> dict[str, Any]:
    """The figures of spec 3's evaluation, by portfolio and kind too; with what was missed."""
    if path is None:
        raise BadInput("Name the file with the cases: evaluate portfolio FILE.")
    cases = read_cases(path, Case)
    started = perf_counter()
    judged = play(cases, path.parent / CORPORA)
    elapsed_ms = (perf_counter() - started) * 1000
    figures = figures_of(judged)
    mode = "model" if Llm().is_configured else "basic"
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


def play(cases: Sequence[Case], corpora: Path) -> list[Judged]:
    """Asks every case of the portfolio that it names, in the order of the cases."""
    names = sorted({case.portfolio for case in cases})
    written = {name: corpus.read_corpus(corpora / f"{name}.json") for name in names}
    keeping = _erased_afterwards if Llm().is_configured else _for_nothing
    with keeping() as person:
        opened = {name: _Opened(corpus.load(one, person.pk)) for name, one in written.items()}
        return [opened[case.portfolio].judged(case) for case in cases]


class _Opened:
    """A portfolio with its index."""

    def __init__(self, portfolio: Portfolio) -> None:
        self.portfolio = portfolio
        index = index_for(portfolio)
        self.docs: Mapping[tuple[str, str], Doc] = index.by_id if index else {}

    def judged(self, case: Case) -> Judged:
        """What came of a case; what was said before is really asked before."""
        return judge(case, self.asked(case), self.docs)

    def asked(self, case: Case) -> TurnResult:
        """The last turn of the case's conversation."""
        history: list[Said] = []
        state = VisitState(portfolio_id=str(self.portfolio.pk))
        for said in case.input.conversation_history:
            turn = answer(self.portfolio, said.content, history, state=state)
            history += [("user", said.content), ("assistant", turn.message)]
        return answer(self.portfolio, case.input.user_message, history, state=state)


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
