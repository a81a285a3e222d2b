"""The call ledger in the admin: to look at, not to change."""

from __future__ import annotations

from django.contrib import admin

from futura.admin import ReadOnlyAdmin
from futura.llm.models import ModelCall


@admin.register(ModelCall)
class ModelCallAdmin(ReadOnlyAdmin):
    list_display = [
        *("created_at", "stage", "attempt", "model_asked", "outcome"),
        *("input_tokens", "output_tokens", "cost_usd", "latency_ms", "ttft_ms"),
    ]
    list_filter = ["outcome", "stage", "model_asked", "wire", "created_at"]
    search_fields = ["session_id__exact", "run_id__exact", "request_id", "stage", "model_asked"]
    date_hierarchy = "created_at"
    show_full_result_count = False
