"""Addresses of forecasts, and of what their conversations are sent."""

from __future__ import annotations

from django.urls import path

from projects.modes.forecast import views

app_name = "forecasts"
urlpatterns = [
    path("projects/forecasts/<uuid:forecast_id>", views.forecast, name="forecast"),
    path("projects/forecasts/<uuid:forecast_talk_id>/assume", views.assume, name="assume"),
]
