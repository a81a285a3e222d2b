"""Addresses of conversations with the agent, and of what audits and forecasts are sent."""

from __future__ import annotations

from django.urls import include, path

from projects.modes import views

AGENT = [
    path("projects/agent/new", views.new, name="agent_new"),
    path("projects/agent/<uuid:talk_id>", views.conversation, name="agent_talk"),
    path("projects/agent/<uuid:talk_id>/tap", views.tap, name="agent_tap"),
    path("projects/<uuid:project_id>/agent/<slug:mode>", views.about, name="agent"),
]
"""In the namespace of projects."""

_FORECASTS = [
    path("projects/forecasts/<uuid:forecast_id>", views.forecast, name="forecast"),
    path("projects/forecasts/<uuid:forecast_talk_id>/assume", views.assume, name="assume"),
]
_AUDITS = [
    path("projects/audits/<uuid:audit_id>/implement", views.implement, name="implement"),
    path("projects/audits/<uuid:audit_id>/harshness", views.harshness, name="harshness"),
    path("projects/findings/<uuid:finding_id>/answer", views.answer, name="answer"),
    path("projects/findings/<uuid:finding_id>/reopen", views.reopen, name="reopen"),
]
urlpatterns = [
    path("", include((_FORECASTS, "forecasts"))),
    path("", include((_AUDITS, "audits"))),
]
