"""Addresses of insights, below a campaign."""

from __future__ import annotations

from django.urls import path

from tasks.insights import views

app_name = "insights"
_ONE = "staff/campaigns/<uuid:campaign_id>/insights"
urlpatterns = [
    path(_ONE, views.insights, name="page"),
    path(f"{_ONE}/count", views.count, name="count"),
    path(f"{_ONE}/table.csv", views.table, name="table"),
]
