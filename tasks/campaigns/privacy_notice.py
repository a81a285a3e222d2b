"""What a participant is told of where their words go: sentences made from what staff set up."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from futura.llm.stages import is_configured
from tasks.campaigns.models import Campaign


def promises_of(campaign: Campaign) -> Sequence[str]:
    """The sentences of the consent page and of “Your data”, in order."""
    return [
        _(
            "What you type or say, your list and your answers are stored on the server that runs"
            " this survey. Staff who review it can read them; each reading is recorded."
        ),
        *_model(campaign),
        ngettext(
            "Results are shown for groups of %(n)d person or more.",
            "Results are shown for groups of %(n)d people or more.",
            campaign.min_group,
        )
        % {"n": campaign.min_group},
        _kept(campaign),
        _(
            "You can look at everything, take a copy, and delete it at any time, on the page “Your"
            " data” of this survey. What stays then is a number without words: that somebody took"
            " part, how far they got, and to which consent text they agreed."
        ),
    ]


def _model(campaign: Campaign) -> list[str]:
    if not is_configured():
        return [
            _(
                "No language model is set up here. Questions and statements are made by rules on"
                " this server, and your words do not leave it."
            )
        ]
    told = [
        _(
            "To ask good questions and to write the statements, your words are sent to the language"
            " model that this server is set up with."
        )
    ]
    return [*told, masked_words()] if campaign.masks else [*told, unmasked_words()]


def masked_words() -> str:
    """What masking does, and what it does not."""
    return _(
        "Before that, email addresses, phone numbers and the names this survey knows are replaced"
        " by placeholders. Not masked are your job title, names it does not know, places,"
        " companies, what makes a job unmistakable, and what you record by voice."
    )


def unmasked_words() -> str:
    """That nothing is masked."""
    return _("Nothing in them is masked: leave out names that nobody there should read.")


def _kept(campaign: Campaign) -> str:
    days = campaign.retention_days
    if days is None:
        return _("What you told is kept until you delete it.")
    if campaign.closes_at is None and campaign.closed_at is None:
        return ngettext(
            "What you told is deleted %(n)d day after you have sent it, or after the survey has"
            " ended.",
            "What you told is deleted %(n)d days after you have sent it, or after the survey has"
            " ended.",
            days,
        ) % {"n": days}
    return ngettext(
        "What you told is deleted %(n)d day after the survey has ended.",
        "What you told is deleted %(n)d days after the survey has ended.",
        days,
    ) % {"n": days}
