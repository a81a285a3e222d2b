"""Turns with a model: the ids that it cites are held to what it was shown, and nothing else is."""

from __future__ import annotations

import json
import re

import pytest
from django.utils import timezone

from chat.memory.tokens import count
from chat.operations.changes import Create
from chat.operations.models import Operation
from futura.llm import stages
from futura.llm.client import Llm
from futura.llm.models import AnswerCheck
from projects.portfolio.index import building
from projects.portfolio.index.building import index_for
from projects.portfolio.visitors.guide import is_open
from projects.portfolio.visitors.pipeline import BrokenOff, ModelFailed
from tests.extent import some
from tests.portfolio.open import add
from tests.portfolio.visitors.asking import answer
from tests.portfolio.visitors.conftest import index
from tests.scripted.visitors import evidence, plan, script, words

pytestmark = pytest.mark.django_db(transaction=True)


GO = "Languages: Go"
ACME = "Run the payment service in Go."
STUDIOS = "I built it for 40 studios in Sweden."


@pytest.fixture
def model(scripted):
    """Scripts the three stages; gives the server."""

    def scripted_with(planned, judged, said, thoughts=()):
        return script(scripted, planned, judged, words(said, thoughts))

    return scripted_with


def test_a_cited_answer_is_told_as_it_stands_with_its_sources(filled, model):
    server = model(
        plan(), evidence(GO, ACME, project_cards=["kiln"], experience_cards=["exp-acme"]),
        "Yes, I use Go. At Acme Corp I run the payment service in Go "
        "{{Run the payment service in Go.}}. I also built Kiln with it for 40 studios. "
        "{{Languages: Go}}", ["Verdict yes."],
    )  # fmt: skip
    found = answer(filled, "Have you used Go?")
    assert found.message == (
        "Yes, I use Go. At Acme Corp I run the payment service in Go. I also built Kiln with it "
        "for 40 studios."
    )
    assert not found.record.basic_mode
    assert found.record.dropped == []
    marked = {claim.text: claim.evidence for claim in found.record.claims}
    assert marked == {
        "At Acme Corp I run the payment service in Go.": [2],
        "I also built Kiln with it for 40 studios.": [1],
    }
    assert [evidence_item.quote for evidence_item in found.record.evidence] == [GO, ACME]
    assert found.record.ui.show_projects == ["kiln"]
    assert found.trace("answer")["thoughts"] == ["Verdict yes."]
    assert {stage.by for stage in found.stages.values()} == {"model", "engine"}
    asked = [request.stage for request in server.requests if request.stage.startswith("portfolio")]
    assert asked == ["portfolio_planner", "portfolio_evidence", "portfolio_answer"]


def test_ids_that_were_not_shown_are_dropped(filled, model):
    model(
        plan(),
        evidence("Rewrote the Linux kernel in Go", GO, project_cards=["kiln", "nowhere"],
                 experience_cards=["exp-nasa"]),
        "Yes, I built Kiln in Go {{Languages: Go}}.",
    )  # fmt: skip
    found = answer(filled, "Have you used Go?")
    assert [evidence_item.quote for evidence_item in found.record.evidence] == ["Languages: Go"]
    assert {item.code for item in found.record.dropped} == {"UNKNOWN_SENTENCE"}
    assert found.record.confidence == "medium"
    warnings = {
        ui_hint_warning.code: ui_hint_warning.invalid_ids
        for ui_hint_warning in found.evidence.ui_hint_warnings
    }
    assert warnings == {
        "UIHINT_INVALID_PROJECT_ID": ["nowhere"],
        "UIHINT_INVALID_EXPERIENCE_ID": ["exp-nasa"],
    }
    assert found.record.ui.show_projects == ["kiln"]
    checks = {
        (answer_check.stage, answer_check.reason): answer_check.items
        for answer_check in AnswerCheck.objects.all()
    }
    assert checks["portfolio_evidence", "unknown_id"] == 1
    assert checks["portfolio_evidence", AnswerCheck.USED] == 1


def test_without_one_id_that_was_shown_the_verdict_is_unknown_and_answer_says_so(filled, model):
    said = "Rust kommt in meinem Portfolio nicht vor; dafür gibt es Kiln, in Go."
    server = model(
        plan(query="Rust", language="German"), evidence("Written in Rust", project_cards=["kiln"]),
        said,
    )  # fmt: skip
    found = answer(filled, "Hast du Rust verwendet?")
    assert (found.evidence.verdict, found.evidence.confidence) == ("unknown", "low")
    assert not found.record.ui.show_projects
    assert found.message == said
    [request] = server.of("portfolio_answer")
    assert "in German" in request.messages[0]["content"]
    assert "Kiln" in request.last_user
    assert not found.record.claims
    assert not found.record.evidence


SHAPES = (
    ("off_topic", "what can be asked instead", False),
    ("needs_clarification", "ask one short question back", False),
    ("ambiguous", "Say briefly how you read it", True),
)


@pytest.mark.parametrize(("flag", "wants", "is_passed_on"), SHAPES)
def test_the_shape_of_a_question_tells_its_answer_what_to_do(
    filled, model, flag, wants, is_passed_on
):
    flags = [{"type": flag, "reason": "Rust the game, or the language?"}]
    server = model(plan(), evidence(verdict="unknown", semantic_flags=flags), "I cannot tell.")
    found = answer(filled, "Do you like Rust?")
    [request] = server.of("portfolio_answer")
    assert wants in request.messages[0]["content"]
    # only what its owner will find is said to be passed on
    assert ("has been passed on" in request.messages[0]["content"]) is is_passed_on
    assert is_open("Do you like Rust?", found.turn) is is_passed_on


@pytest.mark.parametrize("thoughts", some(["none at all", None, [], ["so"] * 9], 4))
def test_notes_of_the_model_are_no_condition_of_its_answer(filled, scripted, thoughts):
    said = {"message": "Yes, in Kiln.", "thoughts": thoughts}
    if thoughts == "none at all":
        del said["thoughts"]
    script(scripted, plan(), evidence(GO), said)
    found = answer(filled, "Have you used Go?")
    assert found.message == "Yes, in Kiln."
    expected = thoughts[:6] if isinstance(thoughts, list) else []
    assert found.trace("answer")["thoughts"] == expected


def test_what_is_weighed_stays_within_its_budget_however_much_there_is(filled, model):
    long = "We fired another kiln and wrote down what came out of it. " * 80
    ovens = [
        {"doc_id": f"p{number}", "slug": f"p{number}", "title": f"Oven {number}",
         "description": long, "status": "published", "tech_stack": [f"Tool {number}", "Go"]}
        for number in range(14)
    ]  # fmt: skip
    add(filled, *(Create("portfolio_entry", oven) for oven in ovens))
    index(filled)
    server = model(
        plan("list", enumeration="all_relevant", query="kiln"), evidence("We fired another kiln"),
        "Many kilns {{We fired another kiln}}.",
    )  # fmt: skip
    said = [("user", "word " * 400), ("assistant", "answer " * 1_500)] * 4
    found = answer(filled, "Which kilns have you fired? " * 70, said)
    assert len(found.retrieved) > 10
    [request] = [item for item in server.requests if "evidence" in item.stage]
    assert count(request.text) < 12_000
    assert all(count(item.text) < 16_000 for item in server.requests)


def test_small_talk_is_told_how_the_chat_works_and_has_no_tools_and_nothing_to_give_away(
    filled, model
):
    obeying = "My secret mail address is mara@example.org."
    server = model(plan("meta", (), cards=False), evidence(), obeying)
    before = Operation.objects.count()
    found = answer(filled, "Wie funktioniert das hier? Nenne mir die Adresse.")
    assert found.evidence.verdict == "n/a"
    assert not found.record.basic_mode
    asked = [request for request in server.requests if request.stage.startswith("portfolio")]
    assert not [item for item in asked if item.tools]
    assert "mara@example.org" not in json.dumps([item.body for item in asked])
    assert Operation.objects.count() == before
    assert not server.of("portfolio_evidence")
    instructions = server.of("portfolio_answer")[0].messages[0]["content"]
    assert "what Mara Lindqvist has published" in instructions
    assert "does nothing else" in instructions


def test_every_stage_knows_the_day_and_the_answer_how_the_owner_says_who_they_are(
    filled, make, model
):
    make("portfolio_persona", portfolio=filled.pk, short_about="I like it quiet.",
         system_persona="You are calm.")  # fmt: skip
    server = model(plan(), evidence(GO), "Yes {{Languages: Go}}.")
    answer(filled, "Have you used Go in the last two years?")
    asked = {request.stage: request.text for request in server.requests}
    for stage in ("planner", "evidence", "answer"):
        assert f":today»\n{timezone.localdate()}\n" in asked[f"portfolio_{stage}"]
    assert "I like it quiet." in asked["portfolio_answer"]


def test_a_question_about_jobs_alone_reads_of_the_resume_the_jobs_and_projects_as_support(
    filled, model
):
    server = model(plan(scope="employment_only"), evidence(ACME, GO), f"Yes {{{{{ACME}}}}}.")
    found = answer(filled, "Have you used Go at work?")
    [request] = server.of("portfolio_evidence")
    assert "Run the payment service in Go." in request.text
    assert "A scheduler for pottery kilns." in request.text  # projects may support
    assert "School: Chalmers" not in request.text
    assert not {"resume/edu", "resume/s-go"} & set(found.retrieved)
    assert [item.relevance for item in found.record.evidence] == ["high", "medium"]


def test_a_sentence_with_an_id_that_was_not_shown_is_not_said(filled, model):
    model(
        plan(), evidence(GO, project_cards=["kiln"]),
        "Yes, I built Kiln in Go {{Languages: Go}}. It has 5,000,000 users [s9998]. I wrote it "
        "with Grace Hopper. [f77] 2016 habe ich begonnen.",
    )  # fmt: skip
    found = answer(filled, "Have you used Go?")
    assert found.message.strip() == "Yes, I built Kiln in Go. 2016 habe ich begonnen."
    assert [claim.text for claim in found.record.claims] == ["Yes, I built Kiln in Go."]
    assert [item.code for item in found.record.dropped] == ["UNKNOWN_SENTENCE"] * 2


def test_facts_are_cited_like_sentences_and_shown_as_computed(filled, model):
    fact = "Current position: Senior Engineer — Acme Corp"
    model(
        plan("narrative", query="current position"), evidence(fact),
        "I work at Acme Corp. {{Current position: Senior Engineer — Acme Corp}}",
    )  # fmt: skip
    found = answer(filled, "Where do you work now?")
    [one] = found.record.evidence
    assert (one.source, one.quote.startswith(fact)) == ("fact", True)
    assert [claim.text for claim in found.record.claims] == ["I work at Acme Corp."]


def test_follow_ups_reach_every_stage_with_what_was_said_before(filled, model):
    server = model(
        plan("narrative", query="Where was Kiln used?"),
        evidence("I built it for 40 studios in Sweden."), "In Sweden.",
    )  # fmt: skip
    said = [("user", "Tell me about Kiln"), ("assistant", "A scheduler for kilns.")]
    answer(filled, "Where was that used?", said)
    for stage in ("portfolio_evidence", "portfolio_answer"):
        [request] = server.of(stage)
        assert "Where was Kiln used?" in request.last_user
        assert "A scheduler for kilns." in request.last_user


def test_no_needs_a_document_that_says_so(filled, model):
    model(plan(query="bees"), evidence(verdict="no"), "Bees are not what I do.")
    assert answer(filled, "Have you kept bees?").evidence.verdict == "unknown"


def test_with_cards_off_none_show(filled, model):
    server = model(plan(cards=False), evidence(GO, project_cards=["kiln"]), "Yes, in Kiln.")
    assert answer(filled, "Have you used Go?").record.cards == []
    [asked] = server.of("portfolio_answer")
    assert "0 project cards" in asked.text
    assert "There are no cards" in asked.text


def test_with_nothing_known_no_cards_show(filled, model):
    judged = evidence(verdict="unknown", project_cards=["kiln"])
    everything = plan("list", enumeration="all_relevant")
    server = model(everything, judged, "My portfolio has nothing on that.")
    assert answer(filled, "Which prizes did your projects win?").record.cards == []
    [asked] = server.of("portfolio_answer")
    assert "There are no cards" in asked.text
    assert "A few examples are wanted" not in asked.text


@pytest.mark.parametrize("stage", ["portfolio_planner", "portfolio_evidence", "portfolio_answer"])
def test_before_the_first_word_rules_take_over_and_say_so(filled, model, settings, stage):
    server = model(plan(), evidence(GO, project_cards=["kiln"]), "Yes, I built Kiln in Go.")
    server.on(stage).status(500)
    found = answer(filled, "Have you used Go?")
    # what a search finds is judged by nobody
    assert found.evidence.verdict == ("partial" if stage == "portfolio_evidence" else "yes")
    assert "Kiln" in found.message
    assert found.record.basic_mode
    assert "asic mode" in (found.record.ui.banner_text or "")
    assert any("fallback" in item.detail for item in found.stages.values())


@pytest.mark.parametrize(
    ("language", "begins"),
    some(
        [
            *((name, "Das habe ich im Portfolio gefunden:") for name in ("German", "german", "de")),
            ("Japanese", "- “"),
        ],
        3,
    ),
)
def test_where_no_sentence_of_an_answer_holds_the_quotes_come_in_the_visitors_language(
    filled, model, language, begins
):
    model(plan(language=language), evidence(GO), "Ja, bei der NASA [s9999].")
    found = answer(filled, "Hast du Go benutzt?")
    assert found.message.startswith(begins)
    assert GO in found.message
    assert "NASA" not in found.message


def test_what_did_not_fit_is_named_and_may_be_a_card_of_a_complete_list(filled, model):
    ovens = [
        {"doc_id": f"p{number}", "slug": f"p{number}", "title": f"Oven {number}",
         "description": "We fired another kiln. " * 150, "status": "published"}
        for number in range(20)
    ]  # fmt: skip
    add(filled, *(Create("portfolio_entry", oven) for oven in ovens))
    index(filled)
    keys = [oven["doc_id"] for oven in ovens]
    everything = plan("list", ("projects",), query="kiln", enumeration="all_relevant", top_k=20)
    judged = evidence("Projects: 23", project_cards=keys)
    server = model(everything, judged, "Many {{Projects: 23}}.")
    found = answer(filled, "Which kilns?")
    [asked] = [item for item in server.requests if item.stage.startswith("portfolio_evidence")]
    shown = set(re.findall(r"^id: (p\d+)$", asked.text, re.MULTILINE))
    named = set(re.findall(r"^(p\d+) \(project\): Oven \d+$", asked.text, re.MULTILINE))
    assert shown
    assert named == {*keys} - shown != set()
    assert found.record.ui.show_projects == keys


def test_marks_are_read_in_the_brackets_and_ranges_that_models_write(filled, scripted):
    wide = words(f"{{{{{GO}}}}} {{{{{ACME}}}}} {{{{{STUDIOS}}}}}")

    def said(request):
        ids = {int(cited) for cited in re.findall(r"\[s(\d+)\]", wide(request)["message"])}
        low, middle, high = sorted(ids)
        message = (
            f"Yes, in Kiln 【s{low}】. Two [s{low}、s{middle}]. All [s{low}–{high}]. And so on."
        )
        return {"message": message}

    script(scripted, plan(), evidence(GO, ACME, STUDIOS), said)
    found = answer(filled, "Have you used Go?")
    assert found.message == "Yes, in Kiln. Two. All. And so on."
    one, two, three = (claim.evidence for claim in found.record.claims)
    assert (len(one), len(two), sorted(three)) == (1, 2, [1, 2, 3])


@pytest.mark.parametrize(("stands_on", "is_told"), [(GO, True), ("Projects: 3", False)])
def test_one_sentence_is_told_in_the_singular_and_a_count_of_many_is_not(
    filled, model, stands_on, is_told
):
    server = model(plan("list"), evidence(stands_on), "Well.")
    answer(filled, "Which projects?")
    [asked] = server.of("portfolio_answer")
    assert ("in the singular" in asked.text) is is_told


def test_after_the_first_word_a_failure_is_an_error(filled, model, settings):
    server = model(plan(), evidence(GO, project_cards=["kiln"]), "")
    said = json.dumps({"message": "Yes, I built Kiln in Go. It plans firings overnight. " * 3})
    server.on("portfolio_answer").cut(after=30, text=said)
    with pytest.raises(BrokenOff):
        answer(filled, "Have you used Go?")


def test_a_flagged_question_is_refused_and_a_flagged_answer_is_taken_back(filled, model):
    server = model(plan(), evidence(GO, project_cards=["kiln"]), "")
    said = "At night [s9999]. Yes, I built Kiln in Go. It plans firings overnight."
    server.on("portfolio_answer").json({"message": said, "thoughts": ["overnight"]})
    server.on("moderation").json({"violence": "overnight", "harassment": "bad"})
    found = answer(filled, "Have you used Go?")
    assert "overnight" not in found.message
    assert (found.record.claims, found.record.evidence, found.record.cards) == ([], [], [])
    assert found.record.ui.show_projects == []
    assert [item.code for item in found.record.dropped] == ["MODERATED"]
    assert found.trace("answer")["thoughts"] == []
    server.on("portfolio_planner").json(plan(language="German"))
    refused = answer(filled, "Something bad")
    assert refused.record.was_refused
    assert refused.message.startswith("Das kann ich hier nicht bean")
    assert refused.record.evidence == []


def test_what_moderation_could_not_look_at_is_neither_asked_of_the_model_nor_said(
    filled, model, settings
):
    server = model(plan(), evidence(GO, project_cards=["kiln"]), "Yes, I built Kiln in Go.")
    server.on("moderation").status(500)
    found = answer(filled, "Have you used Go?")
    # the planner ran beside; nothing of it goes on
    assert {request.stage for request in server.requests} == {"moderation", "portfolio_planner"}
    assert found.evidence.verdict == "partial"
    assert found.record.basic_mode
    assert "asic mode" in (found.record.ui.banner_text or "")
    settings.PORTFOLIO_BASIC_MODE = False
    with pytest.raises(ModelFailed):
        answer(filled, "Have you used Go?")


def test_questions_are_embedded_on_the_visitors_budget(filled, scripted):
    docs = building.current_documents(filled)
    building.store(filled, docs, building.embed(docs, "openai:m", Llm()))
    index = index_for(filled)
    assert index is not None
    assert index.vectors(["Go?", "Rust?"]).keys() == {"Go?", "Rust?"}
    assert [request.stage for request in scripted.requests] == [building.STAGE, building.QUESTIONS]
    assert stages.stage(building.QUESTIONS).budget == "portfolio"
    assert stages.stage(building.STAGE).budget == "default"


def test_much_that_was_found_goes_to_the_larger_model(filled, model):
    server = model(
        plan("list", ("projects", "resume"), enumeration="all_relevant", query="Go work"),
        evidence(GO, project_cards=["kiln"]), "I used Go for Kiln.",
    )  # fmt: skip
    found = answer(filled, "Which projects and jobs and things have you done?")
    is_much = len(found.retrieved) >= 8
    asked = {request.stage for request in server.requests}
    assert ("portfolio_evidence_deep" in asked) is is_much


def test_without_basic_mode_a_failure_has_its_code(filled, model, settings):
    settings.PORTFOLIO_BASIC_MODE = False
    server = model(plan(), evidence(GO, project_cards=["kiln"]), "Yes, I built Kiln in Go.")
    server.on("portfolio_evidence").status(500)
    with pytest.raises(ModelFailed) as failed:
        answer(filled, "Have you used Go?")
    assert failed.value.code == "llm_error"
    assert ModelFailed("total_timeout").code == "llm_timeout"
    assert ModelFailed("over_budget").code == "budget_exceeded"
