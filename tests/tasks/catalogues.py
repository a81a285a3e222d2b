"""Catalogues of the jobs that tests invent people from, so that their tasks can be coded."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from onet.candidates import group_of
from onet.models import Occupation, Release, TaskStatement, WorkActivity
from tasks.simulation.invented import Job


def store_catalogue(jobs: Sequence[Job]) -> Release:
    """Stores the statements of the jobs as the active release."""
    listed = [statement for job in jobs for statement in job.statements]
    Release.objects.filter(is_active=True).update(is_active=False)
    fingerprint = sha256(repr(listed).encode()).hexdigest()
    release = Release.objects.create(name="Test", fingerprint=fingerprint, is_active=True)
    elements = sorted({element for item in listed for element in item.activity_ids})
    activities = {
        element: WorkActivity.objects.create(
            release=release, element_id=element, name=element, group=group_of(element)
        )
        for element in elements
    }
    for job in jobs:
        occupation = Occupation.objects.create(release=release, code=job.code, title=job.title)
        for one in job.statements:
            row = TaskStatement.objects.create(
                release=release, occupation=occupation, task_id=one.task_id, text=one.text
            )
            row.activities.set(activities[element] for element in one.activity_ids)
    return release
