"""Addresses of campaigns: `/staff/campaigns…` for staff, `/s/<slug>…` for who takes part."""

from __future__ import annotations

from django.urls import include, path

from tasks.campaigns.views import participant, personal_data, sharing, staff

_ONE = "campaigns/<uuid:campaign_id>"
_S = "s/<slug:campaign_slug>"

_staff = [
    path("campaigns", staff.campaign_list, name="list"),
    path("campaigns/new", staff.new, name="new"),
    path(_ONE, staff.campaign, name="campaign"),
    path(f"{_ONE}/live", staff.live, name="live"),
    path(f"{_ONE}/edit", staff.edit, name="edit"),
    path(f"{_ONE}/open", staff.open_now, name="open"),
    path(f"{_ONE}/close", staff.close, name="close"),
    path(f"{_ONE}/reopen", staff.reopen, name="reopen"),
    path(f"{_ONE}/delete", staff.delete, name="delete"),
    path(f"{_ONE}/duplicate", staff.duplicate, name="duplicate"),
    path(f"{_ONE}/preview", sharing.preview, name="preview"),
    path(f"{_ONE}/share", sharing.share, name="share"),
    path(f"{_ONE}/share/link.svg", sharing.picture, name="picture"),
    path(f"{_ONE}/share/codes.csv", sharing.codes, name="codes"),
    path(f"{_ONE}/share/<uuid:invitation_id>/revoke", sharing.revoke, name="revoke"),
]
_participants = [
    path(_S, participant.welcome, name="welcome"),
    path(f"{_S}/consent", participant.consent, name="consent"),
    path(f"{_S}/questions/<slug:place>", participant.questions, name="questions"),
    path(f"{_S}/job", participant.job, name="job"),
    path(f"{_S}/end", participant.end, name="end"),
    path(f"{_S}/mine", personal_data.everything, name="mine"),
    path(f"{_S}/mine/data.json", personal_data.as_json, name="json"),
    path(f"{_S}/delete", personal_data.delete, name="delete"),
]

urlpatterns = [
    path("staff/", include((_staff, "campaigns"))),
    path("", include((_participants, "s"))),
]
