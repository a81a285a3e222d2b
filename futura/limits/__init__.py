"""Every size and rate that a person can run into, in one place (DECISIONS 22, DESIGN 10)."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from futura.characters import closed
from futura.errors import BadInput, TooLong
from futura.limits.rates import DAY_S, HOUR_S, MINUTE_S, Rate, Window

JOB_TITLE_CHARS: Final = 200
SURVEY_MESSAGE_CHARS: Final = 10_000
TASK_STATEMENT_CHARS: Final = 500
AI_TOOLS_CHARS: Final = 300
PROJECT_TEXT_CHARS: Final = 10_000
DIMENSION_CHARS: Final = 50_000  # a whole brain dump fits (DECISIONS 22)
NOTE_CHARS: Final = 20_000
SOCKET_FRAME_BYTES: Final = 64 * 1024
REQUEST_BODY_BYTES: Final = 1024 * 1024
AUDIO_BYTES: Final = 20 * 1024 * 1024
RUNS_PER_PERSON: Final = 5  # as many quick questions as a portfolio takes in a minute

MESSAGES_PER_MINUTE: Final = 30
# One address may be a whole school behind one router.
PEOPLE_PER_ADDRESS: Final = 10

# A person's own work is never stopped because nobody can count it.
SEND: Final = Rate(
    "send",
    person=(Window(MESSAGES_PER_MINUTE, MINUTE_S), Window(600, HOUR_S)),
    address=(Window(MESSAGES_PER_MINUTE * PEOPLE_PER_ADDRESS, MINUTE_S),),
)
START: Final = Rate(
    "start",
    person=(Window(10, MINUTE_S), Window(60, HOUR_S)),
    address=(Window(10 * PEOPLE_PER_ADDRESS, MINUTE_S), Window(1_000, HOUR_S)),
)
# A draft that a program begins is a row, not a conversation.
DRAFT: Final = Rate(
    "draft",
    person=(Window(20, MINUTE_S), Window(120, HOUR_S)),
    address=(Window(20 * PEOPLE_PER_ADDRESS, MINUTE_S),),
)
TRANSCRIBE: Final = Rate(
    "transcribe",
    person=(Window(12, MINUTE_S), Window(200, HOUR_S)),
    address=(Window(12 * PEOPLE_PER_ADDRESS, MINUTE_S),),
)
SUMMARISE: Final = Rate("summarise", person=(Window(6, MINUTE_S), Window(60, HOUR_S)))
# Codes of invitations: nobody tries many, and whole departments come from one address.
CODE: Final = Rate(
    "code",
    address=(Window(200, MINUTE_S), Window(2_000, HOUR_S)),
    fails_closed=True,
)
# A person gives something to be read: each is a fetch, or a call of the model.
READ: Final = Rate(
    "read",
    person=(Window(20, MINUTE_S), Window(120, HOUR_S)),
    address=(Window(20 * PEOPLE_PER_ADDRESS, MINUTE_S),),
)
# Programs with a token, all of one person's together.
API: Final = Rate("api", person=(Window(300, MINUTE_S), Window(6_000, HOUR_S)))
EXPORT: Final = Rate("export", person=(Window(20, MINUTE_S), Window(120, HOUR_S)))
# Strangers ask at the owner's expense: when nobody can count, nobody is let in (spec/3, 1.4).
# Counted for each portfolio apart: `check(PORTFOLIO, address=…, place=<its id>)`.
PORTFOLIO: Final = Rate(
    "portfolio",
    address=(Window(5, MINUTE_S), Window(40, HOUR_S), Window(120, DAY_S)),
    fails_closed=True,
)


UNSTORABLE: Final = gettext_lazy(
    "This text holds a NUL character or half of a surrogate pair, which cannot be stored. "
    "Take it out."
)


def is_storable(text: str) -> bool:
    """Whether PostgreSQL can keep the text as it is."""
    if text.isascii():
        return "\x00" not in text
    return storable(text) == text


def storable(text: str) -> str:
    """The text without what PostgreSQL cannot keep: NUL, and halves of surrogate pairs."""
    return text.replace("\x00", "").encode(errors="ignore").decode()


def required_text(text: object, *, limit: int, field: str) -> str:
    """The text without outer blanks.

    Raises BadInput when it is no text or empty, TooLong when over `limit` characters.
    """
    if not isinstance(text, str):
        raise BadInput(_("Enter a text."), field=field)
    cleaned = storable(text).strip()
    if not cleaned:
        raise BadInput(_("Please write something first."), field=field)
    if len(cleaned) > limit:
        raise TooLong(limit=limit, length=len(cleaned), field=field)
    return cleaned


def required_line(text: object, *, limit: int, field: str) -> str:
    """The text as one line, which turns no words behind it. Raises what `required_text` raises."""
    line = closed(text) if isinstance(text, str) else text
    return " ".join(required_text(line, limit=limit, field=field).split())
