"""`manage.py evaluate portfolio`: the cases, the portfolios beside them, and the judging itself."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from chat.models import Participant
from chat.operations.changes import Actor
from futura.errors import BadInput
from futura.evaluation import read_cases
from projects.portfolio.documents import Doc
from projects.portfolio.evaluation import judging as figures
from projects.portfolio.evaluation.cases import Case, Right, load, read_corpus
from projects.portfolio.evaluation.judging import Judged, agreement_faults, citation_faults
from projects.portfolio.evaluation.measuring import CORPORA, play
from projects.portfolio.index.building import index_for
from projects.portfolio.models import Portfolio
from projects.portfolio.visitors.contract import (
    AnswerRecord,
    Claim,
    EvidenceSummary,
    EvidenceUiHints,
    RetrievalPlan,
    SelectedEvidenceItem,
    ShownEvidence,
    TurnResult,
    UiPayload,
)
from tests.portfolio.open import publish
from tests.scripted.visitors import evidence

EVAL = Path(__file__).parents[1] / "eval"
FROZEN, DEVELOPMENT = EVAL / "portfolio_frozen.jsonl", EVAL / "portfolio_dev.jsonl"
NAMES = ("engineer", "designer", "research")
KILN = Doc("projects", "project", "kiln", "Kiln", "A scheduler for 40 kilns, in Rust.")
PRESS = Doc("projects", "project", "press", "Pressroom", "Posters in Go.")
DOCS = {("projects", "kiln"): KILN, ("projects", "press"): PRESS}


def test_the_cases_are_many_and_often_without_an_answer():
    frozen, development = read_cases(FROZEN, Case), read_cases(DEVELOPMENT, Case)
    both = [*frozen, *development]
    assert len(frozen) == 50
    assert len(both) >= 150
    assert len({item.id for item in both}) == len(both)
    assert sum(item.kind != "plain" for item in both) / len(both) >= 0.3
    assert {item.category for item in both} >= {"binary", "list", "narrative", "meta"}
    assert sum(bool(item.input.conversation_history) for item in both) >= 12
    asked = [" ".join(item.input.user_message.casefold().split()) for item in both]
    assert len(set(asked)) == len(asked)


def test_two_thirds_of_the_newer_cases_were_seen_and_they_cover_languages_and_kinds():
    seen, unseen = (read_cases(EVAL / f"portfolio_{name}.jsonl", Case)
                    for name in ("languages", "unseen"))  # fmt: skip
    assert len(read_cases(FROZEN, Case)) + len(read_cases(DEVELOPMENT, Case)) == 172
    assert len(unseen) * 2 == len(seen)
    for cases in (seen, unseen):
        assert {item.language for item in cases} == {"en", "de", "es", "ja"}
        assert {item.kind for item in cases} >= {"follow_up", "near_miss", "superlative", "private"}
    large = sorted({item.portfolio for item in (*seen, *unseen)})
    corpora = [read_corpus(EVAL / CORPORA / f"{name}.json") for name in large]
    assert [len(item.drafts) for item in corpora] == [31, 31]  # thirty, and a profile


@pytest.mark.parametrize("name", NAMES)
def test_a_portfolio_is_loaded_with_links_and_without_what_is_private(name, db):
    written = read_corpus(EVAL / "portfolio" / f"{name}.json")
    person = Participant.objects.create(time_zone="UTC")
    portfolio = load(written, person.pk)
    index = index_for(portfolio)
    assert index is not None
    assert len(index.by_id) == len(written.drafts)
    text = " ".join(f"{item.title} {item.text} {item.keywords}" for item in index.by_id.values())
    assert not any(contact in text for contact in written.drafts[-1].values["private_contact"])
    for draft in written.drafts:
        if draft.kind in {"position", "volunteering"}:
            linked = {link["id"] for link in index.by_id["resume", draft.doc_id].linked}
            assert linked == set(draft.values.get("linked_entries", ()))
    known = {f"{source}:{doc_id}" for source, doc_id in index.by_id}
    for case in (*read_cases(FROZEN, Case), *read_cases(DEVELOPMENT, Case)):
        if case.portfolio == name:
            assert _named(case) <= known, case.id


def _named(case: Case) -> set[str]:
    of = case.expected
    named = set(of.relevant_documents)
    for listed in (of.must_include_project_ids, of.must_not_include_project_ids):
        named |= {f"projects:{item}" for item in listed}
    for listed in (of.must_include_experience_ids, of.must_not_include_experience_ids):
        named |= {f"resume:{item}" for item in listed}
    return named


def test_a_broken_portfolio_is_named(tmp_path):
    (tmp_path / "x.json").write_text('{"owner": {"ownerId": "A B"}}', encoding="utf-8")
    with pytest.raises(BadInput, match="owner"):
        read_corpus(tmp_path / "x.json")
    with pytest.raises(BadInput, match="cannot be read"):
        read_corpus(tmp_path / "y.json")


def turn(message: str, **more) -> TurnResult:
    """A turn on Kiln that is right in everything that `more` does not change."""
    verdict = more.get("verdict", "yes")
    cited = more.get("cited", [("kiln", "A scheduler for 40 kilns")])
    cards = more.get("cards", ["kiln"])
    plan = RetrievalPlan(question_type="binary", cards_enabled=more.get("cards_enabled", True))
    evidence = EvidenceSummary(
        verdict=verdict,
        confidence="high",
        selected_evidence=[
            SelectedEvidenceItem(
                source="project", id=doc_id, title=doc_id, snippet=quote, relevance="high"
            )
            for doc_id, quote in cited
        ],
        ui_hints=EvidenceUiHints(projects=more.get("hints", cards)),
    )
    shown = [
        ShownEvidence(
            number=place, source="project", facet="project", id=doc_id, title="", quote=quote
        )
        for place, (doc_id, quote) in enumerate(cited, start=1)
    ]
    return TurnResult(
        message=message,
        record=AnswerRecord(
            verdict=verdict,
            confidence="high",
            claims=more.get("claims", []),
            evidence=shown,
            ui=UiPayload(show_projects=cards),
        ),
        plan=plan,
        retrieved=more.get("retrieved", ["projects/kiln"]),
        evidence=evidence,
    )


def test_a_right_turn_has_no_faults():
    right = turn("Yes: Kiln is a scheduler for 40 kilns.")
    assert citation_faults(right, DOCS) == []
    assert agreement_faults(right) == []


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        (turn("Yes.", cited=[("kiln", "A scheduler for 50 kilns")]), "quote not in"),
        (turn("Yes.", cited=[("gone", "A scheduler")]), "no such document"),
        (turn("Yes.", retrieved=[]), "not retrieved"),
        (turn("Yes.", claims=[Claim(start=0, end=3, text="No.", evidence=[1])]), "not at its"),
        (turn("Yes.", claims=[Claim(start=0, end=4, text="Yes.", evidence=[2])]), "without evid"),
    ],
)
def test_what_is_not_in_the_documents_is_a_fault(wrong, fault):
    assert fault in " ".join(citation_faults(wrong, DOCS))


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        (turn("Yes.", cards=["press"], hints=[]), "cards not retrieved"),
        (
            turn("Yes.", cards=["press"], hints=[], retrieved=["projects/kiln", "projects/press"]),
            "cards not of the evidence",
        ),
        (turn("Yes.", cards_enabled=False), "although they are off"),
        (turn("I have nothing on that.", verdict="unknown"), "with cards or evidence"),
        (turn(" "), "no text"),
    ],
)
def test_cards_and_text_that_disagree_are_a_fault(wrong, fault):
    assert fault in " ".join(agreement_faults(wrong))


def case(**expected) -> Case:
    """A case about Kiln."""
    told = {"verdict": "yes", **expected}
    return Case.model_validate(
        {
            "id": "x",
            "name": "x",
            "category": "binary",
            "portfolio": "engineer",
            "input": {"userMessage": "Have you used Rust?"},
            "expected": told,
        }
    )


def test_figures_count_what_the_cases_say():
    right = Judged(
        case(questionType="binary", relevantDocuments=["projects:kiln"]), turn("Yes."), DOCS
    )
    listed = Judged(
        case(
            questionType="list",
            enumeration="all_relevant",
            mustIncludeProjectIds=["kiln", "press"],
            relevantDocuments=["projects:kiln", "projects:press"],
        ),
        turn("Yes."),
        DOCS,
    )
    silent = Judged(case(), turn("Not told.", verdict="unknown", cited=[], cards=[]), DOCS)
    honest = Judged(
        case(verdict="unknown"), turn("Not told.", verdict="unknown", cited=[], cards=[]), DOCS
    )
    found = figures.figures_of([right, listed, silent, honest])
    assert found["question_type"] == 0.5
    assert found["scope"] is None
    assert found["verdict"] == 0.75
    assert found["recall_at_10"] == 0.75
    assert found["enumeration"] == pytest.approx(2 / 3, abs=1e-4)
    assert found["abstention_recall"] == 1
    assert found["false_abstention"] == pytest.approx(1 / 3, abs=1e-4)
    assert found["everything_right"] == 0.5
    assert "false_abstention" in figures.below(found)
    assert "scope" not in figures.below(found)
    assert [item["id"] for item in figures.missed([right, listed, silent])] == ["x", "x"]


def held(judged) -> None:
    """What basic mode is held to: nothing denied, nothing affirmed, nothing made up."""
    values = figures.figures_of(judged)
    assert figures.below(values, "basic") == [], figures.missed(judged)
    assert values["false_denial"] == values["false_claim"] == 0
    assert {item.verdict for item in judged} <= {"partial", "unknown", "n/a"}


def test_basic_mode_denies_and_invents_nothing_in_a_part_of_the_cases(db):
    held(play(read_cases(DEVELOPMENT, Case)[::6], EVAL / CORPORA))


@pytest.mark.thorough
@pytest.mark.parametrize("file", [FROZEN, DEVELOPMENT], ids=["frozen", "development"])
def test_basic_mode_denies_and_invents_nothing(file, db):
    held(play(read_cases(file, Case), EVAL / CORPORA))


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["portfolio_languages", "portfolio_unseen"])
def test_basic_mode_denies_and_invents_nothing_in_other_languages(name, db):
    values = figures.figures_of(play(read_cases(EVAL / f"{name}.jsonl", Case), EVAL / CORPORA))
    assert values["false_denial"] == values["false_claim"] == 0
    assert values["citation_validity"] == values["fidelity"] == 1
    assert values["calls_before_first_word"] == 0


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", ["portfolio_dev", "portfolio_frozen", "portfolio_languages", "portfolio_unseen"]
)
@pytest.mark.django_db(transaction=True)
def test_whatever_a_right_model_says_reaches_the_visitor_whole(name):
    found = evaluated(EVAL / f"{name}.jsonl", "--faithful")
    assert found["mode"] == "faithful"
    assert found["everything_right"] == found["fidelity"] == 1, found["misses"]
    assert found["lost"] == 0
    assert found["calls_before_first_word"] <= 3
    assert not Portfolio.objects.exists()


def test_what_a_right_model_says_and_the_visitor_does_not_get_is_counted():
    said = {"says": "Yes, 40 kilns {{A scheduler for 40}}. In Rust {{In Rust}}."}
    wanted = case().model_copy(update={"right": Right.model_validate(said)})
    judged = Judged(wanted, turn("Yes, 40 kilns."), DOCS, is_faithful=True)
    assert len(judged.faults["lost"]) == 2
    assert not judged.is_right
    assert not Judged(wanted, turn("Yes, 40 kilns. In Rust."), DOCS).faults["lost"]


@pytest.fixture
def few(tmp_path) -> Path:
    """Two cases to one portfolio."""
    shutil.copytree(EVAL / CORPORA, tmp_path / CORPORA)
    wanted = {"dv-e-01", "dv-e-06"}
    lines = DEVELOPMENT.read_text(encoding="utf-8").splitlines()
    chosen = [line for line in lines if json.loads(line)["id"] in wanted]
    file = tmp_path / "cases.jsonl"
    file.write_text("\n".join(chosen), encoding="utf-8")
    return file


def evaluated(*arguments: str | Path) -> dict:
    out = io.StringIO()
    call_command("evaluate", "portfolio", *map(str, arguments), stdout=out)
    told: dict = json.loads(out.getvalue())
    return told


def test_the_command_prints_one_json_object_and_leaves_nothing(few, db):
    told = evaluated(few)
    assert (told["mode"], told["n"]) == ("basic", 2)
    assert {"by_portfolio", "by_kind", "by_language", "misses", "below_floor"} <= set(told)
    assert {
        "fidelity", "enumeration_recall", "false_denial", "false_claim",
        "calls_before_first_word", "ms_before_first_word",
    } <= set(told)  # fmt: skip
    assert not Portfolio.objects.exists()


def test_without_a_file_published_portfolios_are_asked_what_their_records_say(db):
    with pytest.raises(CommandError, match="No portfolio is published"):
        evaluated()
    written = read_corpus(EVAL / CORPORA / "engineer.json")
    person = Participant.objects.create(time_zone="UTC")
    portfolio = publish(Actor(person.pk), load(written, person.pk))
    found = evaluated("--details")
    assert found["mode"] == "basic"
    assert found["n"] == len(found["details"]) > 20
    assert found["recall_at_10"] == 1
    assert found["false_denial"] == found["false_claim"] == 0
    questions = {detail["question"] for detail in found["details"]}
    assert {"Where do you work now?", "Did you work at Havenlogik?", "What is Kiln?"} & questions
    assert Portfolio.objects.get() == portfolio


def test_a_right_model_needs_a_file(db):
    with pytest.raises(CommandError, match="--faithful"):
        evaluated("--faithful")


@pytest.mark.django_db(transaction=True)
def test_with_a_right_model_by_the_command(few):
    found = evaluated(few, "--faithful")
    assert (found["mode"], found["n"], found["everything_right"]) == ("faithful", 2, 1)
    assert not Portfolio.objects.exists()


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_the_same_with_a_model_leaves_nothing_either(few, scripted):
    scripted.on("portfolio_planner").json(
        {
            "question_type": "binary",
            "enumeration": "sample",
            "scope": "employment_only",
            "retrieval_requests": [{"source": "resume", "query_text": "Go", "top_k": 5}],
            "resume_facets": [],
            "cards_enabled": True,
            "topic": "Go",
        }
    )
    judged = evidence(
        "Own the berth planning services in Go on Kubernetes",
        experience_cards=["exp_havenlogik_2022"],
    )
    for stage in ("portfolio_evidence", "portfolio_evidence_deep"):
        scripted.on(stage).json(judged)
    scripted.on("portfolio_answer").json({"message": "Yes, in Go.", "thoughts": []})
    told = evaluated(few)
    assert told["mode"] == "model"
    # the second asks after Angular: this model is wrong there, and nobody puts words in its mouth
    assert told["verdict"] == 0.5
    assert not Portfolio.objects.exists()
