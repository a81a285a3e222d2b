"""The Celery application: queue `turns` for answers, queue `jobs` for everything else.

An app declares its jobs in `<app>/jobs.py`, what runs by the clock there with `periodic`. The clock
is `celery beat`, or a thread of one worker: `celery worker --clock FILE`.
"""

from __future__ import annotations

import json
import logging
import logging.config
import os
import sys
import threading
import uuid
from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Any, Final

from celery import Celery, Task, bootsteps, shared_task
from celery.beat import EmbeddedService
from celery.bin.base import CeleryOption
from celery.signals import setup_logging, worker_ready
from django.conf import settings
from kombu import Queue
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

import futura.heartbeats  # noqa: F401 (every worker shows that it is alive)
from futura import garbage
from futura.llm import shared

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "futura.settings")

log = logging.getLogger(__name__)

TURNS: Final = "turns"  # answers to people: a queue whose messages only wake a worker
SWITCH_S: Final = 0.001  # a fifth of Python's own
APPS_WITH_JOBS: Final = (
    *("futura.llm.staff", "onet", "chat", "tasks", "projects", "projects.portfolio"),
)

garbage.look_seldom()  # what a worker loads from here on is there to stay
app = Celery("futura")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.task_queues = [Queue(TURNS, no_ack=True), Queue("jobs")]
app.autodiscover_tasks(list(APPS_WITH_JOBS), related_name="jobs")


class WakeUp(Task[..., None]):
    """A job whose message only wakes a worker: it is gone when it is taken (queue `turns`).

    A sweep finds what was lost. To note in Redis what was taken, and that it was, costs a worker a
    tenth of its time in a burst.
    """

    Request = "futura.wakeups:UnnotedRequest"


def send_job(name: str, *args: object, expires_s: float | None = None) -> bool:
    """Tells a worker that something waits; False while the broker is away.

    The rows are the queue: what is not told now, a sweep by the clock finds.
    """
    try:
        app.send_task(name, args=list(args), retry=False, expires=expires_s)
    except (OperationalError, RedisError, OSError) as error:
        log.warning("%s %s not announced: %s", name, " ".join(map(str, args)), error)
        return False
    return True


def wake(name: str, *args: str) -> bool:
    """`send_job` for what a person waits for, in the queue `turns`: the message that Celery would
    send, put into the queue's list as it is (its protocol 2 in kombu's envelope).

    Celery's own sending costs a quarter of what a person's message costs the web process: without
    it the first word of 20 answers begun at once comes a sixth sooner, of 60 a tenth (p95).
    """
    job_id = str(uuid.uuid4())
    body = json.dumps([args, {}, {}]).encode()
    message = {
        "headers": {"lang": "py", "task": name, "id": job_id, "root_id": job_id},
        "body": b64encode(body).decode(),
        "content-type": "application/json",
        "content-encoding": "utf-8",
        "properties": {
            "body_encoding": "base64",
            "correlation_id": job_id,
            "delivery_info": {"exchange": "", "routing_key": TURNS},
            "delivery_mode": 2,
            "delivery_tag": job_id,
            "priority": 0,
            "reply_to": "",
        },
    }
    try:
        shared.client(settings.REDIS_URL).lpush(TURNS, json.dumps(message))
    except RedisError as error:
        log.warning("%s %s not announced: %s", name, " ".join(args), error)
        return False
    return True


def periodic(jobs: Mapping[str, tuple[Callable[[], object], float]]) -> None:
    """Registers jobs by their name, to be run by the clock every so many seconds.

    One that no worker took before the next is due expires by itself.
    """
    for name, (work, every_s) in jobs.items():
        shared_task(name=name)(work)
        entry = {"task": name, "schedule": every_s, "options": {"expires": every_s}}
        app.conf.beat_schedule[name.replace(".", "-").replace("_", "-")] = entry


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
    logging.config.dictConfig(settings.LOGGING)


@worker_ready.connect
def _let_the_loop_in(**_signal: object) -> None:
    """Threads that compute must not keep the model streams' loop waiting for long."""
    sys.setswitchinterval(SWITCH_S)


@worker_ready.connect
def _load_sdk(**_signal: object) -> None:
    """A worker that will call models loads their SDK before the first person waits for it."""
    from futura.llm import loop, stages

    def load() -> None:
        if stages.is_configured():
            loop.client()
        garbage.look_seldom()

    threading.Thread(target=load, name="load SDK").start()
