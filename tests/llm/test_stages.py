"""The stages files: what they hold, what the environment changes, what stops the start."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured

from futura.llm import stages

SURVEY = {  # the configuration table of spec part 1; the count of gap analysis is ours
    "message_analysis": ("gpt-4o", 0.3, 1000),
    "tool_selection": ("gpt-4o", 0.3, 1000),
    "gap_analysis": ("gpt-4o", 0.3, 500),
    "response": ("gpt-4o", 0.7, 500),
    "suggestions": ("gpt-4o", 0.3, 1000),
    "extraction": ("gpt-4o", 0.3, 1000),
    "normalisation": ("gpt-4o", 0.3, 1000),
    "deduplication": ("gpt-4o", 0.3, 1000),
    "match_selection": ("gpt-4o-mini", 0.0, 500),
}


@pytest.fixture(autouse=True)
def _fresh():
    stages.all_stages.cache_clear()
    yield
    stages.all_stages.cache_clear()


def test_the_nine_rows_of_the_survey_are_there():
    found = stages.all_stages()
    assert {
        name: (found[name].model, found[name].temperature, found[name].max_output_tokens)
        for name in SURVEY
    } == SURVEY


def test_one_variable_changes_the_model_of_every_stage(monkeypatch):
    monkeypatch.setenv("FUTURA_MODEL", "house-model")
    assert {stages.stage(name).model for name in SURVEY} == {"house-model"}


def test_a_model_that_talks_is_not_asked_for_vectors(monkeypatch):
    monkeypatch.setenv("FUTURA_MODEL", "house-model")
    assert stages.stage("portfolio_embedding").model == "text-embedding-3-large"
    monkeypatch.setenv("FUTURA_STAGE_PORTFOLIO_EMBEDDING_MODEL", "house-vectors")
    stages.all_stages.cache_clear()
    assert stages.stage("portfolio_embedding").model == "house-vectors"


@pytest.mark.parametrize(
    ("address", "patience", "total_s"),
    [
        ("http://localhost:11434/v1", 0, 120),
        ("http://[::1]:8080/v1", 0, 120),
        ("https://models.example/v1", 0, 20),
        ("https://models.example/v1", 3, 60),
        ("http://localhost:8080/v1", 1, 20),
        ("", 0, 20),
    ],
)
def test_a_slow_server_is_given_more_time(settings, address, patience, total_s):
    settings.OPENAI_BASE_URL, settings.LLM_PATIENCE = address, patience
    found = stages.stage("message_analysis")
    assert found.total_s == total_s
    assert found.first_token_s == 15 * total_s / 20
    assert found.idle_s == 10 * total_s / 20


def test_a_time_that_the_environment_names_is_not_multiplied(settings, monkeypatch):
    settings.OPENAI_BASE_URL, settings.LLM_PATIENCE = "http://localhost:8080/v1", 0
    monkeypatch.setenv("FUTURA_STAGE_SUGGESTIONS_TOTAL_S", "45")
    found = stages.stage("suggestions")
    assert (found.total_s, found.idle_s) == (45, 60)


def test_a_variable_of_a_stage_wins(monkeypatch):
    monkeypatch.setenv("FUTURA_MODEL", "house-model")
    monkeypatch.setenv("FUTURA_STAGE_RESPONSE_MODEL", "fine-model")
    monkeypatch.setenv("FUTURA_STAGE_RESPONSE_TEMPERATURE", "0.1")
    monkeypatch.setenv("FUTURA_STAGE_RESPONSE_MAX_OUTPUT_TOKENS", "77")
    monkeypatch.setenv("FUTURA_STAGE_RESPONSE_FALLBACKS", "a,b")
    found = stages.stage("response")
    assert (found.model, found.temperature, found.max_output_tokens, found.fallbacks) == (
        "fine-model",
        0.1,
        77,
        ("a", "b"),
    )


def test_a_variable_that_is_no_number_stops_the_start_and_is_named(monkeypatch):
    monkeypatch.setenv("FUTURA_STAGE_RESPONSE_TOTAL_S", "soon")
    with pytest.raises(ImproperlyConfigured, match="FUTURA_STAGE_RESPONSE_TOTAL_S cannot be"):
        stages.all_stages()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("[stages.x\n", "cannot be read"),
        ("[extra]\n", "cannot be read.*extra"),
        ("[stages.x]\nmodel = 'a'\nmodle = 'a'\n", "x: modle cannot be used: Extra"),
        ("[stages.x]\ntemperature = 0.1\n", "x: model cannot be used: Field required"),
        (
            "[stages.x]\nmodel = 'a'\ntotal_s = 'long'\n",
            "x: total_s cannot be used: Input",
        ),
        (
            "[stages.x]\nmodel = 'a'\nmax_output_tokens = 0\n",
            "x: max_output_tokens cannot be used",
        ),
        ("[stages.x]\nmodel = 'a'\nfallbacks = 3\n", "x: fallbacks cannot be used"),
        ("stages = 3\n", "cannot be read.*stages"),
    ],
)
def test_a_file_that_cannot_be_used_stops_the_start_with_a_sentence(tmp_path, content, sentence):
    file = tmp_path / "stages.toml"
    file.write_text(content)
    with pytest.raises(ImproperlyConfigured, match=f"(?s){sentence}"):
        stages.read_stages(file)
