"""What the creating conversation says: by the model within limits, or by rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from chat.guides import GuideEvent, StageDone, StageStarted, Text, Turn
from futura.errors import ModelUnavailable
from futura.llm.client import Cancelled, ChatMessage
from projects.agent.closing import Checker, Facts
from projects.agent.create import prompts
from projects.agent.create.questions import varied
from projects.agent.fencing import fence_of
from projects.dimensions import BY_FIELD

STAGE: Final = "agent_response"
_SENTENCE: Final = re.compile(r"[^.!?…]*[.!?…]+[\"”’)]*\s*|[^.!?…]+$")
OPENINGS: Final = (
    gettext_lazy(
        "Let us put something into shape together. What are you working on? Tell me everything "
        "that is on your mind, in any order; I listen first and sort it as we go."
    ),
    gettext_lazy(
        "What would you like to bring about? Just start talking. Half sentences are fine, I keep "
        "the notes and ask afterwards."
    ),
    gettext_lazy(
        "Tell me about the project you have in mind: all of it, the clear parts and the vague "
        "ones. I will not interrupt; questions come when you are through."
    ),
)
MORE: Final = (
    gettext_lazy("Got it. Tell me more: whatever else is on your mind about it."),
    gettext_lazy("I am listening. Go on, just as it comes."),
    gettext_lazy("Good, that is a start. Tell me more about it."),
)
_HELLO: Final = (
    gettext_lazy("Hello! What are you working on? Tell me all of it, just as it comes."),
    gettext_lazy("Hello. What would you like to bring about?"),
)
_UNREAD: Final = (
    gettext_lazy(
        "I could not tell what should be different, so the draft stays as it is. You can say “add "
        "a task to …” or “ask me about the risks”."
    ),
    gettext_lazy("I did not read that as a change: nothing was created and nothing is different."),
)
_THANKS: Final = (
    gettext_lazy("Noted."),
    gettext_lazy("Good, that is in the draft."),
    gettext_lazy("That helps."),
    gettext_lazy("I see."),
    gettext_lazy("All right."),
)
_LATER: Final = (
    gettext_lazy("That is fine, we can work it out later."),
    gettext_lazy("No need to know that yet. I leave it open."),
    gettext_lazy("Then we leave that for later."),
)
_READY: Final = (
    gettext_lazy(
        "I think that is a solid start. Here is the draft. Shall I make the project of it?"
    ),
    gettext_lazy("This looks complete enough to begin with. Shall I create the project like this?"),
    gettext_lazy("That gives a good picture. Have a look at the draft: shall I create it?"),
)


@dataclass(frozen=True)
class Plan:
    """What a reply has to do: `lead` acknowledges, `question` is put, `tail` is added as it is."""

    lead: str
    question: str = ""
    tail: str = ""
    purpose: str = ""
    noted: Sequence[str] = ()

    @property
    def text(self) -> str:
        """The reply by rules."""
        said = " ".join(filter(None, [self.lead, self.question]))
        return "\n\n".join(filter(None, [said, self.tail]))


def opening(seed: str, name: str = "") -> str:
    """The first word of a conversation; `name` is that of a draft that is filled already."""
    if name:
        return _(
            "I have put what is known about **%(name)s** into a draft. Tell me what it is about "
            "for you, in any order; I listen first and ask afterwards."
        ) % {"name": name}
    return varied(OPENINGS, seed)


def hello(seed: str) -> str:
    """Greets back and asks for the project."""
    return varied(_HELLO, seed)


def more(seed: str) -> str:
    """Asks to go on, without a question."""
    return varied(MORE, seed)


def thanks(seed: str) -> str:
    """Acknowledges an answer."""
    return varied(_THANKS, seed)


def later(seed: str) -> str:
    """Accepts that something is not known."""
    return varied(_LATER, seed)


def ready(seed: str) -> str:
    """Offers the preview."""
    return varied(_READY, seed)


def unread(seed: str) -> str:
    """Says that nothing in a message was read as a change to the draft."""
    return varied(_UNREAD, seed)


def noted_words(fields: Sequence[str], tasks: int, *, has_rest: bool = False) -> str:
    """“I have that under reality and goals, and two tasks”; `has_rest`: some of it fits nowhere."""
    names = [f"“{BY_FIELD[field].name}”" for field in fields]
    parts = []
    if names:
        both = _(" and ").join(filter(None, [", ".join(names[:-1]), names[-1]]))
        parts.append(_("I have sorted that under %(names)s.") % {"names": both})
    if has_rest:
        parts.append(_("The rest is kept as context.") if fields else _("I keep that as context."))
    if tasks:
        parts.append(
            ngettext(
                "One task is on the draft's list.", "%(n)d tasks are on the draft's list.", tasks
            )
            % {"n": tasks}
        )
    return " ".join(parts)


def finish_hint() -> str:
    """Says that this may be enough."""
    return _("We could also stop here: say “create it” whenever you like.")


Writing = Generator[GuideEvent, None, str]


def spoken(turn: Turn[Any], plan: Plan, facts: Callable[[], Facts]) -> Writing:
    """Says the plan: streamed by the model and checked, else by rules. Gives what was said."""
    if not turn.llm.is_configured or not plan.question or turn.message is None:
        yield Text(plan.text)
        return plan.text
    yield StageStarted(STAGE, _("Writing"))
    said = ""
    messages = _messages(turn, plan)
    checker = Checker(facts, secret=messages[0]["content"])
    try:
        for piece in _within_limits(turn, plan, messages, checker):
            said += piece
            yield Text(piece)
    except Cancelled:  # stopped: what had arrived stands
        yield Text("".join(checker.end()))
        raise
    except ModelUnavailable as error:
        if said:  # what came of the answer is kept; the run says that it broke off
            raise
        said = plan.text
        yield Text(said)
        yield StageDone(STAGE, "rules", {"fallback": True, "because": error.reason})
    else:
        yield StageDone(STAGE, "model")
    if plan.tail and plan.tail not in said:
        yield Text(f"\n\n{plan.tail}")
        said += f"\n\n{plan.tail}"
    return said


def _within_limits(
    turn: Turn[Any], plan: Plan, messages: list[ChatMessage], checker: Checker
) -> Generator[str, None, None]:
    """At most two sentences and one question; nothing that the ledger does not show."""
    count = 0
    stream = turn.llm.stream_text(STAGE, messages, prompt_version=prompts.RESPONSE_VERSION)
    try:
        for sentence in _sentences(checker, stream):
            is_question = sentence.rstrip().endswith("?")
            if count >= 2 and not is_question:
                continue
            count += 1
            yield sentence if sentence[-1:].isspace() or is_question else f"{sentence} "
            if is_question:
                return
    finally:
        stream.close()  # type: ignore[attr-defined] # a generator
    yield plan.question


def _sentences(checker: Checker, stream: Any) -> Generator[str, None, None]:
    for delta in stream:
        for piece in checker.feed(delta.replace("<", "").replace("\n", " ")):
            yield from _SENTENCE.findall(piece)
    for piece in checker.end():
        yield from _SENTENCE.findall(piece)


def _messages(turn: Turn[Any], plan: Plan) -> list[ChatMessage]:
    past: list[ChatMessage] = [
        {"role": one.role, "content": one.text[:2_000]} for one in turn.history if one.text
    ]
    given = prompts.ReplyInput(
        message=turn.message.text if turn.message else "",
        question=plan.question,
        purpose=plan.purpose,
        noted=plan.noted,
    )
    return prompts.reply_messages(given, past, fence_of(turn))
