"""Addresses of forecasts."""

from __future__ import annotations

from django.urls import path

from projects.forecasting import views

app_name = "forecasts"
urlpatterns = [path("projects/forecasts/<uuid:forecast_id>", views.forecast, name="forecast")]
