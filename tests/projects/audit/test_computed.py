"""What an audit computes: of a flawed project, and of a sound one."""

import datetime as dt

import pytest

from projects.dimensions import FIELDS
from projects.models import Project
from projects.modes.audit.auditing import computed
from projects.modes.audit.checks import Area, Severity
from projects.modes.rows import Plan
from projects.queries import tasks_of
from tests import project_rows, todos
from tests.projects.talks import TODAY

pytestmark = pytest.mark.django_db

SOUND = {
    "name": "Weekly sheet",
    "end_date": dt.date(2027, 3, 31),
    "core_integrity_ideals": (
        "It counts as done when no reading is typed twice for four weeks in a row. Errors in the "
        "weekly sheet fall from five a week to none, counted by the health office."
    ),
    "core_people_bonds": (
        "Two technicians build the columns and the sheet with one contact at the health office. "
        "The head of the lab decides, and signs off every change to the sheet."
    ),
    "core_goals_momentum": (
        "- Columns agreed with the health office by 11 December 2026\n"
        "- The sheet is built and tried with one reservoir in January 2027\n"
        "- Bottle labels printed and relief technicians trained in February 2027"
    ),
    "core_meaning_identity": (
        "Five hours a week go back to the bench, where the work is. The health office gets its "
        "figures on Friday instead of Tuesday, which is why it asked for this."
    ),
    "core_reality_understanding": (
        "Readings are written on paper at the tap, typed into the database in the lab and copied "
        "by hand into the weekly sheet. Copying takes five hours and brings in the errors."
    ),
    "core_trust_safeguards": (
        "The tablet may fail in the cold; paper stays as a fallback during the pilot. If the "
        "office refuses the format, we will go on sending the old sheet for a month."
    ),
    "core_opportunity_freedom": (
        "A scanner for the paper forms was the other way. We take it when the tablet fails twice "
        "in the pilot, since the forms stay the same in both cases."
    ),
    "core_power_resources": (
        "Two technicians have a day a week each until March. The tablet is there, and the licence "
        "for the database has been paid for until the end of next year."
    ),
    "core_harmony_integration": (
        "Every Friday at nine we look at the number of readings typed twice. The figure goes to "
        "the head of the lab, together with the sheet."
    ),
}  # fmt: skip


@pytest.fixture
def plan():
    def make(project):
        project = Project.objects.get(pk=project.pk)
        return Plan(row=project, tasks=tasks_of(project), today=TODAY)

    return make


@pytest.fixture
def changed(actor, planned, plan):
    """Audits the planned project with some of its texts changed."""

    def make(**values):
        project = Project.objects.get(pk=planned.pk)
        row = project_rows.edit_project(actor=actor, project=project, values=values).row
        return {finding.key: finding for finding in computed(plan(row)).findings}

    return make


def test_every_finding_quotes_the_projects_own_words(planned, plan):
    looked_at = plan(planned)
    found = computed(looked_at).findings
    assert len(found) >= 4
    for one in found:
        assert one.source == "computed"
        for evidence in one.evidence:
            assert evidence["quote"] in looked_at.texts[evidence["field"]]
        assert one.question.endswith("?")
        assert one.recommendation[0].islower()
    assert {item.area for item in found} >= {Area.COMPLETENESS, Area.FEASIBILITY}


def test_no_text_is_judged_by_its_words(changed):
    """Whatever stands in a dimension, in any language, only its being empty is computed."""
    before = set(changed())
    texts = {
        "core_trust_safeguards": "It might fail. Nothing is decided. TBD?",
        "core_power_resources": "Kein Budget, und wir kaufen alles.",
        "core_people_bonds": "私だけです。チームは五人です。",
    }
    assert set(changed(**texts)) == before
    assert "thin-core_people_bonds" in changed(core_people_bonds="")


def test_dates_that_do_not_go_together(changed, planned, actor):
    task = planned.tasks.get(title="Print bottle labels")
    due = {"due_date": dt.date(2026, 12, 18)}
    todos.change(actor=actor, task=task, values=due)
    found = changed()
    late = found["after-end"]
    assert late.severity == Severity.CRITICAL
    assert late.evidence[0]["quote"] == "Print bottle labels"
    assert late.fix["values"] == {"end_date": "2026-12-18"}


def test_an_end_date_out_of_reach_is_told_with_the_chance(changed):
    found = changed(end_date=dt.date(2026, 11, 27))["chance"]
    assert found.severity == Severity.CRITICAL
    assert "of 100" in found.observation
    assert found.fix["kind"] == "project_update"
    assert "chance" not in changed(end_date=dt.date(2027, 6, 1))


def test_a_week_that_holds_too_much(changed, planned, actor):
    for task in planned.tasks.exclude(title="Train the relief technicians"):
        values = {"start_date": dt.date(2026, 11, 30), "due_date": dt.date(2026, 12, 4)}
        todos.change(actor=actor, task=task, values=values)
    found = changed()["load"]
    assert "30 November 2026" in found.observation
    assert len(found.evidence) == 3


def test_overdue_tasks_are_named(changed, planned, actor):
    first = planned.tasks.order_by("position")[0]
    todos.change(actor=actor, task=first, values={"due_date": dt.date(2026, 11, 2)})
    assert changed()["overdue"].observation == f"Overdue: “{first.title}”."


def test_a_sound_project_is_told_so(actor, plan):
    project = project_rows.create_project(actor=actor, values=SOUND).row
    for title in ("Agree on the columns with the health office", "Build and try the sheet",
                  "Print bottle labels", "Train the relief technicians"):  # fmt: skip
        values = {"title": title, "estimate_low_days": 2, "estimate_high_days": 4}
        todos.add(actor=actor, project=project, values=values)
    audit = computed(plan(project))
    assert [finding.key for finding in audit.findings] == []
    assert len(audit.strengths) >= 2


def test_an_empty_project_has_a_gap_in_every_dimension(actor, plan):
    bare = project_rows.create_project(actor=actor, values={"name": "Bare"}).row
    found = computed(plan(bare)).findings
    assert {f"thin-{name}" for name in FIELDS} <= {item.key for item in found}
    assert {"no-end", "no-tasks"} <= {item.key for item in found}


def test_to_dos_that_nobody_does_are_named_where_others_have_a_person(changed, planned, actor):
    assert "no-owner" not in changed()
    first, *_others = planned.tasks.order_by("position")
    todos.change(actor=actor, task=first, values={"assignee": "Ana"})
    found = changed()["no-owner"]
    assert found.evidence[0]["quote"] == "Build the sheet"
    assert "3 of 4" in found.observation
