"""Addresses of datasets, below a campaign."""

from __future__ import annotations

from django.urls import path

from tasks.datasets import views
from tasks.datasets.rows import TABLES
from tasks.datasets.writing import TYPES

app_name = "datasets"
_ONE = "staff/campaigns/<uuid:campaign_id>/data"
urlpatterns = [
    path(_ONE, views.page, name="page"),
    *(
        path(
            f"{_ONE}/{table}.{form}",
            views.download,
            {"table": table, "form": form},
            name=f"{table}_{form}",
        )
        for table in TABLES
        for form in TYPES
    ),
]
