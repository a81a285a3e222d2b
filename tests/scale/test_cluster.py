"""Two web processes behind nginx and two workers: one product, whichever part is replaced."""

import json
import socket
import subprocess
import sys
import threading
import time
from functools import partial
from uuid import uuid4

import psycopg
import pytest

from chat.runs.sweep import SILENT_FOR
from futura.embedded import addresses
from futura.embedded.folder import postgres_binaries
from projects.portfolio.entries.limits import UPLOAD_BYTES, UPLOADS_AT_ONCE
from projects.portfolio.intake.extract import LARGEST_BYTES
from tests.scale.cluster import PROJECT
from tests.scale.visitor import OpenPage, Visitor, events_of
from tests.stack import services_redis

pytestmark = pytest.mark.breaking
WORDS = [f"word{number}" for number in range(50)]
ANSWER = " ".join(WORDS) + " and what else?"
AGAIN = "Thank you, that helps. Who reads these reports?"
SAID = "I write reports for the council and review draft laws."


@pytest.fixture
def visitor(cluster):
    """Somebody with a conversation that has been opened."""
    visitor = Visitor(cluster)
    assert visitor.start().status_code == 200
    yield visitor
    visitor.close()


@pytest.fixture
def pages(visitor):
    """Two open pages of one conversation: nginx gives each to another web process."""
    pages = [OpenPage(visitor), OpenPage(visitor)]
    yield pages
    for page in pages:
        page.close()


def _workers(cluster) -> list[str]:
    """The workers for answers; which ones depends on the tests before."""
    return [name for name in cluster.pids() if name.startswith("turns")]


def _logged_ids(cluster, path: str) -> set[str]:
    """Of a path's requests; nginx logs one after the last byte of its answer has left."""
    return {told["request_id"] for told in cluster.requests(path)}


def _replaced(cluster) -> list[str]:
    """Every worker for answers is asked to end while another one starts; those that leave."""
    old = _workers(cluster)
    highest = max(int(name.removeprefix("turns-")) for name in old)
    new = [f"turns-{highest + number}" for number in (1, 2)]
    for name in new:
        cluster.hire(name)
    cluster.ask_to_end(*old)
    for name in new:
        cluster._spawn(name)
    return old


def test_both_processes_stream_one_text_while_a_worker_and_a_web_process_are_replaced(
    cluster, visitor, pages
):
    cluster.scripted.on("response").text(ANSWER, chunk_delay_s=0.08)
    assert visitor.say(SAID).status_code == 202
    for page in pages:
        page.until_shown("word3")
    leaving = _replaced(cluster)
    cluster.restart("web-1")
    assert [page.until_over() for page in pages] == [ANSWER, ANSWER]
    assert sorted(page.connections for page in pages) == [1, 2]
    assert [cluster.await_end(name, within_s=20) for name in leaving] == [0, 0]
    assert [(role, status) for role, status, _text in visitor.messages()] == [
        ("assistant", "complete"),
        ("user", "complete"),
        ("assistant", "complete"),
    ]
    assert visitor.messages()[-1][2] == ANSWER

    # the new workers take up what comes next
    cluster.scripted.on("response").text(AGAIN)
    visitor.say("I also brief journalists.")
    pages[0].until_shown("Who reads these reports?")
    for page in pages:
        page.close()
    two = {f"127.0.0.1:{port}" for port in cluster.ports.values()}
    path = f"/ws/session/{visitor.session_id}"
    cluster.await_true(lambda: two <= set(cluster.upstreams(path)))


def test_an_answer_longer_than_the_grace_is_kept_and_can_be_gone_on_with(cluster, visitor, pages):
    cluster.more["FUTURA_GRACE_S"] = "1"
    for name in _workers(cluster):
        cluster.restart(name)
    cluster.scripted.on("response").text(ANSWER, chunk_delay_s=0.5).text(AGAIN)
    visitor.say(SAID)
    for page in pages:
        page.until_shown("word1")
    cluster.more.clear()
    asked_at = time.monotonic()
    leaving = _replaced(cluster)
    shown = [page.until_over("interrupted") for page in pages]
    took_s = time.monotonic() - asked_at
    assert took_s < SILENT_FOR.total_seconds()  # at once, and not when a reaper comes by
    assert [cluster.await_end(name, within_s=20) for name in leaving] == [0, 0]
    kept = visitor.messages()[-1]
    assert kept[:2] == ("assistant", "interrupted")
    assert shown == [kept[2], kept[2]]
    assert ANSWER.startswith(kept[2])
    assert kept[2]
    page = visitor.http.get(f"/survey/{visitor.session_id}/chat").text
    assert "/continue" in page
    assert "/retry" in page


def test_events_reach_programs_while_the_answer_is_written(cluster, visitor):
    cluster.scripted.on("response").text(ANSWER, chunk_delay_s=0.08)
    address = f"/api/chat/sessions/{visitor.session_id}/events"
    said = threading.Timer(0.2, visitor.say, [SAID])
    tokens = []
    with visitor.http.stream("GET", address) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        said.start()
        for name, body, at in events_of(stream):
            if name == "token":
                tokens.append((body["text"], at))
            if name == "message" and body.get("status") == "complete" and body["text"] == ANSWER:
                break
    said.join()
    assert "".join(text for text, _at in tokens) == ANSWER
    assert len(tokens) > 10
    assert tokens[-1][1] - tokens[0][1] > 0.8  # as it was written, and not in one piece at the end


def test_pages_go_on_while_a_web_process_is_away(cluster, visitor):
    cluster.kill("web-2")
    answers = [visitor.http.get(f"/survey/{visitor.session_id}/chat") for _ in range(12)]
    assert {answer.status_code for answer in answers} == {200}
    ids = {answer.headers["x-request-id"] for answer in answers}
    cluster.await_true(lambda: ids <= _logged_ids(cluster, f"/survey/{visitor.session_id}/chat"))
    cluster.kill("web-1")
    refused = visitor.http.get("/api/todos")
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
    assert refused.json()["error"]["code"] == "unavailable"
    assert visitor.http.get("/").status_code == 503
    for name in ("web-1", "web-2"):
        cluster.start(name)


def test_cookies_and_addresses_are_for_https_only(cluster, visitor):
    cookies = {cookie.name: cookie for cookie in visitor.http.cookies.jar}
    visitor.http.get("/accounts/login/")
    cookies |= {cookie.name: cookie for cookie in visitor.http.cookies.jar}
    assert set(cookies) >= {"futura_participant", "csrftoken"}
    assert all(cookie.secure for cookie in cookies.values())
    page = visitor.http.get("/")
    assert "max-age=31536000" in page.headers["strict-transport-security"]
    assert page.headers["content-encoding"] == "gzip"
    plain = visitor.http.get(f"http://localhost:{cluster.plain_port}/survey?title=Baker")
    assert plain.status_code == 301
    assert plain.headers["location"] == "https://localhost/survey?title=Baker"


def test_an_address_is_the_visitors_own_whatever_it_claims(cluster):
    near, far = Visitor(cluster, source="127.0.0.7"), Visitor(cluster, source="127.0.0.8")
    _forget_rates(cluster)
    for number in range(3):
        near.http.cookies.clear()
        near.start(**{"X-Forwarded-For": f"203.0.113.{number}", "X-Real-IP": "10.1.1.1"})
    far.start()
    assert sorted(_counted(cluster, "start")) == [1, 1, 1, 1, 1, 3]  # four people, two addresses
    near.close()
    far.close()


def test_a_rate_is_one_for_all_processes_and_told_to_programs(cluster, visitor):
    _forget_rates(cluster)
    answers = [visitor.start() for _ in range(12)]
    assert [answer.status_code for answer in answers] == [200] * 10 + [429] * 2
    refused = answers[-1]
    wait_s = int(refused.headers["retry-after"])
    assert 0 < wait_s <= 60
    told = refused.json()["error"]
    assert (told["code"], told["retryAfterMs"]) == ("too_many", wait_s * 1000)
    assert told["message"].startswith(("You can send again in 0:", "You can send again in 1:00"))
    cluster.await_true(lambda: len(set(cluster.upstreams("/api/chat"))) == 2)


def _forget_rates(cluster):
    with _redis(cluster) as client:
        for key in client.scan_iter("rate:*"):
            client.delete(key)


def _counted(cluster, name):
    with _redis(cluster) as client:
        return [client.zcard(key) for key in client.scan_iter(f"rate:{name}:*")]


def _redis(cluster):
    return services_redis(cluster.folder)


@pytest.mark.parametrize(("size", "by"), [(1_500_000, "the product"), (3_000_000, "nginx")])
def test_what_is_too_big_is_refused_by_the_product_as_far_as_it_goes(cluster, visitor, size, by):
    said = {"action": "message", "sessionId": visitor.session_id, "message": "x" * size}
    answer = visitor.http.post("/api/chat", json=said)
    assert answer.status_code == 413
    assert ("error" in answer.text and answer.text.startswith("{")) == (by == "the product")


def test_a_recording_of_twenty_megabytes_gets_through_to_the_product(cluster, visitor):
    address = f"/chat/sessions/{visitor.session_id}/transcribe"
    token = {cookie.name: cookie.value for cookie in visitor.http.cookies.jar}.get("csrftoken")
    if token is None:
        visitor.http.get("/accounts/login/")
        token = {cookie.name: cookie.value for cookie in visitor.http.cookies.jar}["csrftoken"]
    cluster.scripted.on("transcription").text("I mend shoes.")
    answer = visitor.http.post(
        address,
        files={"audio": ("speech.webm", b"\0" * 20_000_000, "audio/webm")},
        headers={"X-CSRFToken": token, "Referer": cluster.url, "Accept": "application/json"},
    )
    assert (answer.status_code, answer.json()) == (200, {"text": "I mend shoes."})


OWN = f"/portfolio/{uuid4()}"


@pytest.mark.parametrize(
    ("address", "size"),
    [
        (f"{OWN}/photo", UPLOAD_BYTES),
        (f"{OWN}/sources/give/resume", LARGEST_BYTES),
        (f"{OWN}/entries/{uuid4()}/pictures", UPLOADS_AT_ONCE * UPLOAD_BYTES),
    ],
)
def test_as_much_as_the_product_takes_at_once_is_let_through_to_it(cluster, address, size):
    """Asked before anything is sent, as programs do."""
    head = f"POST {address} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {size}\r\n"
    with (
        socket.create_connection(("localhost", cluster.tls_port)) as plain,
        cluster.trusting().wrap_socket(plain, server_hostname="localhost") as line,
    ):
        line.sendall(f"{head}Expect: 100-continue\r\n\r\n".encode())
        assert line.recv(1000).startswith(b"HTTP/1.1 100 ")


def test_static_files_are_kept_by_nginx_under_names_that_never_change(cluster, visitor):
    manifest = json.loads((cluster.folder / "static" / "staticfiles.json").read_text())
    address = f"/static/{manifest['paths']['js/composer.js']}"
    first, second = visitor.http.get(address), visitor.http.get(address)
    assert (first.status_code, second.status_code) == (200, 200)
    assert (first.headers["x-cache"], second.headers["x-cache"]) == ("MISS", "HIT")
    assert "immutable" in second.headers["cache-control"]
    assert second.headers["content-encoding"] == "gzip"
    assert second.content == first.content
    assert visitor.http.get("/static/nothing.js").status_code == 404


def test_figures_are_not_for_everybody(visitor):
    assert visitor.http.get("/metrics").status_code == 404


def _health(cluster, *asked):
    done = subprocess.run(
        [sys.executable, "-m", "futura.deploy.health", *asked],
        env=cluster.environment,
        cwd=cluster.folder.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


def test_health_is_what_it_says(cluster):
    port = str(cluster.ports["web-2"])
    assert _health(cluster, "web", "--port", port) == (0, "")
    cluster.kill("web-2")
    code, said = _health(cluster, "web", "--port", port)
    assert code == 1
    assert "no answer" in said
    cluster.start("web-2")


def test_two_versions_at_once_share_their_files(cluster, visitor):
    """While one process is still old, nginx asks the other for a file that it does not have."""
    place = cluster.folder / "static-new"
    cluster.more["FUTURA_STATIC_ROOT"] = str(place)
    cluster.manage("collectstatic", "--noinput", "--verbosity", "0")
    (place / "js" / "only-in-the-new-version.js").write_text("export {};\n")
    cluster.restart("web-2")
    answers = [visitor.http.get("/static/js/only-in-the-new-version.js") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200] * 4
    cluster.more.clear()
    cluster.restart("web-2")


def _documented(tool):
    """The line of the page with a tool's command."""
    page = (PROJECT / "docs" / "how-to" / "back-up.md").read_text(encoding="utf-8")
    return next(line for line in page.splitlines() if line.startswith(f"{tool} "))


def test_a_backup_is_restored_by_an_ordinary_role_into_an_empty_database(cluster, visitor):
    """The steps of docs/how-to/back-up.md, with the tools that came with the server."""
    tools = postgres_binaries()
    dump = cluster.folder / "futura.dump"
    address = addresses.database_url(cluster.folder)
    as_administrator = address.replace("/futura?", "/restored?")
    restored = as_administrator.replace("postgres@", "ordinary@")
    run = partial(subprocess.run, check=True, capture_output=True)
    run([tools / "pg_dump", "--format=custom", f"--file={dump}", address])
    cluster.rows("CREATE ROLE ordinary LOGIN")
    run([tools / "createdb", "--maintenance-db", address, "--owner=ordinary", "restored"])
    with psycopg.connect(as_administrator) as connection:
        connection.execute("CREATE EXTENSION vector")
    _tool, *options, _target, _dump = _documented("pg_restore").split()
    run([tools / "pg_restore", *options, f"--dbname={restored}", dump])
    counted = "SELECT count(*) FROM {}"
    for table in ("chat_message", "chat_run", "onet_taskstatement", "tasks_surveyresponse"):
        (before,) = cluster.rows(counted.format(table))
        with psycopg.connect(restored) as connection:
            assert connection.execute(counted.format(table)).fetchone() == before
            assert before[0] > 0
    cluster.more["DATABASE_URL"] = restored
    assert "No planned migration operations" in cluster.manage("migrate", "--plan")
    assert "as the ledger says" in cluster.manage("ledger", "verify")
    assert "no issues" in cluster.manage("check", "--deploy", "--fail-level", "WARNING")
