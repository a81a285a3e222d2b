"""A form that comes again, by a second press or by the browser, and makes its thing once."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any, Final

from django.core.cache import cache
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from redis.exceptions import RedisError

from chat.identity import identity_of
from futura import locks, parameters

View = Callable[..., HttpResponse]
KEPT_S: Final = 60


def once(view: View) -> View:
    """Answers a form with the same `client_id` and the same in it as the first time.

    For what the ledger does not write; there `run_for` knows the batch. Only an answer that leads
    on is kept. It brings a newcomer's cookie again: of two presses, the browser takes the second
    answer only. While Redis is away nothing is kept, and the form works.
    """

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        mark = mark_of(request)
        if not mark:
            return view(request, *args, **kwargs)
        with transaction.atomic():
            locks.wait_for(mark)
            if (first := _kept(mark)) is not None:
                return first
            answer = view(request, *args, **kwargs)
            if 300 <= answer.status_code < 400:
                identity_of(request).attach(answer)
                with suppress(RedisError):
                    cache.set(mark, answer, KEPT_S)
        return answer

    return answered


def mark_of(request: HttpRequest) -> str:
    """What a form is known by when it comes again with the same in it; empty without client id."""
    client_id = parameters.key(request.POST.get("client_id"))
    if client_id is None:
        return ""
    files = [(str(file), len(file)) for file in request.FILES.values()]
    values = [pair for pair in request.POST.lists() if pair[0] != "csrfmiddlewaretoken"]
    sent = f"{identity_of(request).user_id} {request.path} {values} {files}"
    return f"form:{uuid.uuid5(client_id, sent)}"


def _kept(mark: str) -> HttpResponse | None:
    first: HttpResponse | None = None
    with suppress(RedisError):
        first = cache.get(mark)
    return first
