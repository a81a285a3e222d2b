"""`manage.py up` as a person runs it: a real process, its children, and their end."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from futura.embedded import addresses, services
from futura.embedded.folder import redis_binary
from tests import tables
from tests.breaking.person import Person, until
from tests.platform import processes
from tests.stack import free_port

PROJECT = Path(__file__).resolve().parents[2]


class Up:
    """A running `manage.py up`."""

    def __init__(self, data_dir, port=None, options=()):
        self.data_dir = data_dir
        self.port = port or free_port()
        self.process = subprocess.Popen(
            [*command(data_dir, self.port), *options],
            cwd=PROJECT,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.output = ""
        self._ready = threading.Event()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self):
        assert self.process.stdout is not None
        with self.process.stdout as output:
            for line in output:
                self.output += line
                if "Ctrl-C stops everything" in line:
                    self._ready.set()
        self._ready.set()

    def await_ready(self):
        assert self._ready.wait(120)
        assert self.process.poll() is None, self.output
        return self

    def end(self, number):
        self.process.send_signal(number)
        return self.exit_code()

    def exit_code(self):
        code = self.process.wait(60)
        self._reader.join()
        return code

    def readiness(self):
        """The status of /readyz; 0 while nothing answers."""
        try:
            with urllib.request.urlopen(f"http://localhost:{self.port}/readyz") as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def pid_of(self, name):
        """The process that calls itself so."""
        [pid] = [
            pid
            for pid in processes.of_folder(self.data_dir)
            if Path(f"/proc/{pid}/comm").read_text().strip() == name
        ]
        return pid


def command(data_dir, port):
    return [
        *(sys.executable, "manage.py", "up"),
        *("--data-dir", str(data_dir), "--port", str(port)),
    ]


def environment():
    hidden = ("FUTURA_", "OPENAI_", "DATABASE_", "REDIS_", "SECRET_", "EMAIL_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    return kept | {"FUTURA_ENV_FILE": "none"}


def refusal(data_dir, port):
    """What a start that cannot be says; it must be one sentence and a failure."""
    done = subprocess.run(
        command(data_dir, port),
        cwd=PROJECT,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    return done.stderr


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory):
    """The folder that all starts of this module share, with data in it."""
    return with_data(tmp_path_factory.mktemp("up"))


def with_data(data_dir):
    """A folder in which an earlier start has made the tables."""
    tables.copy_to(data_dir)
    return data_dir


@contextmanager
def running(data_dir, options=()):
    """A product that is ready; whatever is left of it in the end is ended."""
    product = Up(data_dir, options=options)
    try:
        yield product.await_ready()
    finally:
        if product.process.poll() is None:
            product.process.kill()
        product.exit_code()
        processes.await_none(data_dir)


@pytest.fixture
def up(data_dir):
    with running(data_dir) as product:
        yield product


@pytest.mark.breaking
def test_it_answers_and_refuses_a_second_one_and_stops_clean_and_finds_its_data_again(tmp_path):
    data_dir = tmp_path / "with blanks"
    with running(data_dir) as first:
        with urllib.request.urlopen(f"http://localhost:{first.port}/readyz") as answer:
            assert answer.status == 200
        password = re.search(r"First admin: +admin@localhost, password (\S+)", first.output)
        assert password is not None
        assert "Preparing the database." in first.output
        assert password[1] not in "".join(
            file.read_text(errors="replace") for file in (data_dir / "log").iterdir()
        )
        assert "already runs" in refusal(data_dir, free_port())
        assert "taken" in refusal(tmp_path / "other", first.port)
        assert first.end(signal.SIGINT) == 0, first.output
        processes.await_none(data_dir)

    with running(data_dir) as second:
        assert "First admin" not in second.output
        assert "Preparing the database." not in second.output
        assert second.end(signal.SIGTERM) == 0, second.output
        processes.await_none(data_dir)


@pytest.mark.breaking
def test_nothing_is_left_when_it_is_killed_itself(up):
    up.end(signal.SIGKILL)
    processes.await_none(up.data_dir)


# Parts that die ----------------------------------------------------------------------------------
def _a_service(pid_of):
    return lambda up: pid_of(up.data_dir)


def _postgres_pid(data_dir):
    return int((data_dir / "postgres" / "postmaster.pid").read_text().split("\n")[0])


PARTS = {
    "web": lambda up: up.pid_of("web"),
    "turns-1": lambda up: up.pid_of("turns-1"),
    "turns-2": lambda up: up.pid_of("turns-2"),
    "jobs": lambda up: up.pid_of("jobs"),
    "PostgreSQL": _a_service(_postgres_pid),
    "Redis": lambda up: up.pid_of(redis_binary().name),
    "The keeper of the services": lambda up: processes.parent_of(_postgres_pid(up.data_dir)),
}


@pytest.fixture(scope="module")
def lasting_up(tmp_path_factory):
    """A product whose parts are killed one after the other, and which is to outlast them all."""
    data_dir = with_data(tmp_path_factory.mktemp("lasting"))
    with running(data_dir) as product:
        yield product
        assert product.process.poll() is None, product.output
        assert product.end(signal.SIGINT) == 0, product.output
        processes.await_none(data_dir)


@pytest.mark.breaking
@pytest.mark.parametrize("part", PARTS)
def test_a_part_that_is_killed_is_started_again_and_the_talk_goes_on(lasting_up, part):
    up = lasting_up
    person = Person(up).start()
    victim = PARTS[part](up)
    os.kill(victim, signal.SIGKILL)
    until(lambda: f"{part} ended (" in up.output)
    assert "it is started again in" in up.output.partition(f"{part} ended (")[2]
    until(lambda: _pid_or_none(part, up) not in {None, victim})
    until(lambda: up.readiness() == 200)
    assert person.answer_to("I write reports for the council.")


def _has_ended_times(up, part, times):
    return up.output.count(f"{part} ended (killed by SIGKILL)") == times


def _pid_or_none(part, up):
    try:
        return PARTS[part](up)
    except (ValueError, OSError):
        return None


@pytest.mark.breaking
def test_a_page_asked_for_while_the_web_process_is_away_is_answered_when_it_is_back(lasting_up):
    os.kill(PARTS["web"](lasting_up), signal.SIGKILL)
    with urllib.request.urlopen(f"http://localhost:{lasting_up.port}/survey") as answer:
        assert answer.status == 200


@pytest.mark.breaking
def test_a_part_that_dies_five_times_within_a_minute_ends_it_with_the_reason(up):
    for death in range(1, 6):
        until(lambda: _pid_or_none("jobs", up))
        os.kill(PARTS["jobs"](up), signal.SIGKILL)
        until(partial(_has_ended_times, up, "jobs", death))
    assert up.exit_code() == 1
    assert "jobs ended (killed by SIGKILL), 5 times within 60 s." in up.output
    processes.await_none(up.data_dir)


@pytest.mark.thorough
def test_a_port_taken_by_a_stranger_is_refused_before_anything_is_made(tmp_path):
    with socket.socket() as stranger:
        stranger.bind(("127.0.0.1", 0))
        stranger.listen()
        port = stranger.getsockname()[1]
        assert f"Port {port} is taken" in refusal(tmp_path / "new", port)
    assert not (tmp_path / "new" / "postgres").exists()


@pytest.mark.thorough
def test_a_data_folder_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    assert str(tmp_path / "file") in refusal(tmp_path / "file", free_port())


@pytest.mark.thorough
def test_data_that_cannot_be_written_are_named_with_the_room_that_is_left(tmp_path):
    (with_data(tmp_path) / "indexes").write_text("")
    (line,) = refusal(tmp_path, free_port()).splitlines()
    assert f"could not be made ready: [Errno 17] File exists: '{tmp_path / 'indexes'}'" in line
    assert re.search(r" \(\d+ MB are free on its disk\)\.$", line)


def test_a_word_for_a_port_is_refused(tmp_path):
    done = subprocess.run(
        command(tmp_path, "eighty"), cwd=PROJECT, env=environment(), capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "is no port" in done.stderr


@pytest.mark.thorough
def test_a_command_names_the_folder_in_which_it_begins_anew(tmp_path):
    data_dir = tmp_path / "data"
    done = subprocess.run(
        [sys.executable, "manage.py", "ledger", "verify"],
        cwd=PROJECT,
        env=environment() | {"FUTURA_DATA_DIR": str(data_dir)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr == f"Making a new home for the data in {data_dir} …\n"


def test_data_that_a_later_version_has_changed_are_left_alone(db):
    MigrationRecorder(connection).record_applied("chat", "9999_of_next_year")
    with pytest.raises(CommandError, match="A later version of Futura"):
        call_command("ledger", "verify")


@pytest.mark.thorough
def test_a_start_leaves_alone_what_a_later_version_has_changed(tmp_path):
    data_dir = with_data(tmp_path)
    use = services.use(data_dir)
    with psycopg.connect(addresses.database_url(data_dir)) as database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied)"
            " VALUES ('chat', '9999_of_next_year', now())"
        )
    use.leave()
    assert "A later version of Futura has changed these data" in refusal(data_dir, free_port())
