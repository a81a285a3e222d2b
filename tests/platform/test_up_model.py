"""`manage.py up` and a model server on this machine: found by itself, used by one line."""

import re
import shlex
import signal
import socket
import socketserver
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest

from futura.llm import nearby
from tests.breaking.person import Person
from tests.extent import some
from tests.platform import processes
from tests.platform.test_up import PROJECT, environment, running, with_data
from tests.scripted import ScriptedServer
from tests.stack import free_port


@contextmanager
def answering(payload):
    """A server that answers whatever it is asked with these bytes."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self):
            self.request.recv(4096)
            self.request.sendall(payload)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


def listed(body):
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


def search(timeout_s=30.0, **ports):
    asked = {name: ports.get(name) or free_port() for name in nearby.PORTS}
    return nearby.Search(asked, timeout_s=timeout_s).first()


def test_the_first_server_that_has_a_model_is_found_whichever_it_is():
    assert search() is None
    with ScriptedServer() as server:
        assert search(lmstudio=server.port) == ("lmstudio", "scripted")
        assert server.requests[0].wire == "models"
        assert search(llamacpp=server.port, ollama=server.port) == ("ollama", "scripted")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "payload",
    some(
        [
            b"220 mail.example ready\r\n",
            b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
            listed(b"<html>"),
            listed(b"[]"),
            listed(b'{"data": null}'),
            listed(b'{"data": [{"name": "x"}]}'),
            listed(b'{"data": [{"id": "nomic-embed-text"}, {"id": "a; rm -rf \\u001b[2J"}]}'),
            listed(b"[" * 100_000),
        ],
        2,
    ),
)
def test_other_programs_on_these_ports_are_no_model_servers(payload):
    with answering(payload) as port:
        assert search(ollama=port) is None


@pytest.mark.thorough
def test_a_port_that_never_answers_is_not_waited_for():
    with socket.socket() as silent, ScriptedServer() as server:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        began = time.monotonic()
        found = search(1.0, ollama=silent.getsockname()[1], llamacpp=server.port)
        assert found == ("llamacpp", "scripted")
        assert time.monotonic() - began < 10


def test_a_model_is_named_by_its_server():
    ports = nearby.ports_of(["ollama=4000"])
    assert ports == {**nearby.PORTS, "ollama": 4000}
    named = nearby.chosen("ollama:llama3.2:1b", ports)
    assert named == ("llama3.2:1b", "http://127.0.0.1:4000/v1")


@pytest.mark.parametrize(
    "text",
    some(["llama3.2", "ollama:", "vllm:x", "ollama:a b", "x@https://host/v1"], 5),
)
def test_what_names_no_model_is_refused_in_one_sentence(text, tmp_path):
    done = subprocess.run(
        [sys.executable, "manage.py", "up", "--data-dir", str(tmp_path), f"--model={text}"],
        cwd=PROJECT,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "names no model" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


@pytest.mark.breaking
def test_a_start_without_a_model_prints_the_line_that_uses_the_one_nearby(tmp_path, monkeypatch):
    data_dir = with_data(tmp_path)
    with ScriptedServer() as server:
        server.default_survey()
        monkeypatch.setattr(
            "tests.platform.test_up.environment",
            lambda: environment() | {"FUTURA_MODEL_PORTS": f"ollama={server.port}"},
        )
        with running(data_dir) as first:
            line = re.search(r"Ollama is here; to use it: (.+)", first.output)
            assert line is not None, first.output
            person = Person(first).start()
            assert person.answer_to("I write reports for the council.")
            assert [request.wire for request in server.requests] == ["models"]
            assert first.end(signal.SIGINT) == 0, first.output
        options = tuple(shlex.split(line[1])[2:])
        assert options == ("--model", "ollama:scripted")

        with running(data_dir, options) as second:
            assert "to use it" not in second.output
            person = Person(second).start()
            assert person.answer_to("I write reports for the council.")
            asked = [request for request in server.requests if request.wire == "chat"]
            assert {item.model for item in asked} == {"scripted"}
            assert {request.wire for request in server.requests} <= {
                "models",
                "chat",
                "moderations",
            }
            assert second.end(signal.SIGINT) == 0, second.output
            processes.await_none(data_dir)
