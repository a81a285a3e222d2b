"""Addresses of the agent's figures, below `/staff/`."""

from __future__ import annotations

from django.urls import path

from projects.staff import views

app_name = "staff_agent"
urlpatterns = [
    path("agent", views.agent, name="figures"),
]
