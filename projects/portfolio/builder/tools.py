"""The calls as tools of the model, and what the model is told of their results."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from futura.llm.tools import Job, Tool, ToolRejected
from projects.portfolio.builder import calls, telling
from projects.portfolio.builder.desk import Desk
from projects.portfolio.builder.drafting import heard_of
from projects.portfolio.builder.grounding import grounded
from projects.portfolio.builder.outcomes import Outcome, Proposed, TakenBack, Unchanged, Written
from projects.portfolio.builder.perform import perform

DEEP_S: Final = 60.0
DESCRIPTIONS: Final[dict[str, str]] = {
    "extractProjectData": "Writes down what the last message says about the work.",
    "requestClarification": "Asks one short question with answers to tap.",
    "promptForImages": "Shows the field for uploading pictures in the conversation.",
    "showPortfolioPreview": "Shows the preview of the page as it stands.",
    "suggestQuickActions": "Chooses which next steps to offer as buttons.",
    "updateField": "Changes one field when the person wants it: title, dates, tags, materials, …",
    "regenerateSection": "Proposes another title, summary or text for search engines.",
    "reorderImages": "Makes a picture the hero, or changes their order.",
    "describeImage": "Gives a picture its alternative text or caption.",
    "validateForPublish": "The server's check before publishing: which rules fail.",
    "generatePortfolioContent": "Drafts the whole text from what was told; it is shown first.",
    "checkPublishReady": "Reads the whole entry as a visitor: what fails, what could be better.",
    "composePortfolioLayout": "Proposes an order of blocks and pictures; changes nothing.",
    "updateDescriptionBlocks": "Keeps the proposal that the person said yes to, or changes blocks.",
    "publishEntry": "Asks to publish or take offline; the person has to approve it.",
    "undoLast": "Takes back what the last answer changed.",
}


def offered(desk: Desk, deep: Collection[str]) -> list[Tool[Any]]:
    """The tools of one turn: the fast ones, and those of the deep ones that were asked for."""
    wanted = [one for one in calls.DEEP if one.model_fields["tool"].default in deep]
    return [_tool(kind, desk) for kind in (*calls.FAST, *wanted)]


def _tool(kind: type[calls.Asked], desk: Desk) -> Tool[Any]:
    name: str = kind.model_fields["tool"].default
    is_slow = kind in calls.DEEP or kind is calls.Regenerate

    def call(given: Any, job: Job) -> object:
        dropped: list[str] = []
        if isinstance(given, calls.Extract):
            given, dropped = _said(given, desk)
        said = in_words(perform(given, desk, job.call_id))
        return (
            f"{said}\nLeft out, because the person did not say it: {', '.join(dropped)}."
            if dropped
            else said
        )

    return Tool(
        name, DESCRIPTIONS[name], kind, call, writes=name in calls.WRITES,
        timeout_s=DEEP_S if is_slow else 10.0,
    )  # fmt: skip


def _said(given: calls.Extract, desk: Desk) -> tuple[calls.Extract, list[str]]:
    """What the person really said. Raises ToolRejected when that is nothing."""
    values = given.model_dump(mode="json", exclude_none=True, exclude={"tool"})
    kept, dropped = grounded(values, heard_of(desk, desk.entry()))
    if not kept:
        raise ToolRejected("Nothing of this was said by the person; nothing was written down.")
    for name in calls.STORY:
        if name in kept:
            desk.state.told[name] = f"{desk.state.told.get(name, '')} {kept[name]}".strip()[-2_000:]
    return calls.Extract.model_validate(kept), dropped


def in_words(outcome: Outcome) -> str:
    """What the model is told. Raises ToolRejected for what was not done."""
    match outcome:
        case Written():
            if outcome.applied.is_waiting:
                return "NOT DONE. It waits for the person's approval; say so."
            if not outcome.applied.is_done:
                raise ToolRejected(f"It did not work: {outcome.applied.error}")
            return f"Done. {telling.sentence(outcome)}"
        case Unchanged(why="noted"):
            return "Noted."
        case Unchanged():
            return f"Nothing changed: {telling.sentence(outcome)}"
        case Proposed():
            said = telling.sentence(outcome)
            return f"PROPOSED, not done; the person sees it and has to say yes. {said}"
        case TakenBack(is_changed_since=True):
            return "NOT UNDONE: some of it was changed since. The person has to decide on the page."
    return telling.sentence(outcome) or "Shown."
