"""Addresses of the ledger pages, below `/staff/models`."""

from __future__ import annotations

from django.urls import path

from futura.llm.staff import views

app_name = "ledger"
urlpatterns = [
    path("", views.totals, name="totals"),
    path("/calls", views.calls, name="calls"),
    path("/runs/<uuid:run_id>", views.run, name="run"),
    path("/export.csv", views.download, name="export"),
]
