"""Addresses of the ledger pages, below `/staff/`."""

from __future__ import annotations

from django.urls import path

from futura.llm.staff import views

app_name = "ledger"
urlpatterns = [
    path("models", views.totals, name="totals"),
    path("models/calls", views.calls, name="calls"),
    path("models/runs/<uuid:run_id>", views.run, name="run"),
    path("models/budget", views.budgets, name="budget"),
]
