"""Reading the environment, and what the settings refuse to start with."""

import ast
import itertools
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from environs import EnvError

from futura import env
from futura.embedded import addresses
from tests.extent import some

PROJECT = Path(__file__).resolve().parents[2]
PRODUCTION = {
    "DATABASE_URL": "postgresql://futura:pass%40word@db.example:5433/futura",
    "REDIS_URL": "redis://redis.example:6379/1",
    "SECRET_KEY": "b8J2xq0ZfW7n4LrT1sVdYpGc6MhKu3EoRiAaNtQmXeHy5UwPzS",
    "FUTURA_URL": "https://futura.example",
    "FUTURA_ENV_FILE": "none",
}


def manage(*arguments, tmp_path, **environment):
    """Runs a management command with exactly this environment."""
    return subprocess.run(
        [sys.executable, "-W", "error", str(PROJECT / "manage.py"), *arguments],
        env={
            "PATH": os.environ["PATH"],
            "FUTURA_DATA_DIR": str(tmp_path),
            "FUTURA_ENV_FILE": "none",
            **environment,
        },
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_secret_is_read_from_the_file_that_is_named(monkeypatch, tmp_path):
    (tmp_path / "key").write_text("  from the file\n")
    monkeypatch.setenv("SOME_KEY", "from the environment")
    assert env.secret("SOME_KEY") == "from the environment"
    monkeypatch.setenv("SOME_KEY_FILE", str(tmp_path / "key"))
    assert env.secret("SOME_KEY") == "from the file"


def test_a_secret_file_that_cannot_be_read_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("SOME_KEY_FILE", str(tmp_path / "missing"))
    with pytest.raises(ImproperlyConfigured, match=r"SOME_KEY_FILE .*missing"):
        env.secret("SOME_KEY")


def test_an_address_of_a_wrong_kind_is_refused_without_showing_it(monkeypatch):
    monkeypatch.setenv("SOME_URL", "mysql://user:hidden@host/db")
    with pytest.raises(ImproperlyConfigured, match="SOME_URL") as refused:
        env.address("SOME_URL", schemes={"postgresql"})
    assert "hidden" not in str(refused.value)


def test_a_mail_address_gives_server_login_and_security(monkeypatch):
    monkeypatch.setenv("SOME_MAIL", "smtp+tls://me%40x.org:p%2Fw@mail.example")
    assert env.mail_server("SOME_MAIL") == env.MailServer(
        host="mail.example", port=587, user="me@x.org", password="p/w", security="starttls"
    )
    monkeypatch.delenv("SOME_MAIL")
    assert env.mail_server("SOME_MAIL") is None


def test_the_local_secret_is_made_once_and_kept_private(tmp_path):
    first = env.local_secret(tmp_path / "new")
    assert env.local_secret(tmp_path / "new") == first
    assert len(first) >= 50
    assert (tmp_path / "new" / "secret_key").stat().st_mode & 0o777 == 0o600


def test_a_database_address_becomes_django_settings():
    settings = addresses.django_database(PRODUCTION["DATABASE_URL"] + "?sslmode=require")
    assert (settings["USER"], settings["PASSWORD"], settings["HOST"], settings["PORT"]) == (
        "futura",
        "pass@word",
        "db.example",
        "5433",
    )
    assert settings["OPTIONS"]["sslmode"] == "require"
    assert settings["CONN_MAX_AGE"] == 0
    two = addresses.django_database("postgresql://u:p#w@one:5433,two:5434/x")
    assert (two["HOST"], two["PORT"], two["PASSWORD"]) == ("one,two", "5433,5434", "p#w")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://:pw@host:6379/2", "redis://:pw@host:6379/2"),
        ("unix:///run/r.sock?db=3", "redis+socket:///run/r.sock?virtual_host=3"),
        ("unix:///run/r.sock", "redis+socket:///run/r.sock?virtual_host=0"),
    ],
)
def test_celery_gets_the_same_redis_in_its_own_spelling(url, expected):
    assert addresses.celery_url(url) == expected


def test_sockets_of_long_or_odd_folders_lie_in_a_short_plain_one(tmp_path):
    odd = tmp_path / "a folder, with marks"
    long = tmp_path / ("x" * 90)
    for folder in (odd, long):
        place = str(addresses.socket_dir(folder))
        assert len(place) < 80
        assert re.fullmatch(r"[\w./-]+", place)
    assert addresses.socket_dir(odd) != addresses.socket_dir(long)
    assert addresses.socket_dir(Path("/srv/futura")) == Path("/srv/futura/run")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"SECRET_KEY": ""}, "SECRET_KEY"),
        ({"SECRET_KEY": "change-me"}, "SECRET_KEY"),
        ({"SECRET_KEY": "short"}, "SECRET_KEY"),
        ({"FUTURA_URL": ""}, "FUTURA_URL"),
        ({"FUTURA_URL": "futura.example"}, "FUTURA_URL"),
        ({"FUTURA_URL": "https://example.org/futura"}, "FUTURA_URL"),
        ({"DATABASE_URL": "sqlite:///x"}, "DATABASE_URL"),
        ({"DATABASE_URL": "postgresql://u:a b@h/x"}, "DATABASE_URL"),
        ({"OPENAI_BASE_URL": "localhost:8080/v1"}, "OPENAI_BASE_URL"),
        ({"OPENAI_BASE_URL": "http://[::1/v1"}, "OPENAI_BASE_URL"),
        ({"FUTURA_DEBUG": "perhaps"}, "FUTURA_DEBUG"),
        ({"FUTURA_WIRE": "carrier-pigeon"}, "FUTURA_WIRE"),
    ],
)
def test_production_refuses_to_start_and_names_the_variable(change, named, monkeypatch):
    for name, value in {**PRODUCTION, **change}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises((ImproperlyConfigured, EnvError), match=named):
        runpy.run_path(str(PROJECT / "futura" / "settings.py"))


def test_earlier_keys_count_after_a_change_of_the_secret_key(monkeypatch, tmp_path):
    (tmp_path / "earlier").write_text("one-earlier-key another\n")
    for name, value in PRODUCTION.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("SECRET_KEY_FALLBACKS_FILE", str(tmp_path / "earlier"))
    settings = runpy.run_path(str(PROJECT / "futura" / "settings.py"))
    assert settings["SECRET_KEY_FALLBACKS"] == ["one-earlier-key", "another"]


def test_a_refusal_is_one_sentence_on_the_command_line(tmp_path):
    done = manage("check", tmp_path=tmp_path, **{**PRODUCTION, "SECRET_KEY": ""})
    assert done.returncode == 1
    assert done.stderr.startswith("manage.py: SECRET_KEY is missing")
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.fixture
def bare():
    """The address of a database without the extension, for a role that may not make it there."""
    address = urlsplit(addresses.database_url(settings.DATA_DIR))
    with psycopg.connect(address.geturl(), autocommit=True) as connection:
        connection.execute("CREATE ROLE ordinary LOGIN")
        connection.execute("CREATE DATABASE bare OWNER ordinary TEMPLATE template0")
        try:
            user = address.netloc.replace("postgres", "ordinary")
            yield address._replace(netloc=user, path="/bare").geturl()
        finally:
            connection.execute("DROP DATABASE bare WITH (FORCE)")
            connection.execute("DROP ROLE ordinary")


@pytest.mark.thorough
def test_a_database_without_the_extension_or_none_at_all_is_one_sentence(bare, tmp_path):
    """Of the extension, it says what an administrator does."""
    done = manage("migrate", tmp_path=tmp_path, **{**PRODUCTION, "DATABASE_URL": bare})
    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 1
    assert "CREATE EXTENSION vector" in done.stderr
    assert "permission denied" in done.stderr

    gone = bare.replace("/bare", "/nowhere")
    code = """if True:
        from django.db import connection
        pool = connection.settings_dict["OPTIONS"]["pool"]
        pool["timeout"] = pool["reconnect_timeout"] = 1  # in production it waits longer
        connection.cursor()
    """
    asked = ("shell", "--no-imports", "-c", code)
    done = manage(*asked, tmp_path=tmp_path, **{**PRODUCTION, "DATABASE_URL": gone})
    assert done.returncode == 1
    assert "nowhere" in done.stderr
    assert "does not exist" in done.stderr
    # the pool may log once more that it tried
    assert "\nmanage.py: the database cannot be used" in f"\n{done.stderr}"
    assert "Traceback" not in done.stderr


@pytest.mark.django_db
def test_a_statement_that_takes_too_long_is_no_database_that_is_away(monkeypatch):
    code = "from django.db import connection; connection.cursor().execute('SELECT pg_sleep(60)')"
    connection.cursor().execute("SET LOCAL statement_timeout = 1")
    monkeypatch.setattr(sys, "argv", ["manage.py", "shell", "-v", "0", "-c", code])
    with pytest.raises(SystemExit, match=r"the database broke this off.*statement timeout"):
        runpy.run_path("manage.py", run_name="__main__")


@pytest.mark.thorough
@pytest.mark.parametrize("name", some(["FUTURA_EMBEDDINGS", "FUTURA_TOKENISER"], 2))
def test_what_only_some_turns_need_stops_the_start_where_it_cannot_be_used(name, tmp_path):
    done = manage("check", tmp_path=tmp_path, **PRODUCTION, **{name: "/nowhere"})
    assert done.returncode == 1
    assert done.stderr.startswith(f"manage.py: {name}")
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.thorough
def test_the_deployment_check_is_clean_in_production(tmp_path):
    done = manage("check", "--deploy", "--fail-level", "WARNING", tmp_path=tmp_path, **PRODUCTION)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout
    assert done.stderr == ""
    assert not (tmp_path / "secret_key").exists()


@pytest.mark.thorough
def test_a_process_starts_without_what_only_some_need(tmp_path):
    heavy = "{'openai', 'twisted', 'scipy.optimize', 'torch'}"
    code = f"import sys, futura.urls; print(sorted({heavy} & {{*sys.modules}}))"
    done = manage("shell", "--no-imports", "-c", code, tmp_path=tmp_path, **PRODUCTION)
    assert done.stdout == "[]\n", done.stderr


class _Reads(ast.NodeVisitor):
    """Collects the names of the variables that a module reads."""

    def __init__(self):
        self.names = set()

    def visit_Call(self, node):
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        owner = ast.unparse(function.value) if isinstance(function, ast.Attribute) else ""
        first = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
        if isinstance(first, str) and (
            owner in {"env", "os.environ"} or name in {"secret", "address", "mail_server", "getenv"}
        ):
            self.names.add(first)
        self.generic_visit(node)


def variables_read():
    reads = _Reads()
    for app in ("futura", "chat", "onet", "tasks"):
        for file in (PROJECT / app).rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            if READING.search(text):
                reads.visit(ast.parse(text))
    return {name for name in reads.names if name.isupper()} - OTHERS


READING = re.compile(r"\b(?:env|environ|secret|address|mail_server|getenv)\b")
# What other packages read; nothing of it is a setting of ours.
OTHERS = {"DJANGO_SETTINGS_MODULE", "OPENBLAS_NUM_THREADS"}


def test_the_example_file_lists_every_variable_read_and_no_other():
    text = (PROJECT / ".env.example").read_text(encoding="utf-8")
    listed = re.findall(r"^#([A-Z][A-Z0-9_]*)=", text, flags=re.MULTILINE)
    assert sorted(listed) == sorted(variables_read())


def test_every_variable_of_the_example_file_has_its_explanation():
    lines = (PROJECT / ".env.example").read_text(encoding="utf-8").splitlines()
    unexplained = [
        line
        for before, line in itertools.pairwise(lines)
        if re.match(r"#[A-Z_]+=", line) and not before.startswith("# ")
    ]
    assert unexplained == []
