"""Writes invitation codes: makes them in any number, and takes one back."""

from __future__ import annotations

import uuid
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from futura.errors import BadInput, NotFound
from tasks.campaigns.codes import new_code
from tasks.campaigns.models import Campaign, Invitation

AT_ONCE: Final = 2_000
IN_ALL: Final = 20_000


def make_codes(
    *, campaign: Campaign, count: int, max_uses: int | None = 1, label: str = ""
) -> list[Invitation]:
    """That many new codes, each for `max_uses` people (None: any number). Raises BadInput."""
    if not 1 <= count <= AT_ONCE:
        raise BadInput(
            _("Between 1 and %(most)d codes can be made at once.") % {"most": AT_ONCE},
            field="count",
        )
    with transaction.atomic():
        Campaign.objects.select_for_update().get(pk=campaign.pk)
        taken = set(campaign.invitations.values_list("code", flat=True))
        if len(taken) + count > IN_ALL:
            raise BadInput(
                _("A campaign has at most %(most)d codes.") % {"most": IN_ALL}, field="count"
            )
        fresh: set[str] = set()
        while len(fresh) < count:
            fresh |= {new_code()} - taken
        return Invitation.objects.bulk_create(
            Invitation(campaign=campaign, code=code, max_uses=max_uses, label=label[:100])
            for code in sorted(fresh)
        )


def revoke_code(*, campaign: Campaign, invitation_id: uuid.UUID) -> Invitation:
    """Lets nobody new in with this code; who is in stays. Twice changes nothing."""
    found = campaign.invitations.filter(pk=invitation_id).first()
    if found is None:
        raise NotFound
    if found.revoked_at is None:
        found.revoked_at = timezone.now()
        found.save(update_fields=["revoked_at"])
    return found
