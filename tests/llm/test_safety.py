"""What the gateway keeps to itself, and what it refuses to do."""

from __future__ import annotations

import gc
import logging
import os
import threading
import warnings

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection, connections, transaction
from django.urls import reverse

from futura.errors import ModelUnavailable
from futura.llm import database, loop
from futura.llm.client import Llm
from futura.llm.database import CalledInsideTransaction
from futura.llm.models import ModelCall
from tests.llm.conftest import HELLO, outcomes


@pytest.mark.django_db
def test_without_a_configuration_every_call_gives_way_to_the_rules(settings, llm):
    settings.OPENAI_API_KEY = settings.OPENAI_BASE_URL = ""
    assert not llm.is_configured
    with pytest.raises(ModelUnavailable) as caught:
        llm.stream_text("response", HELLO)
    assert caught.value.reason == "not_configured"
    with pytest.raises(ModelUnavailable):
        llm.embed(["a"], model="m")


@pytest.mark.django_db
def test_an_address_alone_is_a_configuration(settings, scripted, llm):
    settings.OPENAI_API_KEY = ""
    scripted.on("response").text("Hello.")
    assert llm.is_configured
    assert "".join(llm.stream_text("response", HELLO)) == "Hello."


@pytest.mark.django_db
def test_an_unknown_stage_is_a_programming_error(scripted, llm):
    with pytest.raises(KeyError, match="No app has a stage 'respnse'"):
        llm.stream_text("respnse", HELLO)


@pytest.mark.django_db
def test_a_call_inside_a_transaction_is_a_programming_error(scripted, llm):
    scripted.on().text("No.")
    texts = llm.stream_text("response", HELLO)
    with transaction.atomic():
        with pytest.raises(CalledInsideTransaction):
            llm.stream_text("response", HELLO)
        with pytest.raises(CalledInsideTransaction):
            next(texts)
    assert scripted.requests == []


@pytest.mark.django_db(transaction=True)
def test_no_database_connection_is_held_while_waiting(scripted, llm):
    mine = connections["default"]
    assert User.objects.count() == 0
    assert mine.connection is not None
    held = []

    def answer(request):
        held.append(mine.connection)
        return "Hello."

    scripted.on("response").text(answer)
    assert list(llm.stream_text("response", HELLO)) == ["Hello."]
    assert held == [None]


@pytest.mark.django_db(transaction=True)
def test_what_is_booked_waits_for_a_database_that_restarts_but_not_for_ever():
    tries = []

    def work():
        tries.append(1)
        if len(tries) < 3:
            raise OperationalError("the database system is starting up")
        return "kept"

    assert database.outlasting(work, patience_s=20) == "kept"
    tries.clear()
    with pytest.raises(OperationalError):
        database.outlasting(work, patience_s=0.1)
    assert tries == [1]


@pytest.mark.django_db
@pytest.mark.usefixtures("either_wire")
def test_neither_secrets_nor_words_reach_log_or_ledger(scripted, llm, caplog, settings):
    caplog.set_level(logging.INFO)
    key = settings.OPENAI_API_KEY
    echo = f"Incorrect key {key}: whispered-secret-words"
    scripted.on("response").status(401, message=echo)
    with pytest.raises(ModelUnavailable) as caught:
        list(llm.stream_text("response", HELLO))
    scripted.on("response").text("A spoken-secret-answer.")
    list(llm.stream_text("response", HELLO))
    kept = caplog.text + str(list(ModelCall.objects.values())) + str(caught.value)
    for secret in (key, "whispered-secret-words", "spoken-secret-answer"):
        assert secret not in kept
    assert "stage=response" in caplog.text
    assert f"run={llm.run_id}" in caplog.text
    assert "outcome=unauthorised" in caplog.text


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_a_hundred_streams_share_one_thread_and_leave_nothing_open(scripted):
    scripted.on("response").text("word " * 40, chunk_delay_s=0.005)
    before = {*threading.enumerate()}
    texts, errors = [], []

    def one():
        try:
            texts.append("".join(Llm().stream_text("response", HELLO)))
        except ModelUnavailable as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=one) for _ in range(100)]
    for thread in threads:
        thread.start()
    assert scripted.wait_for_requests(100)
    assert [thread.name for thread in threading.enumerate()].count("model-calls") == 1
    for thread in threads:
        thread.join(30)
    assert errors == []
    assert set(texts) == {"word " * 40}
    assert outcomes() == ["ok"] * 100
    loop.shutdown()
    gc.collect()
    left = [thread.name for thread in {*threading.enumerate()} - before]
    assert [name for name in left if not name.startswith("pool-")] == []  # the database's


@pytest.mark.django_db
def test_the_loop_starts_anew_after_it_was_shut_down(scripted, llm):
    scripted.on().text("Hello.")
    list(llm.stream_text("response", HELLO))
    loop.shutdown()
    assert "".join(llm.stream_text("response", HELLO)) == "Hello."


@pytest.mark.django_db
def test_staff_can_look_at_the_ledger_but_not_change_it(scripted, llm, client):
    scripted.on().text("Hello.")
    list(llm.stream_text("response", HELLO))
    client.force_login(User.objects.create_superuser("root", "root@example.org", "x"))
    page = client.get(reverse("admin:llm_modelcall_changelist"))
    assert page.status_code == 200
    assert b"gpt-4o" in page.content
    assert client.get(reverse("admin:llm_modelcall_add")).status_code == 403
    one = reverse("admin:llm_modelcall_change", args=[ModelCall.objects.get().pk])
    assert client.get(one).status_code == 200
    assert client.post(one, {"stage": "x"}).status_code == 403


def test_a_forked_process_gets_a_loop_of_its_own():
    async def answer():
        return os.getpid()

    assert loop.submit(answer()).result(5) == os.getpid()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # forking beside threads, on purpose
        child = os.fork()
    if child == 0:
        os._exit(0 if loop.submit(answer()).result(5) == os.getpid() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    loop.shutdown()
