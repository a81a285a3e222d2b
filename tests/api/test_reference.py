"""The O*NET endpoints, the OpenAPI document and its page."""

import pytest
from ninja.openapi.schema import OpenAPISchema

from futura.api import api
from tests.extent import some

pytestmark = pytest.mark.django_db(transaction=True)


def test_titles_come_while_typing(client, catalogue):
    body = client.get("/api/onet/titles", {"q": "data ana"}).json()
    assert (body["catalogue"], body["catalogueName"]) == ("starter", "Starter catalogue")
    assert any("Data Analyst" in hit["title"] for hit in body["titles"])
    assert set(body["titles"][0]["occupations"][0]) == {"code", "title"}


@pytest.mark.parametrize(
    "query", some(["", " ", "<script>", "%00", "x" * 5000, "'; DROP TABLE"], 2)
)
def test_odd_queries_for_titles_do_no_harm(client, catalogue, query):
    answer = client.get("/api/onet/titles", {"q": query})
    assert answer.status_code == 200
    assert isinstance(answer.json()["titles"], list)


def test_a_task_finds_five_candidates(client, catalogue):
    body = client.get("/api/onet/match", {"q": "analyze sales data to find trends"}).json()
    assert len(body["candidates"]) == 5
    assert all(0 <= candidate["score"] <= 1 for candidate in body["candidates"])
    scores = [candidate["score"] for candidate in body["candidates"]]
    assert body["confidence"] in {"high", "medium", "low", "none"}
    assert max(scores) > 0


def test_a_task_that_nobody_does_has_no_good_match(client, catalogue):
    body = client.get("/api/onet/match", {"q": "zzqx blorf wibble"}).json()
    assert body["bestMatch"] is None
    assert body["confidence"] == "none"


@pytest.mark.parametrize(
    ("query", "status"), [({}, 422), ({"q": ""}, 400), ({"q": "x" * 501}, 413)]
)
def test_a_missing_or_endless_task_is_refused(client, catalogue, query, status):
    assert client.get("/api/onet/match", query).status_code == status


def test_the_document_names_every_endpoint(client):
    paths = client.get("/api/openapi.json").json()["paths"]
    assert {"/api/chat", "/api/onet/titles", "/api/onet/match"} <= set(paths)


def test_the_page_shows_what_the_document_says(client):
    page = client.get("/api/docs").text
    for word in ("/api/chat", "jobTitle", "selectedSuggestionIds", "gwaCoverage"):
        assert word in page


def test_the_document_says_how_programs_come_in_and_how_they_are_refused(client):
    document = client.get("/api/openapi.json").json()
    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert document["paths"]["/api/todos"]["post"]["security"] == [{"token": ["todos:write"]}, {}]
    assert document["paths"]["/api/operations"]["get"]["security"][0] == {"token": ["ledger:undo"]}
    assert document["paths"]["/api/onet/titles"]["get"]["security"] == [{"token": []}, {}]
    for methods in document["paths"].values():
        for operation in methods.values():
            assert {"400", "401", "404", "409", "422", "429"} <= set(operation["responses"])
            assert "ErrorOut" in str(operation["responses"]["default"])
    page = client.get("/api/docs").text
    assert "Authorization: Bearer" in page
    assert "/account/tokens" in page
    assert "<code>todos:write</code>" in page


def test_no_body_of_the_document_has_a_default_that_makers_of_clients_cannot_write(client):
    for path, methods in client.get("/api/openapi.json").json()["paths"].items():
        for operation in methods.values():
            body = operation.get("requestBody", {}).get("content", {})
            assert not [shape for shape in body.values() if "default" in shape["schema"]], path


def test_the_document_says_which_answers_are_streams(client):
    paths = client.get("/api/openapi.json").json()["paths"]
    events = "/api/chat/sessions/{session_id}/events"
    assert {item["name"] for item in paths[events]["get"]["parameters"]} == {
        "session_id", "after", "Last-Event-ID",
    }  # fmt: skip
    streams = {
        path
        for path, methods in paths.items()
        for operation in methods.values()
        if "text/event-stream" in str(operation["responses"])
    }
    assert streams == {
        events, "/api/agent/stream", "/api/concierge/stream", "/api/portfolio/builder/chat",
        "/api/portfolio/chat",
    }  # fmt: skip


def test_each_change_is_documented_with_the_shape_that_it_has(client, call, project):
    document = client.get("/api/openapi.json").json()
    made = {
        "todos": call("post", "/todos", {"title": "Sow"}, expect=201),
        "notes": call("post", "/notes", {"project": str(project.pk), "text": "A"}, expect=201),
        "projects": call("post", "/projects", {"name": "Shed"}, expect=201),
        "drafts": call("post", "/drafts", {"name": "Pond"}, expect=201),
        "commands": call("post", "/commands", {"name": "list_todos"}),
    }
    for name, answer in made.items():
        answers = document["paths"][f"/api/{name}"]["post"]["responses"]
        schema = answers["200" if name == "commands" else "201"]["content"]["application/json"]
        shape = schema["schema"]["$ref"].rpartition("/")[2]
        fields = document["components"]["schemas"][shape]["properties"]
        assert set(answer) == set(fields), (name, shape)


@pytest.mark.thorough
def test_no_name_of_the_document_stands_for_two_shapes(monkeypatch):
    shapes: dict[str, object] = {}

    def noted(document: OpenAPISchema, definitions: dict[str, object]) -> None:
        for name, shape in definitions.items():
            assert shapes.setdefault(name, shape) == shape, name
        document.schemas.update(definitions)

    monkeypatch.setattr(OpenAPISchema, "add_schema_definitions", noted)
    OpenAPISchema(api, "/api/")
    assert shapes
