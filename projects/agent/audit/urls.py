"""Addresses of audits; the id is the conversation's."""

from __future__ import annotations

from django.urls import path

from projects.agent.audit import views

app_name = "audits"
_AUDIT = "projects/audits/<uuid:audit_id>"
urlpatterns = [
    path(f"{_AUDIT}/implement", views.implement, name="implement"),
    path(f"{_AUDIT}/harshness", views.harshness, name="harshness"),
]
