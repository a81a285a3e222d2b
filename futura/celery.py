"""The Celery application: queue `turns` for answers, queue `jobs` for everything else.

An app declares its jobs in `<app>/jobs.py`, and what runs by the clock beside them:

    SCHEDULE = {"chat-sweep": {"task": "chat.jobs.sweep", "schedule": 5.0}}

An entry that the clock sent but no worker took before the next one is due expires by itself. The
clock is `celery beat`, or a thread of one worker: `celery worker --clock FILE`.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import logging.config
import os
import sys
import threading
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Final

from celery import Celery, bootsteps, shared_task
from celery.beat import EmbeddedService
from celery.bin.base import CeleryOption
from celery.signals import setup_logging, worker_ready
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

import futura.heartbeats  # noqa: F401 (every worker shows that it is alive)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "futura.settings")

log = logging.getLogger(__name__)

SWITCH_S: Final = 0.001  # a fifth of Python's own
APPS_WITH_JOBS: Final = (
    *("futura.llm", "futura.llm.staff", "onet", "chat", "tasks", "projects"),
    *("projects.forecasting", "projects.portfolio", "projects.portfolio.entries"),
)

app = Celery("futura")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(list(APPS_WITH_JOBS), related_name="jobs")


def send_job(name: str, *args: object, queue: str = "jobs", expires_s: float | None = None) -> bool:
    """Tells a worker that something waits; False while the broker is away.

    The rows are the queue: what is not told now, a sweep by the clock finds.
    """
    try:
        app.send_task(name, args=list(args), queue=queue, retry=False, expires=expires_s)
    except (OperationalError, RedisError, OSError) as error:
        log.warning("%s %s not announced: %s", name, " ".join(map(str, args)), error)
        return False
    return True


def periodic(jobs: Mapping[str, tuple[Callable[[], object], float]]) -> dict[str, dict[str, Any]]:
    """Registers jobs by their name; the SCHEDULE that has each every so many seconds."""
    for name, (work, _every_s) in jobs.items():
        shared_task(name=name, ignore_result=True)(work)
    return {
        name: {"task": name, "schedule": every_s, "options": {"queue": "jobs"}}
        for name, (_work, every_s) in jobs.items()
    }


class Clock(bootsteps.StartStopStep):
    """The periodic jobs, sent by a thread of the worker that is given the file of their times."""

    def __init__(self, parent: Any, clock: str = "", **options: object) -> None:
        super().__init__(parent, **options)
        self.enabled = bool(clock)
        self._service: Any = EmbeddedService(parent.app, thread=True, schedule_filename=clock)

    def start(self, _parent: Any) -> None:
        self._service.start()

    def stop(self, _parent: Any) -> None:
        self._service.stop()


app.steps["worker"].add(Clock)
app.user_options["worker"].add(
    CeleryOption(["--clock"], default="", help="Send the periodic jobs; FILE keeps their times.")
)


@setup_logging.connect
def _log_as_django_does(**_signal: object) -> None:
    """Celery leaves logging alone when something listens here."""
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)


@worker_ready.connect
def _let_the_loop_in(**_signal: object) -> None:
    """Threads that compute must not keep the model streams' loop waiting for long."""
    sys.setswitchinterval(SWITCH_S)


@worker_ready.connect
def _load_sdk(**_signal: object) -> None:
    """A worker that will call models loads their SDK before the first person waits for it."""
    from futura.llm import loop, stages

    if stages.is_configured():
        threading.Thread(target=loop.client, name="load SDK").start()


@app.on_after_finalize.connect
def collect_schedules(sender: Celery, **_signal: object) -> None:
    """Adds every app's SCHEDULE to what beat runs; two entries of one name are an error."""
    for name in APPS_WITH_JOBS:
        module = f"{name}.jobs"
        if importlib.util.find_spec(module) is None:
            continue
        entries: dict[str, dict[str, Any]] = getattr(
            importlib.import_module(module), "SCHEDULE", {}
        )
        for entry, given in entries.items():
            if entry in sender.conf.beat_schedule:
                raise ValueError(f"Two schedule entries are called {entry!r}.")
            sender.conf.beat_schedule[entry] = _expiring(given)


def _expiring(given: dict[str, Any]) -> dict[str, Any]:
    period = given["schedule"]
    seconds = period.total_seconds() if isinstance(period, timedelta) else period
    if not isinstance(seconds, int | float):
        return given
    return {**given, "options": {"expires": seconds, **given.get("options", {})}}
