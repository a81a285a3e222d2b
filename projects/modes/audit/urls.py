"""Addresses of audits: the conversation's id, or a finding's."""

from __future__ import annotations

from django.urls import path

from projects.modes.audit import views

app_name = "audits"
_AUDIT = "projects/audits/<uuid:audit_id>"
_FINDING = "projects/findings/<uuid:finding_id>"
urlpatterns = [
    path(f"{_AUDIT}/implement", views.implement, name="implement"),
    path(f"{_AUDIT}/harshness", views.harshness, name="harshness"),
    path(f"{_FINDING}/answer", views.answer, name="answer"),
    path(f"{_FINDING}/reopen", views.reopen, name="reopen"),
]
