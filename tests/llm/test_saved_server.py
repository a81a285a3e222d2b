"""The page of model settings: what an administrator saves is used, tested, and kept secret."""

import re
import signal
import time
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from chat.staff.models import Access
from futura import roles
from futura.llm import server
from futura.llm.client import Llm
from futura.llm.models import ModelCall, ModelServer
from tests.breaking.person import Person
from tests.llm.conftest import GOOD, HELLO, Verdict
from tests.markup import flat
from tests.platform.test_up import running, with_data
from tests.scripted import ScriptedServer
from tests.stack import free_port

pytestmark = pytest.mark.django_db
PAGE = "/staff/model"
KEY = "sk-of-the-house-4711"
STEP = re.compile(r'h-small">([^<]+)</span>\s*<span class="tag[^>]*>([a-z ]+)')


@pytest.fixture
def house(settings):
    """A model server that nothing in the environment names."""
    with ScriptedServer() as scripted:
        settings.OPENAI_API_KEY = settings.OPENAI_BASE_URL = ""
        settings.LLM_BACKOFF_S = 0.001
        yield scripted


@pytest.fixture
def admin(django_user_model):
    """An administrator by role, signed in."""
    user = django_user_model.objects.create_user("ada", is_staff=True)
    user.groups.add(Group.objects.get(name=roles.ADMINISTRATOR))
    client = Client()
    client.force_login(user)
    return client


def save(admin, address, **more):
    fields = {"provider": "other", "base_url": address, "model": "house-model", "key": KEY}
    return admin.post(PAGE, fields | more)


def good(scripted):
    """Scripts every step of the test as a server that can do them all."""
    script = scripted.on("model_test")
    script.text("Hello, my friend").json({"name": "Pear", "is_sweet": True})
    script.call("add", {"first": 2, "second": 3}).text("It is 5.").text("One, two, three.")


def steps(admin):
    return dict(STEP.findall(flat(admin.get(PAGE))))


def test_what_is_saved_is_used_at_once_and_the_key_is_never_shown(admin, house, caplog):
    assert "basic mode" in admin.get(PAGE).text
    assert not Llm().is_configured
    assert save(admin, house.base_url).status_code == 303
    house.on("response").json(GOOD)
    assert Llm().structured("response", HELLO, Verdict).word == "bake"
    asked = house.requests[-1]
    assert (asked.wire, asked.model) == ("chat", "house-model")
    assert asked.headers["authorization"] == f"Bearer {KEY}"

    row = ModelServer.objects.get()
    assert KEY not in row.sealed_key
    assert server.key_of(row) == KEY
    noted = Access.objects.get()
    assert (noted.kind, noted.user_name) == ("change", "ada")
    assert noted.about["key"] == "new"
    page, log = admin.get(PAGE).text, admin.get("/staff/log").text
    assert house.base_url in page
    assert "Changed" in log
    everything = page + log + caplog.text + repr(server.current()) + str(noted.about)
    assert KEY not in everything
    assert row.sealed_key not in everything


def test_two_administrators_do_not_save_over_each_other(admin, house):
    save(admin, house.base_url)
    seen = admin.get(PAGE).context["seen"]
    assert save(admin, house.base_url, model="second-model", seen=seen).status_code == 303
    refused = save(admin, house.base_url, model="third-model", seen=seen)
    assert refused.status_code == 409
    assert "Someone else has changed these settings" in refused.text
    assert "second-model" in refused.text
    assert 'value="third-model"' in refused.text
    admin.post(f"{PAGE}/clear", {"seen": seen})
    row = ModelServer.objects.get()
    assert (row.model, row.is_active, bool(row.sealed_key)) == ("second-model", True, True)
    again = save(admin, house.base_url, model="third-model", seen=refused.context["seen"])
    assert again.status_code == 303


def test_nothing_is_read_again_until_something_changes(admin, house, django_assert_num_queries):
    save(admin, house.base_url)
    assert Llm().is_configured
    with django_assert_num_queries(0):
        for _ in range(100):
            assert Llm().is_configured


def test_a_test_of_a_good_server_names_every_step_and_its_time(admin, house):
    save(admin, house.base_url)
    good(house)
    assert admin.post(f"{PAGE}/test").status_code == 303
    works = dict.fromkeys(("Text", "Structured answer", "Tool call", "Stream"), "works")
    assert steps(admin) == works
    assert re.search(r"works, \d+.ms", admin.get(PAGE).text)
    assert {request.wire for request in house.requests} == {"chat"}
    assert [request.is_stream for request in house.requests] == [False, False, True, True, True]
    assert ModelCall.objects.filter(stage="model_test").count() == 5
    save(admin, house.base_url, model="another")
    assert steps(admin) == {}, "what was found of another model"


def test_the_protocol_is_found_by_itself(admin, house):
    save(admin, house.base_url)
    house.refuses_parameter("messages")  # chat completions
    good(house)
    admin.post(f"{PAGE}/test")
    assert set(steps(admin).values()) == {"works"}
    assert server.current().wire == "responses"
    assert "Responses" in admin.get(PAGE).text


def test_a_server_without_structured_answers_works_with_limits(admin, house):
    save(admin, house.base_url)
    house.refuses_parameter("format")
    good(house)
    admin.post(f"{PAGE}/test")
    assert steps(admin)["Structured answer"] == "limited"
    assert "takes no schema" in admin.get(PAGE).text


def test_a_model_that_calls_no_tool_is_told(admin, house):
    save(admin, house.base_url)
    for _ in range(2):  # by either protocol
        script = house.on("model_test").text("Hello").json({"name": "Pear", "is_sweet": True})
        script.text("5").text("One")
    admin.post(f"{PAGE}/test")
    found = steps(admin)
    assert (found["Tool call"], found["Stream"]) == ("failed", "works")
    assert "without calling the tool" in admin.get(PAGE).text


def test_a_refusal_is_told_in_our_words_and_ends_the_test(admin, house):
    save(admin, house.base_url)
    house.on("model_test").status(401, message=f"Wrong key {KEY}", code="invalid_api_key")
    admin.post(f"{PAGE}/test")
    page = admin.get(PAGE).text
    found = steps(admin)
    assert (found["Text"], found["Stream"]) == ("failed", "not tried")
    assert "the key was refused (HTTP 401" in page
    assert "Wrong key" not in page
    assert len(house.requests) == 2  # a text by each protocol


def test_nobody_at_the_address_is_told(admin, house):
    save(admin, f"http://127.0.0.1:{free_port()}/v1")
    admin.post(f"{PAGE}/test")
    assert steps(admin)["Text"] == "failed"
    assert "no connection" in admin.get(PAGE).text


def test_a_key_stays_at_its_own_address(admin, house):
    save(admin, house.base_url)
    save(admin, house.base_url, key="", model="larger")
    assert (server.current().key, server.current().model) == (KEY, "larger")
    save(admin, "https://elsewhere.example/v1", key="")
    assert server.current().key == ""
    assert Access.objects.order_by("-began_at").first().about["key"] == "none"


def test_a_server_can_be_removed_with_its_key_and_saved_again(admin, house):
    save(admin, house.base_url)
    assert admin.post(f"{PAGE}/clear").status_code == 303
    assert not Llm().is_configured
    page = admin.get(PAGE).text
    assert "basic mode" in page
    assert f'value="{house.base_url}"' in page
    assert ModelServer.objects.get().sealed_key == ""
    assert [access.about.get("change") for access in Access.objects.order_by("began_at")] == [
        *(None, "server removed, with its key")
    ]
    save(admin, house.base_url, key="")
    assert Llm().is_configured


def test_the_environment_wins_and_the_page_says_so(admin, house, settings):
    save(admin, house.base_url)
    settings.OPENAI_BASE_URL, settings.LLM_WIRE = "http://127.0.0.1:1/v1", "chat"
    assert server.current().base_url == "http://127.0.0.1:1/v1"
    assert "The environment names a server" in admin.get(PAGE).text


def test_a_key_under_another_secret_is_asked_for_again(admin, house, settings, caplog):
    own, settings.SECRET_KEY = settings.SECRET_KEY, "another-secret-" + "y" * 50
    server.save(provider="openai", base_url="", model="", key=KEY)
    settings.SECRET_KEY = own
    assert "Enter the key again" in admin.get(PAGE).text
    assert not Llm().is_configured
    assert "SECRET_KEY has changed" in caplog.text
    settings.SECRET_KEY_FALLBACKS = ["another-secret-" + "y" * 50]
    row = ModelServer.objects.get()
    assert server.key_of(row) == KEY
    settings.SECRET_KEY_FALLBACKS = []
    assert server.key_of(row) is None
    caplog.clear()
    save(admin, "", provider="openai", model="")
    assert server.current().key == KEY
    assert "SECRET_KEY has changed" not in caplog.text


NOT_USED = (
    ({"base_url": ""}, "needs its address"),
    ({"base_url": "ftp://a/v1"}, "starts with http"),
    ({"base_url": "http://me:word@a/v1"}, "without a password"),
    ({"base_url": "http://[::1/v1"}, "starts with http"),
    ({"base_url": "http://a/v1?x=1"}, "starts with http"),
    ({"model": ""}, "Name the model"),
    ({"model": "a b"}, "without blanks"),
    ({"key": "sk\r\nX-Evil: 1"}, "without blanks"),
    ({"provider": "openai", "base_url": "", "key": ""}, "OpenAI needs a key"),
    ({"provider": "openai"}, "OpenAI needs no address"),
)


def test_what_cannot_be_used_is_told_at_its_field(admin):
    for fields, told in NOT_USED:
        answer = save(admin, "http://localhost:8080/v1", **fields)
        assert answer.status_code == 422, (fields, told)
        assert told in answer.text
        assert KEY not in answer.text
        assert not ModelServer.objects.exists()


def test_a_preset_needs_no_address(admin, house):
    save(admin, "", provider="ollama", model="llama3.2", key="")
    assert server.current().base_url == "http://127.0.0.1:11434/v1"
    save(admin, "", provider="openai", model="")
    assert server.current() == server.Server("", KEY, "responses", "")


@pytest.mark.breaking
def test_every_process_takes_what_was_saved_without_a_restart(tmp_path):
    with running(with_data(tmp_path)) as up:
        password = re.search(r"First admin: +admin@localhost, password (\S+)", up.output)[1]
        admin, person = Person(up), Person(up).start()
        assert person.answer_to("I write reports for the council.")
        with ScriptedServer() as scripted:
            scripted.default_survey()
            posted(admin, "/accounts/login/", login="admin@localhost", password=password)
            address = scripted.base_url
            posted(admin, PAGE, provider="other", base_url=address, model="house", key=KEY)
            time.sleep(server.LOOK_S)  # what a process may take to hear of it
            assert person.answer_to("I also plan the week.")
            assert {request.model for request in scripted.requests if request.wire == "chat"} == {
                "house"
            }
        assert KEY not in up.output
        assert up.end(signal.SIGINT) == 0, up.output


def posted(person, address, **fields):
    """Sends a form of a page of its own."""
    person.ask("GET", address)
    sent = urlencode({"csrfmiddlewaretoken": person.cookies["csrftoken"], **fields})
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    status, told = person.ask("POST", address, sent, kind)
    assert status in {302, 303}, told
