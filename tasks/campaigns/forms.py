"""Forms of the campaign pages of staff: what was typed stays typed; the rules stand beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from futura.limits import JOB_TITLE_CHARS
from tasks.campaigns.models import Campaign
from tasks.forms import RefusingForm

TEXT_CHARS: Final = 10_000
LINES_MOST: Final = 500
_YEARS: Final = (2000, 2200)  # what a calendar field takes, and what fits into any database


class TimeInput(forms.DateTimeInput):
    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class MomentField(forms.DateTimeField):
    """A day and time of this age; may be left empty."""

    widget = TimeInput

    def __init__(self, *, label: Any) -> None:
        super().__init__(label=label, required=False)

    def validate(self, value: Any) -> None:
        super().validate(value)
        if value is not None and not _YEARS[0] <= value.year <= _YEARS[1]:
            raise forms.ValidationError(_("Check the year."))


class Lines(forms.CharField):
    """One thing on each line; gives a list without blanks and doubles."""

    def __init__(self, *, line_chars: int, **more: Any) -> None:
        self.line_chars = line_chars
        rows = forms.Textarea(attrs={"rows": 4, "data-grow": True})
        super().__init__(required=False, widget=rows, max_length=50_000, **more)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(map(str, value)) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        text = super().clean(value)
        lines = [" ".join(line.split()) for line in str(text).splitlines()]
        found = list(dict.fromkeys(line for line in lines if line))
        if len(found) > LINES_MOST:
            raise forms.ValidationError(
                _("Enter at most %(most)d lines."), params={"most": LINES_MOST}
            )
        if any(len(line) > self.line_chars for line in found):
            raise forms.ValidationError(
                _("A line can have at most %(most)d characters."), params={"most": self.line_chars}
            )
        return found


def _area(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows, "data-grow": True})


def _text(label: Any, *, rows: int, **more: Any) -> forms.CharField:
    return forms.CharField(label=label, max_length=TEXT_CHARS, widget=_area(rows), **more)


class NeededLater(forms.CharField):
    """May be saved empty, and has to be there later: its label says for what (`needed`)."""

    def __init__(self, *, needed: Any, **more: Any) -> None:
        self.needed = needed
        super().__init__(required=False, **more)


class CampaignForm(RefusingForm):
    """Everything that is set up of a campaign, but its questions."""

    version = forms.IntegerField(required=False, widget=forms.HiddenInput, min_value=1)
    title = forms.CharField(label=_("Title"), max_length=200)
    language = forms.ChoiceField(
        label=_("Language"),
        choices=settings.LANGUAGES,
        initial=settings.LANGUAGE_CODE,
        help_text=_(
            "Of the pages and of Futura’s questions. Replies follow the participant. "
            "Catalogue statements stay in English."
        ),
    )
    welcome = _text(
        _("Welcome"),
        rows=5,
        required=False,
        help_text=_("Who runs the survey, and why. Participants read this first."),
    )
    consent = NeededLater(
        label=_("Consent text"),
        needed=_("required to open"),
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
        required=False,
        help_text=_("Shown on the last page, after submitting."),
    )
    opens_at = MomentField(label=_("Opens"))
    closes_at = MomentField(label=_("Closes"))
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
        # one language is told, not asked
        self.fields["language"].disabled = len(settings.LANGUAGES) == 1
        for name in ("opens_at", "closes_at"):
            self.fields[name].help_text = _("In your time zone, %(zone)s.") % {
                "zone": timezone.get_current_timezone_name()
            }

    @classmethod
    def of(cls, campaign: Campaign) -> CampaignForm:
        initial = {name: getattr(campaign, name) for name in cls.base_fields}
        return cls(initial={**initial, "language": campaign.spoken})

    def clean_title(self) -> str:
        return " ".join(self.cleaned_data["title"].split())

    def clean(self) -> dict[str, Any]:
        good: dict[str, Any] = super().clean() or self.cleaned_data
        opens, closes = good.get("opens_at"), good.get("closes_at")
        if opens and closes and closes <= opens:
            self.add_error("closes_at", _("The closing time must be after the opening time."))
        return good

    def values(self) -> Mapping[str, Any]:
        return {name: value for name, value in self.cleaned_data.items() if name != "version"}

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
