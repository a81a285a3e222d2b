"""Addresses of conversations with the agent, in the namespace of projects."""

from __future__ import annotations

from django.urls import path

from projects.modes import views

urlpatterns = [
    path("projects/agent/new", views.new, name="agent_new"),
    path("projects/agent/<uuid:talk_id>", views.conversation, name="agent_talk"),
    path("projects/agent/<uuid:talk_id>/tap", views.tap, name="agent_tap"),
    path("projects/<uuid:project_id>/agent/<slug:mode>", views.about, name="agent"),
]
