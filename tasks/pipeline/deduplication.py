"""Step 3: statements that name one activity are put together, with the reason."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from futura.llm.client import Llm
from futura.text import content_stems
from tasks.language.duplicates import Merged, deduplicated
from tasks.pipeline.normalisation import tidied
from tasks.pipeline.prompts import DeduplicationAnswer, MergedTask, deduplication_messages

MAX_REASON = 300


def deduplicate_by_rules(statements: Sequence[str]) -> list[Merged]:
    """Every statement in exactly one result, in the order of first mention."""
    return deduplicated(statements)


def deduplicate_with_model(statements: Sequence[str], *, llm: Llm) -> list[Merged]:
    """The same by the model, repaired where it forgot or doubled a statement.

    Raises ModelUnavailable.
    """
    if len(statements) < 2:
        return deduplicate_by_rules(statements)
    answer = llm.structured(
        "deduplication",
        deduplication_messages(statements),
        DeduplicationAnswer,
        prompt_version=DeduplicationAnswer.VERSION,
    )
    free = set(range(len(statements)))
    results: list[Merged] = []
    for item in answer.deduplicated_tasks:
        members = _members(item, statements, free)
        if members:
            free -= set(members)
            results.append(_result(item, members, statements))
    results += [Merged(statements[index], (index,)) for index in free]
    return sorted(results, key=lambda result: result.members[0])


def _members(item: MergedTask, statements: Sequence[str], free: set[int]) -> tuple[int, ...]:
    """Places named and still free that share a content word with the first of them."""
    named = sorted({number - 1 for number in item.merged_from} & free)
    if not named:
        return ()
    first = content_stems(statements[named[0]])
    return tuple(
        index for index in named if index == named[0] or first & content_stems(statements[index])
    )


def _result(item: MergedTask, members: tuple[int, ...], statements: Sequence[str]) -> Merged:
    if len(members) == 1:
        return Merged(statements[members[0]], members)
    fullest = max((statements[index] for index in members), key=lambda s: len(content_stems(s)))
    final = tidied(item.final_statement)
    said = frozenset().union(*(content_stems(statements[index]) for index in members))
    if not final or content_stems(final) - said or len(final.split()) > 20:
        final = fullest
    reason = " ".join(item.reasoning.split())[:MAX_REASON]
    return Merged(final, members, reason or _("They name the same activity."))
