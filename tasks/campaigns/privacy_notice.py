"""What a participant is told of where their words go: sentences made from what staff set up."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _, ngettext

from futura.llm.stages import is_configured
from tasks.campaigns.models import Campaign


def promises_of(campaign: Campaign) -> Sequence[str]:
    """The sentences of the consent page and of “Your data”, in order."""
    return [
        _(
            "What you type or say, your task list and your answers are stored on the "
            "server that runs this survey. Staff who review the survey can read them. "
            "Each access is logged."
        ),
        *_model(campaign),
        ngettext(
            "Results are shown for groups of %(n)d person or more.",
            "Results are shown for groups of %(n)d people or more.",
            campaign.min_group,
        )
        % {"n": campaign.min_group},
        _retention(campaign),
        _(
            "You can view everything, download a copy and delete it at any time, on "
            "the page “Your data” of this survey. Only figures without text remain "
            "then: that somebody took part, how far they got, and which consent text "
            "they agreed to."
        ),
    ]


def _model(campaign: Campaign) -> list[str]:
    """Of a model that there is, or may be one day: who agreed before reads no more of it."""
    sent = _(
        "No language model is set up here. Questions and statements are created by "
        "rules on this server, and your text does not leave it. If a model is set up "
        "later, your text is sent to it."
    )
    if is_configured():
        sent = _(
            "To ask good questions and write the statements, your text is sent to the "
            "language model that this server is set up with."
        )
    masking = _("Nothing in it is masked: leave out names that nobody there should read.")
    if campaign.masks:
        masking = _(
            "Email addresses, phone numbers and the names listed for this survey are "
            "replaced by placeholders first. Not masked are your job title, other "
            "names, places, companies, details that make a job recognizable, and voice "
            "recordings."
        )
    return [sent, masking]


def _retention(campaign: Campaign) -> str:
    days = campaign.retention_days
    if days is None:
        return _("Your response is kept until you delete it.")
    if campaign.closes_at is None and campaign.closed_at is None:
        return ngettext(
            "Your response is deleted %(n)d day after you submit it, or after the "
            "survey has ended.",
            "Your response is deleted %(n)d days after you submit it, or after the "
            "survey has ended.",
            days,
        ) % {"n": days}
    return ngettext(
        "Your response is deleted %(n)d day after the survey has ended.",
        "Your response is deleted %(n)d days after the survey has ended.",
        days,
    ) % {"n": days}
