"""The filters above the staff's lists, read from the address; nothing in them is required."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from chat.models import Session
from chat.staff import cards, queries
from chat.staff.audit import Narrowed
from chat.staff.facts import all_groups
from chat.staff.models import Access
from chat.staff.queues import Filters
from chat.staff.reach import reviewable
from futura.given import key

NARROWING: Final = (
    "queue", "q", "group", "kind", "status", "tag", "since", "until", "problems", "basic",
)  # fmt: skip


def _dressed(form: forms.Form) -> None:
    for name, field in form.fields.items():
        css = "tick" if isinstance(field, forms.BooleanField) else "input"
        field.widget.attrs.setdefault("class", css)
        field.widget.attrs.setdefault("id", f"filter-{name}")


class FilterForm(forms.Form):
    """Of the conversations."""

    q = forms.CharField(label=_("Title, account or id"), required=False, max_length=200)
    group = forms.ChoiceField(label=_("Campaign"), required=False)
    kind = forms.ChoiceField(label=_("Kind"), required=False)
    status = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[("", _("All")), *Session.Status.choices],
    )
    tag = forms.ChoiceField(label=_("Tag"), required=False)
    since = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    problems = forms.BooleanField(label=_("Only with a failed answer"), required=False)
    basic = forms.BooleanField(label=_("Only basic mode"), required=False)

    def __init__(self, *args: Any, is_shown: bool = True, **kwargs: Any) -> None:
        """`is_shown` is False where the choices are not drawn: then they are taken as given."""
        super().__init__(*args, **kwargs)
        kinds = [(kind, kind) for kind in queries.kinds()] if is_shown else None
        self._choose("kind", kinds)
        groups = [(str(key), name) for key, name in all_groups()] if is_shown else None
        self._choose("group", groups)
        tags = [(tag, tag) for tag in cards.tags_in_use(reviewable())] if is_shown else None
        self._choose("tag", tags)
        _dressed(self)

    def _choose(self, name: str, choices: list[tuple[str, str]] | None) -> None:
        field = self.fields[name]
        if not isinstance(field, forms.ChoiceField):
            return
        given = str(self.data.get(name, ""))
        known = [(given, given)] if choices is None and given else choices or []
        field.choices = [("", _("All")), *known]
        if choices is not None and not known:
            del self.fields[name]  # nothing to choose from

    def filters(self) -> Filters:
        """What is valid of the input; a wrong date narrows nothing and is shown as an error."""
        self.full_clean()
        good = getattr(self, "cleaned_data", {})
        return Filters(
            queue=str(self.data.get("queue", ""))[:20],
            words=(good.get("q") or "").replace("\x00", "").strip(),
            kind=good.get("kind") or "",
            status=good.get("status") or "",
            group_id=key(good.get("group")),
            tag=good.get("tag") or "",
            only_problems=bool(good.get("problems")),
            only_basic=bool(good.get("basic")),
            since=good.get("since"),
            until=good.get("until"),
        )


def narrowing(query: QueryDict, **more: str) -> str:
    """The part of an address that narrows the list, to be carried along; `more` is added."""
    kept = QueryDict(mutable=True)
    for name in NARROWING:
        if value := query.get(name):
            kept[name] = value
    for name, value in more.items():
        if value:
            kept[name] = value
        else:
            kept.pop(name, None)
    return kept.urlencode()


class LogForm(forms.Form):
    """Of the log of readings and exports."""

    q = forms.CharField(label=_("Account, file or id"), required=False, max_length=200)
    kind = forms.ChoiceField(
        label=_("What"), required=False, choices=[("", _("All")), *Access.Kind.choices]
    )
    since = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _dressed(self)

    def narrowed(self) -> Narrowed:
        """What is valid of the input."""
        self.full_clean()
        good = getattr(self, "cleaned_data", {})
        return Narrowed(
            kind=good.get("kind") or "",
            words=(good.get("q") or "").replace("\x00", "").strip(),
            since=good.get("since"),
            until=good.get("until"),
        )
