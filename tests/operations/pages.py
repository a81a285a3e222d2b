"""Addresses of the ledger's pages, and what they say."""

from __future__ import annotations

import re

from django.urls import reverse

from chat.operations.models import Operation, OperationBatch

HTMX = {"HX-Request": "true"}


def url(name: str, batch: OperationBatch, operation: Operation | None = None) -> str:
    args = [batch.pk, operation.pk] if operation else [batch.pk]
    return reverse(f"operations:{name}", args=args)


def words(answer) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def panel(talk) -> str:
    return reverse("operations:panel", args=[talk.pk])
