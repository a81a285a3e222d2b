"""The filters above the staff's lists, and the form of the model settings."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from django import forms
from django.core.validators import RegexValidator
from django.db.models import Q, QuerySet
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _, pgettext_lazy

from chat.staff import queues
from chat.staff.audit import reviewable
from chat.staff.models import Access, Review
from chat.staff.panels import all_groups
from futura.llm.models import ModelServer
from futura.parameters import key

NARROWING: Final = ("queue", "q", "group", "tag", "since", "until", "basic")


class ListFilter(forms.Form):
    """A filter above a list: days from and to, and what a list adds. What is wrong narrows nothing
    and is shown as an error.
    """

    since = forms.DateField(
        label=pgettext_lazy("date", "From"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    until = forms.DateField(
        label=pgettext_lazy("date", "To"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            css = "tick" if isinstance(field, forms.BooleanField) else "input"
            field.widget.attrs.setdefault("class", css)
            field.widget.attrs.setdefault("id", f"filter-{name}")

    def value(self, name: str) -> Any:
        """What is valid of a field; an empty text, False or None where nothing is."""
        if self.is_bound and name in self.fields and name not in self.errors:
            value = self.cleaned_data.get(name)
            return value.replace("\x00", "").strip() if isinstance(value, str) else value
        return None if name in {"since", "until"} else ""


class FilterForm(ListFilter):
    q = forms.CharField(label=_("Title, account or id"), required=False, max_length=200)
    group = forms.ChoiceField(label=_("Campaign"), required=False)
    tag = forms.ChoiceField(label=_("Tag"), required=False)
    basic = forms.BooleanField(label=_("Basic mode only"), required=False)

    field_order = ("q", "group", "tag")

    def __init__(self, *args: Any, is_shown: bool = True, **kwargs: Any) -> None:
        """`is_shown` is False where the choices are not drawn: then they are taken as given."""
        super().__init__(*args, **kwargs)
        groups = [(str(key), name) for key, name in all_groups()] if is_shown else None
        self._choose("group", groups)
        tags = [(tag, tag) for tag in queues.tags_in_use(reviewable())] if is_shown else None
        self._choose("tag", tags)

    def _choose(self, name: str, choices: list[tuple[str, str]] | None) -> None:
        field = self.fields[name]
        if not isinstance(field, forms.ChoiceField):
            return
        value = str(self.data.get(name, ""))
        existing = [(value, value)] if choices is None and value else choices or []
        field.choices = [("", _("All")), *existing]
        if choices is not None and not existing:
            del self.fields[name]  # nothing to choose from

    @property
    def queue(self) -> str:
        return str(self.data.get("queue", ""))[:20]

    def reviews(self) -> QuerySet[Review]:
        exact = {
            "group_id": key(self.value("group")),
            "tags__contains": [tag] if (tag := self.value("tag")) else None,
            "is_basic": bool(self.value("basic")),
        }
        rows = Review.objects.filter(
            reviewable(),
            between("started_at", self.value("since"), self.value("until")),
            session__deleted_at__isnull=True,
            **{name: value for name, value in exact.items() if value},
        )
        words = self.value("q")
        return rows.filter(_names(words)) if words else rows


def _names(words: str) -> Q:
    """Title, account or the whole id; what was said is not searched here."""
    condition = Q(session__title__icontains=words)
    condition |= Q(session__participant__user__email__icontains=words)
    condition |= Q(session__participant__user__username__icontains=words)
    session_id = key(words)
    return condition | Q(pk=session_id) if session_id else condition


def narrowing(query: QueryDict, **more: str) -> str:
    """The part of an address that narrows the list, to be carried along; `more` is added."""
    stored = QueryDict(mutable=True)
    for name in NARROWING:
        if value := query.get(name):
            stored[name] = value
    for name, value in more.items():
        if value:
            stored[name] = value
        else:
            stored.pop(name, None)
    return stored.urlencode()


class LogForm(ListFilter):
    q = forms.CharField(label=_("Account, file or id"), required=False, max_length=200)
    kind = forms.ChoiceField(
        label=_("What"), required=False, choices=[("", _("All")), *Access.Kind.choices]
    )

    field_order = ("q", "kind")

    def rows(self) -> QuerySet[Access]:
        rows = Access.objects.filter(between("began_at", self.value("since"), self.value("until")))
        if kind := self.value("kind"):
            rows = rows.filter(kind=kind)
        if words := self.value("q"):
            result = Q(user_name__icontains=words) | Q(what__icontains=words)
            result |= Q(reason__icontains=words)
            if about := key(words):
                result |= Q(session_id=about) | Q(owner_id=about) | Q(group_id=about)
            rows = rows.filter(result)
        return rows


def between(field: str, since: date | None, until: date | None) -> Q:
    """Rows whose moment lies on one of these days, both included; None leaves an end open."""
    condition = Q()
    if since:
        condition &= Q(**{f"{field}__gte": _start_of(since)})
    if until and until < date.max:
        condition &= Q(**{f"{field}__lt": _start_of(until + timedelta(days=1))})
    return condition


def _start_of(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


Provider = ModelServer.Provider
# What goes into a header or a request is one word: no blank, no control character.
WORD: Final = RegexValidator(r"\A[!-~]+\Z", _("Use letters, digits and signs without blanks."))


def check_address(text: str) -> None:
    """Raises ValidationError for what is no address that calls can be added to."""
    try:
        parts = urlsplit(text)
        is_sound = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_sound = False
    if not is_sound or {"?", "#", "@"} & set(text):
        raise forms.ValidationError(
            gettext("Give an address that starts with http:// or https://, without a password.")
        )


class ModelServerForm(forms.Form):
    """What can be set; `has_key` says whether a key is stored for the saved address."""

    provider = forms.ChoiceField(label=_("Provider"), choices=Provider.choices)
    base_url = forms.CharField(
        label=_("Address"),
        required=False,
        max_length=300,
        validators=[WORD, check_address],
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off"}),
        help_text=_("Such as https://models.example/v1. The presets know their own."),
    )
    model = forms.CharField(
        label=_("Model"),
        required=False,
        max_length=120,
        validators=[WORD],
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=_(
            "The name the server knows it by. Without one, OpenAI’s models are used, each for its "
            "own step."
        ),
    )
    key = forms.CharField(
        label=_("Key"),
        required=False,
        max_length=500,
        validators=[WORD],
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, *args: Any, saved: ModelServer | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.saved = saved
        self.fields["base_url"].needed = gettext("for another server")  # type: ignore[attr-defined]
        self.fields["model"].needed = gettext("not for OpenAI")  # type: ignore[attr-defined]
        has_key = saved is not None and bool(saved.sealed_key)
        self.fields["key"].help_text = (
            gettext("A key is stored. Leave this empty to keep it; another address needs it again.")
            if has_key
            else gettext(
                "Stored encrypted and never shown again. Servers of your own may need none."
            )
        )

    def clean_base_url(self) -> str:
        return str(self.cleaned_data["base_url"]).rstrip("/")

    def clean(self) -> dict[str, Any]:
        """What one provider needs and another does not."""
        cleaned = super().clean() or {}
        provider = cleaned.get("provider")
        if provider == Provider.OPENAI:
            if cleaned.get("base_url"):
                self.add_error(
                    "base_url", gettext("OpenAI needs no address. Choose “Another server”.")
                )
            elif not cleaned.get("key") and not self._has_key_for(""):
                self.add_error("key", gettext("OpenAI needs a key."))
        elif provider == Provider.OTHER and not cleaned.get("base_url"):
            self._miss("base_url", gettext("Another server needs its address."))
        if provider and provider != Provider.OPENAI and not cleaned.get("model"):
            self._miss("model", gettext("Name the model that shall answer."))
        return cleaned

    def _has_key_for(self, address: str) -> bool:
        saved = self.saved
        return saved is not None and bool(saved.sealed_key) and saved.base_url == address

    def _miss(self, name: str, message: str) -> None:
        if name not in self.errors:
            self.add_error(name, message)
