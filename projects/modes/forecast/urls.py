"""Addresses of forecasting conversations; the id is the conversation's."""

from __future__ import annotations

from django.urls import path

from projects.modes.forecast import views

app_name = "assumptions"
urlpatterns = [
    path("projects/forecasts/<uuid:forecast_talk_id>/assume", views.assume, name="assume"),
]
