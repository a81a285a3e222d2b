"""What the survey's pages share: the steps in the masthead, and how the review page answers.

A change is answered by a fragment for htmx, by a redirect or the page otherwise.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from chat.identity import identity_of
from chat.views.turns import is_htmx
from futura.errors import BadInput
from futura.parameters import whole
from tasks import queries
from tasks.models import SurveyResponse
from tasks.review import SUMS, Review, Row, review_of

Part = tuple[str, dict[str, object]]


def of_survey(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Hands a view the caller's own survey, or raises NotFound."""

    @wraps(view)
    def owned(request: HttpRequest, session_id: uuid.UUID, **more: Any) -> HttpResponseBase:
        return view(request, queries.response_for(identity_of(request), session_id), **more)

    return owned


def version_in(sent: QueryDict, name: str = "version") -> int | None:
    """The version of a row that a form was made for, if it says one. Raises BadInput."""
    text = sent.get(name)
    version = whole(text)
    if text and version is None:
        raise BadInput(_("Reload the page: this form is out of date."), field="version")
    return version


def context_of(review: Review) -> dict[str, object]:
    return {"review": review, "response": review.response}


def page(
    request: HttpRequest, review: Review, *, status: int = 200, **more: object
) -> HttpResponse:
    context = {**context_of(review), "steps": steps(2, review.response), **more}
    answer = render(request, "tasks/tasks.html", context, status=status)
    patch_vary_headers(answer, ["HX-Request"])
    return answer


def row_changed(request: HttpRequest, response: SurveyResponse, task_id: uuid.UUID) -> HttpResponse:
    """One row is new; totals and overview follow."""
    return row_parts(request, response, task_id, "tasks/_task.html", focus=True)


def row_parts(
    request: HttpRequest,
    response: SurveyResponse,
    task_id: uuid.UUID,
    *names: str,
    oob: bool = False,
    focus: bool = False,
    saved: bool = False,
    refusal: BadInput | None = None,
) -> HttpResponse:
    """Parts of a row and the sums; the open page learns the row's new version.

    422 with a refusal, what was sent and what of it was saved.
    """
    review = review_of(response)
    row = review.row(task_id)
    row.focus, row.saved = focus, saved
    if refusal is not None:
        row.error, row.sent = str(refusal), request.POST.dict()
    if not is_htmx(request):
        return page(request, review, status=422) if refusal else back(response, task_id)
    context = {"row": row, "task": row.task, "oob": oob}
    answer = _joined(request, review, *((name, context) for name in names), *_sums())
    answer.status_code = 422 if refusal else 200
    version = {"task": str(row.task.pk), "version": row.task.version}
    answer["HX-Trigger"] = json.dumps({"task-version": version})
    return answer


def list_changed(
    request: HttpRequest,
    response: SurveyResponse,
    focus: uuid.UUID | None = None,
    *,
    add: bool = False,
    is_deleted: bool = False,
) -> HttpResponse:
    """The list is new; totals and overview follow, and an emptied form after adding.

    After a deletion Undo has the focus.
    """
    if not is_htmx(request):
        return back(response, focus)
    review = review_of(response)
    for row in review.rows:
        row.focus = row.task.pk == focus
    names = ["tasks/_pipeline.html", *(["tasks/_add.html"] if add else [])]
    beside: list[Part] = [(name, {"oob": True}) for name in names]
    sums = _sums(takes_focus=is_deleted)
    return _joined(request, review, ("tasks/_list.html", {}), *sums, *beside)


def refused(
    request: HttpRequest,
    review: Review,
    template: str,
    target: str,
    *,
    status: int = 422,
    row: Row | None = None,
    **more: object,
) -> HttpResponse:
    """A part of the page with a form in it, in place of `target`; without htmx the whole page."""
    if row is not None:
        more |= {"row": row, "task": row.task}
    if not is_htmx(request):
        return page(request, review, status=status, **more)
    answer = render(request, template, {**context_of(review), **more}, status=status)
    answer["HX-Retarget"] = f"#{target}"
    answer["HX-Reswap"] = "outerHTML"
    patch_vary_headers(answer, ["HX-Request"])
    return answer


def back(response: SurveyResponse, task_id: uuid.UUID | None = None) -> HttpResponse:
    """To the page, at the task (after a POST without htmx)."""
    url = reverse("survey:tasks", args=[response.pk])
    return redirect(f"{url}?task={task_id}#task-{task_id}" if task_id else url)


def _sums(*, takes_focus: bool = False) -> list[Part]:
    return [(name, {"oob": True, "takes_focus": takes_focus}) for name in SUMS]


def _joined(request: HttpRequest, review: Review, *parts: Part) -> HttpResponse:
    base = context_of(review)
    html = "".join(render_to_string(name, {**base, **more}, request) for name, more in parts)
    answer = HttpResponse(html)
    patch_vary_headers(answer, ["HX-Request"])
    return answer


@require_safe
def live(request: HttpRequest, response: SurveyResponse) -> HttpResponse:
    """Where the writing of the list stands, for a page whose socket is down."""
    review = review_of(response)
    parts: list[Part] = [("tasks/_pipeline.html", {"oob": True})]
    if review.living or not review.is_running:
        parts += [("tasks/_list.html", {"oob": True}), *_sums()]
    return _joined(request, review, *parts)


@dataclass(frozen=True)
class Step:
    label: str
    done: bool
    current: bool
    url: str = ""


def steps(current: int, response: SurveyResponse | None = None) -> list[Step]:
    """The steps with `current` (0 to 3) marked; those behind it lead back once there is a talk."""
    labels = [_("Job title"), _("Questions"), _("Task list"), _("Submit")]
    urls = [""] * 4
    if response is not None:
        urls[1:] = [
            reverse(f"survey:{name}", args=[response.pk]) for name in ("chat", "tasks", "complete")
        ]
    return [
        Step(label, number < current, number == current, urls[number] if number < current else "")
        for number, label in enumerate(labels)
    ]
