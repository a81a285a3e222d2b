"""Forms of campaigns: set up by staff with their questions, and answered by who takes part."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django import forms
from django.conf import settings
from django.utils import timezone
from django.utils.translation import get_language, gettext, gettext_lazy as _

from futura.characters import closed
from futura.errors import Conflict
from futura.limits import JOB_TITLE_CHARS
from futura.parameters import whole
from tasks.campaigns.actions.setting_up import QUESTION_FIELDS, Question
from tasks.campaigns.models import Campaign, ExtraQuestion
from tasks.forms import RefusingForm

TEXT_CHARS: Final = 10_000
LINES_MOST: Final = 500
ANSWER_CHARS: Final = 5_000
MOST_QUESTIONS: Final = 40
_USUAL: Final = {"place": "before", "kind": "text", "scale_low": 1, "scale_high": 5}
_YEARS: Final = (2000, 2200)  # what a calendar field takes, and what fits into any database


def _usual_year(value: datetime) -> None:
    if not _YEARS[0] <= value.year <= _YEARS[1]:
        raise forms.ValidationError(_("Check the year."))


def _moment(label: Any) -> forms.DateTimeField:
    """A day and time of this age, as browsers pick them; may be left empty."""
    picker = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    return forms.DateTimeField(label=label, required=False, widget=picker, validators=[_usual_year])


class Lines(forms.CharField):
    """One thing on each line; gives a list without blanks and doubles."""

    def __init__(self, *, line_chars: int, **more: Any) -> None:
        self.line_chars = line_chars
        super().__init__(required=False, widget=_area(4), max_length=50_000, **more)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(map(str, value)) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        text = super().clean(value)
        lines = [" ".join(line.split()) for line in str(text).splitlines()]
        entries = list(dict.fromkeys(line for line in lines if line))
        if len(entries) > LINES_MOST:
            raise forms.ValidationError(
                _("Enter at most %(most)d lines."), params={"most": LINES_MOST}
            )
        if any(len(line) > self.line_chars for line in entries):
            raise forms.ValidationError(
                _("A line can have at most %(most)d characters."), params={"most": self.line_chars}
            )
        return entries


def _area(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows, "data-grow": True})


def _text(label: Any, *, rows: int, help_text: Any) -> forms.CharField:
    return forms.CharField(
        label=label,
        max_length=TEXT_CHARS,
        widget=_area(rows),
        required=False,
        help_text=help_text,
    )


class _ConsentField(forms.CharField):
    needed = _("required to open")  # stands beside the label, in place of “optional”


class CampaignForm(RefusingForm):
    """Everything that is set up of a campaign, but its questions."""

    version = forms.IntegerField(required=False, widget=forms.HiddenInput, min_value=1)
    title = forms.CharField(label=_("Title"), max_length=200)
    language = forms.ChoiceField(
        label=_("Language"),
        choices=settings.LANGUAGES,
        initial=get_language,
        help_text=_(
            "Of the pages and of Futura’s questions. Replies follow the participant. "
            "Catalogue statements stay in English."
        ),
    )
    welcome = _text(
        _("Welcome"),
        rows=5,
        help_text=_("Who runs the survey, and why. Participants read this first."),
    )
    consent = _ConsentField(
        label=_("Consent text"),
        required=False,
        max_length=TEXT_CHARS,
        widget=_area(7),
        help_text=_(
            "What participants agree to. How their data is used is shown below it, "
            "from these settings. Each change creates a new version, and each consent "
            "records its version."
        ),
    )
    closing = _text(
        _("Closing text"),
        rows=3,
        help_text=_("Shown on the last page, after submitting."),
    )
    opens_at = _moment(_("Opens"))
    closes_at = _moment(_("Closes"))
    grace_hours = forms.IntegerField(
        label=_("Hours to finish after closing"),
        initial=24,
        min_value=0,
        max_value=336,
        help_text=_("For participants who have started. Nobody new can join during this time."),
    )
    access = forms.ChoiceField(
        label=_("Access"),
        choices=Campaign.Access.choices,
        initial=Campaign.Access.LINK,
        widget=forms.RadioSelect,
    )
    max_people = forms.IntegerField(
        label=_("Maximum number of participants"), required=False, min_value=1, max_value=1_000_000
    )
    job_titles = Lines(
        line_chars=JOB_TITLE_CHARS,
        label=_("Job titles to choose from"),
        help_text=_("One per line. Leave empty to let participants enter their own."),
    )
    may_download = forms.BooleanField(
        label=_("Participants can download their task list (CSV, JSON)"),
        required=False,
        initial=True,
    )
    retention_days = forms.IntegerField(
        label=_("Delete responses after (days)"),
        required=False,
        min_value=1,
        max_value=3650,
        help_text=_(
            "Counted from the end of the survey. Leave empty to keep responses until "
            "participants delete them."
        ),
    )
    masks = forms.BooleanField(
        label=_("Mask names, email addresses and phone numbers before a model reads them"),
        required=False,
    )
    known_names = Lines(
        line_chars=120,
        label=_("Names to mask"),
        help_text=_("One per line: people, teams, clients. Other names are not masked."),
    )
    min_group = forms.IntegerField(
        label=_("Smallest group shown in results"), initial=5, min_value=1, max_value=1000
    )
    has_second_review = forms.BooleanField(
        label=_("Second coding of every task list"), required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("opens_at", "closes_at"):
            self.fields[name].help_text = _("In your time zone, %(zone)s.") % {
                "zone": timezone.get_current_timezone_name()
            }

    @classmethod
    def of(cls, campaign: Campaign) -> CampaignForm:
        return cls(initial={name: getattr(campaign, name) for name in cls.base_fields})

    def clean_title(self) -> str:
        return closed(" ".join(self.cleaned_data["title"].split()))[:200]

    def clean(self) -> dict[str, Any]:
        good: dict[str, Any] = super().clean() or self.cleaned_data
        opens, closes = good.get("opens_at"), good.get("closes_at")
        if opens and closes and closes <= opens:
            self.add_error("closes_at", _("The closing time must be after the opening time."))
        return good

    def values(self) -> Mapping[str, Any]:
        return {name: value for name, value in self.cleaned_data.items() if name != "version"}

    def outdated(self, error: Conflict, stored: Campaign) -> None:
        """Says that somebody else saved meanwhile; what is typed stays, and may be sent again."""
        self.data = {**self.data, "version": stored.version}
        self.refuse(error)
        self.add_error(None, gettext("Saving again replaces what they saved."))

    def groups(self) -> Sequence[tuple[Any, Sequence[forms.BoundField]]]:
        return [(heading, [self[name] for name in names]) for heading, names in _GROUPS]


_GROUPS: Final = (
    (_("Texts"), ("title", "language", "welcome", "consent", "closing")),
    (_("Access and dates"), ("access", "max_people", "opens_at", "closes_at", "grace_hours")),
    (_("Conversation"), ("job_titles", "may_download")),
    (_("Privacy"), ("retention_days", "masks", "known_names", "min_group")),
    (_("Review"), ("has_second_review",)),
)


class CodesForm(RefusingForm):
    count = forms.IntegerField(label=_("Number of codes"), min_value=1, max_value=2000, initial=10)
    max_uses = forms.IntegerField(
        label=_("Participants per code"),
        required=False,
        min_value=1,
        max_value=1_000_000,
        initial=1,
        help_text=_("Leave empty for no limit."),
    )
    label = forms.CharField(
        label=_("Label"),
        required=False,
        max_length=100,
        help_text=_("A team or place, to tell codes apart. Do not enter names of people."),
    )


class QuestionForm(forms.Form):
    """One question; without words it is none."""

    id = forms.UUIDField(required=False, widget=forms.HiddenInput)
    text = forms.CharField(label=_("Question"), required=False, max_length=500)
    place = forms.ChoiceField(
        label=_("When to ask"),
        choices=ExtraQuestion.Place.choices,
        initial=ExtraQuestion.Place.BEFORE,
        required=False,
    )
    kind = forms.ChoiceField(
        label=_("Answer type"),
        choices=ExtraQuestion.Kind.choices,
        initial=ExtraQuestion.Kind.TEXT,
        required=False,
    )
    options = Lines(line_chars=200, label=_("Options"), help_text=_("One per line, at least two."))
    takes_many = forms.BooleanField(label=_("Several options can be selected"), required=False)
    scale_low = forms.IntegerField(
        label=_("From"), required=False, initial=1, min_value=0, max_value=10
    )
    scale_high = forms.IntegerField(
        label=_("to"), required=False, initial=5, min_value=1, max_value=10
    )
    low_label = forms.CharField(label=_("Label of the low end"), required=False, max_length=80)
    high_label = forms.CharField(label=_("Label of the high end"), required=False, max_length=80)
    is_required = forms.BooleanField(label=_("Required"), required=False)

    @property
    def is_blank(self) -> bool:
        return not str(self["text"].value() or "").strip()

    def clean(self) -> dict[str, Any]:
        good: dict[str, Any] = super().clean() or self.cleaned_data
        if self.is_blank:
            return good
        if good.get("kind") == ExtraQuestion.Kind.CHOICE and len(good.get("options") or ()) < 2:
            self.add_error("options", _("Enter at least two options."))
        low, high = good.get("scale_low"), good.get("scale_high")
        is_scale = good.get("kind") == ExtraQuestion.Kind.SCALE
        if is_scale and low is not None and high is not None and low >= high:
            self.add_error("scale_high", _("The end of the scale must be higher than its start."))
        return good

    def question(self, position: int) -> Question:
        cleaned = self.cleaned_data
        values: dict[str, Any] = {name: cleaned.get(name) for name in QUESTION_FIELDS}
        values |= {name: usual for name, usual in _USUAL.items() if values[name] in (None, "")}
        if values["scale_low"] >= values["scale_high"]:  # of another kind: never asked
            values |= {"scale_low": 1, "scale_high": 5}
        return {"id": cleaned.get("id"), **values, "position": position}


def question_forms(rows: Iterable[Mapping[str, Any]]) -> list[QuestionForm]:
    """Forms that show these values."""
    return [QuestionForm(initial=dict(row), prefix=f"q{at}") for at, row in enumerate(rows)]


def forms_of(questions: Iterable[ExtraQuestion]) -> list[QuestionForm]:
    """Forms that show questions as they are."""
    names = ("id", *QUESTION_FIELDS)
    return question_forms(
        {name: getattr(question, name) for name in names} for question in questions
    )


def sent_questions(data: Mapping[str, Any]) -> list[QuestionForm]:
    """The forms as they were sent; `questions` says how many."""
    count = min(whole(data.get("questions"), digits=3) or 0, MOST_QUESTIONS)
    return [QuestionForm(data, prefix=f"q{at}") for at in range(count)]


def rearranged(
    current: Iterable[QuestionForm], *, add: bool = False, out: str = "", up: str = ""
) -> list[QuestionForm]:
    """The same words after a button that adds a question, takes one out or moves one up."""
    rows = [{name: form[name].value() for name in form.fields} for form in current]
    if out.isdecimal() and int(out) < len(rows):
        del rows[int(out)]
    if up.isdecimal() and 0 < int(up) < len(rows):
        at = int(up)
        rows[at - 1], rows[at] = rows[at], rows[at - 1]
    if add and len(rows) < MOST_QUESTIONS:
        rows.append(dict(_USUAL))
    return question_forms(rows)


class AnswersForm(forms.Form):
    """What a participant is asked: one field for each question, named `q-<id>`."""

    def __init__(
        self,
        questions: Sequence[ExtraQuestion],
        data: Mapping[str, Any] | None = None,
        *,
        answers: Mapping[uuid.UUID, object] | None = None,
    ) -> None:
        self.questions = {f"q-{question.pk}": question for question in questions}
        stored = answers or {}
        initial = {
            name: _displayed(entry, stored.get(entry.pk)) for name, entry in self.questions.items()
        }
        super().__init__(data, initial=initial)
        self.fields |= {name: _field(entry) for name, entry in self.questions.items()}

    def values(self) -> dict[uuid.UUID, Any]:
        return {entry.pk: self.cleaned_data[name] for name, entry in self.questions.items()}

    def rows(self) -> list[tuple[ExtraQuestion, forms.BoundField]]:
        return [(entry, self[name]) for name, entry in self.questions.items()]


def _displayed(question: ExtraQuestion, value: object) -> object:
    if isinstance(value, list) and not question.takes_many:
        return value[0] if value else None
    return str(value) if isinstance(value, int) else value


def _field(question: ExtraQuestion) -> forms.Field:
    """A field whose clean value is stored as it is: text, a list of options, or a number."""
    options: dict[str, Any] = {
        "label": question.text,
        "required": question.is_required,
        "error_messages": {"required": _("An answer is required.")},
    }
    if question.kind == ExtraQuestion.Kind.TEXT:
        return forms.CharField(max_length=ANSWER_CHARS, widget=_area(2), **options)
    is_scale = question.kind == ExtraQuestion.Kind.SCALE
    steps = map(str, range(question.scale_low, question.scale_high + 1))
    options["choices"] = [(option, option) for option in (steps if is_scale else question.options)]
    if is_scale:
        return forms.TypedChoiceField(
            coerce=int, empty_value=None, widget=forms.RadioSelect, **options
        )
    if question.takes_many:
        return forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple, **options)
    return forms.TypedChoiceField(
        coerce=lambda option: [option], empty_value=None, widget=forms.RadioSelect, **options
    )
