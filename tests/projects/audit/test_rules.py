"""The rules of the audit: what they find in a flawed project, and in a sound one."""

import datetime as dt

import pytest

from projects.agent.audit.auditing import audited, subject_of
from projects.agent.audit.findings import Area, Severity, is_grounded
from projects.agent.audit.rules.consistency import amount_in
from projects.agent.audit.rules.risks import unanswered
from projects.agent.audit.sentences import sentences_of
from projects.agent.readers import Plan
from projects.agent.toolbox import Picture
from projects.dimensions import FIELDS
from projects.forecasting.snapshot import inputs_of
from projects.models import Project
from projects.queries import tasks_of
from tests import project_rows, todos
from tests.projects.talks import RISKY, TODAY

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
def subject():
    def make(project, harshness=7):
        project = Project.objects.get(pk=project.pk)
        tasks = tasks_of(project)
        inputs = inputs_of(project, tasks, today=TODAY)
        plan = Plan(project, tuple(tasks), Picture(project, tasks), inputs)
        return subject_of(plan, TODAY, harshness)

    return make


@pytest.fixture
def changed(actor, planned, subject):
    """Audits the planned project with some of its texts changed."""

    def make(harshness=8, **values):
        project = Project.objects.get(pk=planned.pk)
        row = project_rows.edit_project(actor=actor, project=project, values=values).row
        audit = audited(subject(row, harshness))
        return {one.id: one for one in audit.findings}

    return make


def test_every_finding_quotes_the_projects_own_words(planned, subject):
    looked_at = subject(planned, 8)
    found = audited(looked_at).findings
    assert len(found) >= 8
    for one in found:
        assert all(is_grounded(evidence, looked_at) for evidence in one.evidence)
        assert one.question.endswith("?")
        assert one.recommendation[0].islower()
    assert {one.area for one in found} == set(Area)


def test_the_specifications_own_examples_are_found(changed):
    found = changed()
    assert found["ambition"].evidence[0].quote.startswith("Launch at all eight")
    assert "No budget" in found["ambition"].evidence[1].quote
    assert found["no-effect"].dimension == "core_integrity_ideals"
    quotes = [one.quote for one in found["risk-unanswered"].evidence]
    assert quotes == ["The health office might refuse the spreadsheet."]


def test_a_risk_with_an_answer_is_none():
    assert [one.text for one in unanswered(RISKY)] == [
        "The health office might refuse the spreadsheet."
    ]
    assert not list(unanswered("It could fail. Then we go back to paper as a fallback."))
    assert not list(unanswered("If it breaks, we will take the spare one."))


def test_money_that_is_not_there_and_is_spent(changed):
    found = changed()["no-money"]
    assert [one.quote for one in found.evidence] == [
        "No budget, half a day a week.",
        "We buy one rugged tablet.",
    ]
    two = changed(core_power_resources="Our budget is $5,000.", context="A budget of 8k€ is set.")
    assert "two-budgets" in two or amount_in("A budget of 8k€ is set.") is None
    assert amount_in("We have $5,000 for it") == 5000
    assert amount_in("about 2.5k euros") == 2500
    assert amount_in("in 2027") is None


def test_dates_that_do_not_go_together(changed, planned, actor):
    task = planned.tasks.get(title="Print bottle labels")
    due = {"due_date": dt.date(2026, 12, 18)}
    todos.change(actor=actor, task=task, values=due)
    found = changed()
    late = found["after-end"]
    assert late.severity == Severity.CRITICAL
    assert late.evidence[0].quote == "Print bottle labels"
    assert late.fix.values == {"end_date": "2026-12-18"}
    assert "March 2027" in found["date-core_goals_momentum"].observation


def test_an_end_date_out_of_reach_is_told_with_the_chance(changed):
    found = changed(end_date=dt.date(2026, 11, 27))["chance"]
    assert found.severity == Severity.CRITICAL
    assert "of 100" in found.observation
    assert found.fix.kind == "project_update"
    assert "chance" not in changed(end_date=dt.date(2027, 6, 1))


def test_an_estimate_that_does_not_fit_its_dates(changed, planned, actor):
    task = planned.tasks.get(title="Build the sheet")
    dates = {"start_date": dt.date(2026, 11, 30), "due_date": dt.date(2026, 12, 2)}
    todos.change(actor=actor, task=task, values=dates)
    found = changed()[f"window-{task.pk}"]
    assert found.fix.values["due_date"] >= "2026-12-10"
    assert found.fix.id == task.pk


def test_a_week_that_holds_too_much(changed, planned, actor):
    for task in planned.tasks.exclude(title="Train the relief technicians"):
        values = {"start_date": dt.date(2026, 11, 30), "due_date": dt.date(2026, 12, 4)}
        todos.change(actor=actor, task=task, values=values)
    found = changed()["load"]
    assert "30 November 2026" in found.observation
    assert len(found.evidence) == 3


def test_overdue_blocked_and_urgent_tasks(changed, planned, actor):
    first, *others = planned.tasks.order_by("position")
    values = {"due_date": dt.date(2026, 11, 2), "status": "blocked", "priority": "high"}
    todos.change(actor=actor, task=first, values=values)
    for task in others:
        todos.change(actor=actor, task=task, values={"priority": "critical"})
    found = changed()
    assert {"overdue", "blocked", "urgent"} <= set(found)


def test_the_harder_the_audit_the_more_it_finds(planned, subject):
    told = {level: audited(subject(planned, level)).findings for level in (5, 7, 8)}
    assert len(told[5]) <= len(told[7]) <= len(told[8])
    assert len(told[5]) <= 6
    assert min(one.severity for one in told[5]) >= Severity.SERIOUS


def test_the_concern_comes_first(planned, subject):
    found = audited(subject(planned), ["core_people_bonds"]).findings
    assert found[0].dimension == "core_people_bonds"
    found = audited(subject(planned), [Area.MISSING]).findings
    assert found[0].area == Area.MISSING


def test_a_sound_project_is_told_so(actor, subject):
    project = project_rows.create_project(actor=actor, values=SOUND).row
    for title in ("Agree on the columns with the health office", "Build and try the sheet",
                  "Print bottle labels", "Train the relief technicians"):  # fmt: skip
        values = {"title": title, "estimate_low_days": 2, "estimate_high_days": 4}
        todos.add(actor=actor, project=project, values=values)
    audit = audited(subject(project))
    assert [one.id for one in audit.findings] == []
    assert len(audit.strengths) >= 2
    assert audit.strengths[0].evidence


def test_an_empty_project_has_a_gap_in_every_dimension(actor, subject):
    bare = project_rows.create_project(actor=actor, values={"name": "Bare"}).row
    found = audited(subject(bare, 8)).findings
    assert {f"thin-{name}" for name in FIELDS} <= {one.id for one in found}
    assert {"no-end", "no-tasks"} <= {one.id for one in found}


def test_sentences_know_their_places():
    text = "- Launch in May\n- 3.5 hours saved. Twice!\n\n# Then rest"
    found = list(sentences_of(text))
    assert [one.text for one in found] == [
        "Launch in May", "3.5 hours saved.", "Twice!", "Then rest",
    ]  # fmt: skip
    assert all(text[one.start : one.end] == one.text for one in found)
