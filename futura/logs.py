"""How log lines are written: whose they are, in text or JSON, and without what people said.

    with logs.bound(session_id=session.pk, run_id=run.pk):
        log.info("the turn begins")      # … [run=… session=…], or fields of the JSON line

The ids follow the work through threads that copy their context and onto the gateway's loop, since
both asyncio and asgiref hand the context on. The text of an exception may quote a prompt, an
answer or a row of the database, so a line shows it only for kinds of exceptions whose words are
all ours; at level DEBUG everything is shown.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final

import orjson
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest

from futura.errors import FuturaError

_bound: ContextVar[Mapping[str, str]] = ContextVar("log_ids", default=MappingProxyType({}))
_request: ContextVar[HttpRequest | None] = ContextVar("log_request", default=None)
IN_ADDRESSES: Final = ("session_id", "run_id")
# Exceptions whose text we wrote ourselves, or that speak of files and sockets only. By name, since
# loading the modules that own them would cost processes that never use them.
OURS: Final = frozenset(
    {
        "futura.llm.outcomes.CallFailed",
        "futura.llm.database.CalledInsideTransaction",
        "redis.exceptions.ConnectionError",
        "redis.exceptions.TimeoutError",
        "kombu.exceptions.OperationalError",
        "django.core.exceptions.ImproperlyConfigured",
    }
)
# Without a code, as no statement fails, it names the host, the user, and why they were refused.
UNREACHED: Final = "psycopg.OperationalError"
DISK_FULL: Final = "53100"  # PostgreSQL's code
_PLAIN: Final = frozenset(
    {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName", "request", "data"}
)


@contextmanager
def bound(**ids: object) -> Iterator[None]:
    """Every line inside carries these ids; empty ones are left out."""
    token = _bound.set(_with(ids))
    try:
        yield
    finally:
        _bound.reset(token)


@contextmanager
def asked_by(request: HttpRequest) -> Iterator[None]:
    """Every line inside also carries the ids that the request's address turns out to hold."""
    token = _request.set(request)
    try:
        yield
    finally:
        _request.reset(token)


def bound_ids() -> Mapping[str, str]:
    return {**_in_address(_request.get()), **_bound.get()}


def _in_address(request: HttpRequest | None) -> dict[str, str]:
    result = getattr(request, "resolver_match", None)
    kwargs = result.kwargs if result else {}
    return {name: str(kwargs[name]) for name in IN_ADDRESSES if name in kwargs}


def _with(ids: Mapping[str, object]) -> dict[str, str]:
    texts = {name: str(value) for name, value in ids.items() if value is not None and value != ""}
    return {**_bound.get(), **texts}


class NotReadiness(logging.Filter):
    """Drops Django's error line for each "not ready yet" of /readyz; its answer says enough."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        return getattr(request, "path", "") != "/readyz"


class WithIds(logging.Filter):
    """Notes on a record whose work it is about, in the thread that speaks."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        if request is None or bound_ids():
            record.ids = bound_ids()
        else:  # Django speaks of a request when all our doors are behind it
            record.ids = {**_in_address(request), "request_id": getattr(request, "id", "-")}
        return True


class Discreet(logging.Formatter):
    """Base of our formats: exceptions by kind and place, in their own words only where harmless.

    With `contents` (level DEBUG) every exception speaks for itself.
    """

    def __init__(self, *, contents: bool = False) -> None:
        super().__init__()
        self.contents = contents

    def text_of(self, record: logging.LogRecord) -> str:
        """The message, with exceptions among its arguments put harmlessly."""
        if self.contents:
            return record.getMessage()
        args: Any = record.args
        if isinstance(args, tuple):
            args = tuple(_harmless(arg) for arg in args)
        elif isinstance(args, Mapping):
            args = {name: _harmless(entry) for name, entry in args.items()}
            if "exc" in args and record.exc_info and record.exc_info[1]:
                args["exc"] = describe(record.exc_info[1])  # Celery's own, perhaps cut short
        text = str(
            record.msg if not isinstance(record.msg, BaseException) else describe(record.msg)
        )
        text = text % args if args else text
        raised = record.exc_info[1] if record.exc_info else None
        for error in _chain(raised):
            text = _without(text, error)
        return text

    def trace(self, record: logging.LogRecord) -> str:
        raised = record.exc_info[1] if record.exc_info else None
        if raised is None or isinstance(raised, SuspiciousOperation):
            return ""  # a stranger's request, refused where Django refuses it: the line says it
        if self.contents:
            return self.formatException(record.exc_info).rstrip()  # type: ignore[arg-type]
        for error in _chain(raised):
            if _is_refusal_to_write(error):  # where it came to light says nothing
                return describe(error)
        return traced(raised)


class TextFormat(Discreet):
    """One line to read, the ids at its end; a traceback below."""

    def format(self, record: logging.LogRecord) -> str:
        """`2026-11-21 06:12:05,120 INFO    futura.llm the message [run=… session=…]`."""
        ids: Mapping[str, str] = getattr(record, "ids", {})
        where = " ".join(f"{name.removesuffix('_id')}={value}" for name, value in ids.items())
        line = (
            f"{self.formatTime(record)} {record.levelname:<7} {record.name} {self.text_of(record)}"
        )
        line = f"{line} [{where}]" if where else line
        trace = self.trace(record)
        return f"{line}\n{trace}" if trace else line


class JsonFormat(Discreet):
    """One JSON object a line: time, level, logger, message, ids, extra fields, exception."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": self.text_of(record),
            "process": record.process,
            "thread": record.threadName,
        }
        line |= {n: v for n, v in vars(record).items() if n not in _PLAIN and n != "ids"}
        line |= getattr(record, "ids", {})
        if trace := self.trace(record):
            line["exception"] = trace
        return orjson.dumps(line, default=_as_text).decode()


def describe(error: BaseException) -> str:
    """An exception in words that hold nothing a person or a model said."""
    kind = f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")
    if isinstance(error, FuturaError):
        return f"{kind} ({getattr(error, 'reason', error.code)})"
    is_harmless = kind in OURS or isinstance(error, OSError) or _is_refusal_to_write(error)
    if is_harmless or (kind == UNREACHED and not _place(error, "sqlstate")):
        words = str(error).partition("\n")[0]
        return f"{kind}: {words}" if words else kind
    places = [(name, _place(error, name)) for name in ("sqlstate", "status_code", "code")]
    codes = " ".join(f"{name}={value}" for name, value in places if value)
    return f"{kind} ({codes})" if codes else kind


def _is_refusal_to_write(error: BaseException) -> bool:
    """Whether a disk is full: PostgreSQL's and Redis's own words for it name files only."""
    return _place(error, "sqlstate") == DISK_FULL or str(error).startswith("MISCONF ")


def _place(error: BaseException, name: str) -> str:
    """A code that some exceptions carry: of SQL, of HTTP; the cause's when the error has none."""
    value = getattr(error, name, None) or getattr(error.__cause__, name, None)
    is_code = isinstance(value, int | str) and str(value).isalnum() and len(str(value)) <= 12
    return str(value) if is_code else ""


def traced(error: BaseException) -> str:
    """Where an exception and its causes came from, oldest first, each as `describe` puts it."""
    parts = [
        "".join([*traceback.format_tb(item.__traceback__), describe(item)])
        for item in reversed(list(_chain(error)))
    ]
    return "\n\nwhich led to\n\n".join(parts)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An exception, then what it came from, then that one's origin, and members of groups."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        if isinstance(error, BaseExceptionGroup):
            for member in error.exceptions:
                yield from _chain(member)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _without(text: str, error: BaseException) -> str:
    """A message without an exception's own words: Celery and asyncio put them there."""
    harmless = describe(error)
    for words in (repr(error), str(error)):
        if len(words) > 3 and words not in harmless:
            text = text.replace(words, harmless)
    return text


def _harmless(value: object) -> object:
    return describe(value) if isinstance(value, BaseException) else value


def _as_text(value: object) -> str:
    return describe(value) if isinstance(value, BaseException) else str(value)
