"""A resume as drafts by a model: what it quotes is located in the source, or it is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from futura.text import locate
from projects.portfolio.intake import periods, prompts
from projects.portfolio.intake.basic import resume as basic
from projects.portfolio.intake.drafts import Draft, identified
from projects.portfolio.intake.grounding import Ground
from projects.portfolio.intake.understanding import Reader, ask

RESUME_CHARS: Final = 60_000


def drafts_of(reader: Reader, text: str) -> list[Draft]:
    """Every record of a resume; of a model's those whose quote stands in the source.

    `reader` hears of the others. Raises Skipped, PreprocessError.
    """
    if not reader.has_model:
        return basic.drafts_of(text)
    messages = prompts.resume_messages(text[:RESUME_CHARS])
    answer = ask(reader, "portfolio_resume", messages, prompts.ResumeAnswer, "the resume")
    ground = Ground(text)
    drafts: list[Draft] = []
    for kind, record in _records(answer):
        place = locate(record.quote, text)
        if place is None:
            reader.dropped("resume", f"“{record.quote[:80]}”")
            continue
        draft = Draft(kind, *place, *_values(kind, record, ground))
        if draft.missing:
            reader.dropped("resume", f"“{draft.title or record.quote[:80]}”")
            continue
        drafts.append(draft)
    return identified(drafts)


def _records(answer: prompts.ResumeAnswer) -> Iterator[tuple[str, Any]]:
    if answer.profile is not None:
        yield "profile", answer.profile
    for position in answer.experiences:
        yield "volunteering" if position.is_voluntary else "position", position
    yield from (("education", one) for one in answer.education)
    yield from (("award", one) for one in answer.awards)
    yield from ((one.kind, one) for one in answer.credentials)
    yield from (("skill", one) for one in answer.skills)


def _values(kind: str, record: Any, ground: Ground) -> tuple[dict[str, Any], list[str]]:
    """The fields of a record, and the names of those that do not stand in the source."""
    values: dict[str, Any] = {}
    unsure: list[str] = []
    for name, value in record.model_dump(
        exclude={"quote", "kind", "dates", "is_voluntary"}
    ).items():
        if name in {"category", "experience_type"} or isinstance(value, bool):
            values[name] = value
        elif isinstance(value, list):
            values[name] = _listed(name, value, ground)
            unsure += [name] if len(values[name]) < len(value) else []
        elif name == "date":
            values[name] = _month(value, ground)
        elif value:
            holds = ground.names(value) if kind == "skill" else ground.holds(value)
            values[name] = value.strip() if holds else ""
            unsure += [] if holds else [name]
    if dates := getattr(record, "dates", None):
        started, ended = _month(dates.start, ground), _month(dates.end, ground)
        if started and ended and started > ended:
            started = ended = ""
            unsure += ["started", "ended"]
        values |= {"started": started, "ended": ended}
    if values.get("ended"):
        values["is_current"] = False
    return values, unsure


def _listed(name: str, items: Sequence[str], ground: Ground) -> list[str]:
    if name == "skills":
        return ground.named(items)
    return [one.strip() for one in items if ground.holds(one) or locate(one, ground.source)]


def _month(told: str | None, ground: Ground) -> str:
    """A month whose year stands in the source."""
    month = periods.normalised(told) or ""
    return month if month[:4] in ground.text else ""
