"""The Celery application: queue `turns` for answers, queue `jobs` for everything else."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "futura.settings")

app = Celery("futura")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["futura.llm", "onet", "chat", "tasks"], related_name="jobs")
