"""Staff pages: `/staff/sessions` and one session with transcript, trace, state and panels."""

from __future__ import annotations

import json
import uuid
from typing import Any, Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from chat.models import Session
from chat.staff import queries
from chat.staff.memory import memory_of
from chat.staff.panels import panels_for
from futura.staff import allowed

TABS: Final = ("trace", "replaced", "memory", "state")


class FilterForm(forms.Form):
    """The filters above the list; nothing in it is required."""

    q = forms.CharField(label=_("Title, account or id"), required=False, max_length=200)
    kind = forms.ChoiceField(label=_("Kind"), required=False)
    status = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[("", _("All")), *Session.Status.choices],
    )
    since = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    problems = forms.BooleanField(label=_("Only with a failed answer"), required=False)
    basic = forms.BooleanField(label=_("Only basic mode"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = [("", _("All")), *((kind, kind) for kind in queries.kinds())]
        kind_field = self.fields["kind"]
        if isinstance(kind_field, forms.ChoiceField):
            kind_field.choices = kinds
        for name, field in self.fields.items():
            css = "tick" if isinstance(field, forms.BooleanField) else "input"
            field.widget.attrs.setdefault("class", css)
            field.widget.attrs.setdefault("id", f"filter-{name}")

    def filters(self) -> queries.Filters:
        """What is valid of the input; a wrong date narrows nothing and is shown as an error."""
        self.full_clean()
        good = getattr(self, "cleaned_data", {})
        return queries.Filters(
            words=(good.get("q") or "").strip(),
            kind=good.get("kind") or "",
            status=good.get("status") or "",
            only_problems=bool(good.get("problems")),
            only_basic=bool(good.get("basic")),
            since=good.get("since"),
            until=good.get("until"),
        )


@require_GET
@allowed("review")
def session_list(request: HttpRequest) -> HttpResponse:
    """All sessions, newest first, narrowed by the filters in the address."""
    form = FilterForm(request.GET)
    number = request.GET.get("page", "1")
    page, rows = queries.sessions_page(
        form.filters(), page=int(number) if number.isdecimal() else 1
    )
    kept = request.GET.copy()
    kept.pop("page", None)
    context = {"form": form, "page": page, "rows": rows, "kept_query": kept.urlencode()}
    return render(request, "staff/sessions.html", context)


@require_GET
@allowed("review")
def session_detail(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """One session; `?show=` chooses the tab at the side.

    That is a panel's name, `trace`, `replaced` (branches that do not stand any more), `memory`
    (what the conversation is remembered by) or `state`.
    """
    session = queries.session_for_staff(session_id)
    panels = panels_for(session.kind)
    wanted = request.GET.get("show", panels[0].name if panels else "trace")
    panel = next((one for one in panels if one.name == wanted), None)
    show = wanted if panel or wanted in TABS else "trace"
    context = {
        "reading": queries.reading(session),
        "session": session,
        "neighbours": queries.neighbours(session),
        "panels": panels,
        "panel": panel,
        "panel_context": panel.context(session) if panel else {},
        "show": show,
        "memory": memory_of(session),
        "state_json": json.dumps(session.state, indent=2, ensure_ascii=False),
    }
    return render(request, "staff/session.html", context)
