"""Image, services and nginx's configuration as written, checked against the product.

They are run where Docker is; here they are parsed, and tests/scale/test_cluster.py runs the
services' commands and nginx's configuration as processes.
"""

import importlib.util
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.management import get_commands, load_command_class
from django.urls import resolve

from futura import heartbeats
from futura.deploy import health
from futura.embedded.addresses import POOL_SIZE
from tests.scale.cluster import PROJECT, TEMPLATE, compose

OURS = ("migrate", "catalogue", "web-1", "web-2", "turns", "jobs", "beat")
THEIRS = ("nginx", "postgres", "redis")


def service(name):
    return compose()["services"][name]


def option(words, name):
    """The value after an option of a command."""
    return words[words.index(name) + 1]


def test_the_services_are_those_of_the_product_and_what_they_stand_on():
    assert sorted(compose()["services"]) == sorted(OURS + THEIRS)
    assert service("turns")["deploy"]["replicas"] == 2
    assert service("beat")["deploy"]["replicas"] == 1


@pytest.mark.parametrize("name", OURS)
def test_every_command_of_a_service_exists(name):
    words = service(name)["command"]
    assert words[0] == "python"
    if words[1] == "manage.py":
        app = get_commands()[words[2]]
        command = load_command_class(app, words[2]) if isinstance(app, str) else app
        command.create_parser("manage.py", words[2]).parse_args(words[3:])
        return
    assert words[1] == "-m"
    assert importlib.util.find_spec(words[2])
    if words[2] == "futura.serving":
        module, _, name = words[-1].partition(":")
        assert hasattr(importlib.import_module(module), name)
        return
    assert words[3:5] == ["-A", "futura"]
    assert words[5] in {"worker", "beat"}


def test_every_queue_has_a_worker_and_no_other():
    queues = {option(service(name)["command"], "-Q") for name in ("turns", "jobs")}
    assert queues == set(heartbeats.QUEUES)


@pytest.mark.parametrize("name", OURS)
def test_every_variable_is_one_that_the_product_reads(name):
    example = (PROJECT / ".env.example").read_text(encoding="utf-8")
    listed = set(re.findall(r"^#([A-Z][A-Z0-9_]*)=", example, flags=re.MULTILINE))
    for variable in service(name)["environment"]:
        plain = variable.removesuffix("_FILE")
        assert plain in listed, variable
        if plain != variable:
            assert re.search(rf"\(secret\)\n(?:# .*\n)*#{plain}=", example), variable


@pytest.mark.parametrize("name", OURS)
def test_what_an_operator_sets_beside_the_file_reaches_every_process(name):
    assert service(name)["env_file"] == [{"path": ".env", "required": False}]
    assert ".env" in (PROJECT / ".gitignore").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", OURS + THEIRS)
def test_what_a_service_names_is_declared(name):
    told, whole = service(name), compose()
    secrets = set(told.get("secrets", ()))
    assert secrets <= set(whole["secrets"])
    for variable, value in told.get("environment", {}).items():
        if variable.endswith("_FILE"):
            assert Path(value).parent == Path("/run/secrets")
            assert Path(value).name in secrets, variable
    for volume in told.get("volumes", ()):
        source = volume.split(":")[0]
        if source.startswith("."):
            assert (PROJECT / source).exists()
        else:
            assert source in whole["volumes"]
    for other, how in told.get("depends_on", {}).items():
        assert other in whole["services"]
        if how["condition"] == "service_healthy":
            assert "healthcheck" in whole["services"][other]


def test_no_secret_stands_in_the_files():
    for file in ("compose.yaml", "Dockerfile"):
        text = (PROJECT / file).read_text(encoding="utf-8")
        assert not re.search(r"(PASSWORD|SECRET_KEY|API_KEY)\s*[:=]\s*[\"']?\w", text)
    ignored = (PROJECT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert "/secrets/" in ignored
    assert all(secret["file"].startswith("./secrets/") for secret in compose()["secrets"].values())


def test_images_of_others_are_pinned_to_a_version():
    for name in THEIRS:
        assert re.search(r":\d", service(name)["image"]), name


def test_health_is_asked_of_what_answers():
    for name in ("web-1", "web-2"):
        asked = service(name)["healthcheck"]["test"]
        assert asked[:3] == ["CMD", "python", "-m"]
        assert importlib.import_module(asked[3]) is health
        assert asked[4] == "web"
    assert resolve("/healthz").url_name == "healthz"
    assert "/healthz" in Path(health.__file__).read_text(encoding="utf-8")
    asked = urlsplit(service("nginx")["healthcheck"]["test"][-1]).path
    assert f"location = {asked} {{" in TEMPLATE.read_text(encoding="utf-8")


def test_nginx_is_given_every_name_it_asks_for_and_finds_both_web_processes():
    asked = set(re.findall(r"\$\{(\w+)\}", TEMPLATE.read_text(encoding="utf-8"))) - {"NGINX_…"}
    given = service("nginx")["environment"]
    assert asked == set(given)
    found = re.findall(r"server ([\d.]+):(\d+) ", given["NGINX_WEB"])
    webs = [service("web-1"), service("web-2")]
    assert found == [
        (web["networks"]["inside"]["ipv4_address"], option(web["command"], "-p")) for web in webs
    ]


def test_the_web_processes_believe_nginx_alone():
    nginx = service("nginx")["networks"]["inside"]["ipv4_address"]
    assert service("web-1")["environment"]["FUTURA_PROXIES"] == nginx
    ports = [name for name in compose()["services"] if "ports" in service(name)]
    assert ports == ["nginx"]


def test_the_grace_ends_before_the_patience_of_docker():
    for name in OURS:
        patience_s = int(service(name)["stop_grace_period"].removesuffix("s"))
        assert float(service(name)["environment"]["FUTURA_GRACE_S"]) + 10 <= patience_s


def test_postgresql_takes_as_many_connections_as_the_processes_may_open():
    processes = sum(
        service(name).get("deploy", {}).get("replicas", 1) for name in OURS if name != "beat"
    )
    words = service("postgres")["command"]
    (most,) = [int(word.partition("=")[2]) for word in words if word.startswith("max_connections")]
    assert most >= processes * POOL_SIZE + 10


# The image -----------------------------------------------------------------------------------


def instructions() -> Iterator[tuple[str, str]]:
    """Name and words of every instruction of the Dockerfile, in order."""
    text = (PROJECT / "Dockerfile").read_text(encoding="utf-8")
    lines = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    for line in lines.replace("\\\n", " ").splitlines():
        if line.strip():
            name, _, words = line.strip().partition(" ")
            yield name, words.strip()


def ignored() -> list[str]:
    text = (PROJECT / ".dockerignore").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def test_the_image_is_built_in_stages_that_exist_on_pinned_bases():
    stages: list[str] = []
    for name, words in instructions():
        if name == "FROM":
            base, _as, stage = words.split()
            assert re.search(r":\d+\.\d+", base)
            stages.append(stage)
        origin = re.match(r"--from=(\S+)", words)
        if name == "COPY" and origin:
            assert origin[1] in stages[:-1]
    assert len(stages) == 2


def test_what_the_image_copies_is_there_and_goes_to_the_builder():
    sent = {line[1:] for line in ignored() if line.startswith("!")}
    for name, words in instructions():
        if name == "COPY" and not words.startswith("--from"):
            for source in shlex.split(words)[:-1]:
                assert (PROJECT / source).exists(), source
                assert source in sent, source
    assert ignored()[0] == "*"
    assert not sent & {".env", ".git", "secrets", "tests", ".futura", ".venv"}


def test_the_image_holds_every_app_of_the_product():
    copied = {
        words.split()[0]
        for name, words in instructions()
        if name == "COPY" and len(words.split()) == 2
    }
    named = {app.partition(".")[0] for app in settings.INSTALLED_APPS}
    ours = {name for name in named if (PROJECT / name).is_dir()}
    assert ours | {"templates", "static"} <= copied
    assert len(ours) >= 4


def test_the_image_runs_as_nobody_special_with_pinned_packages_and_collected_files():
    told = list(instructions())
    runs = [words for name, words in told if name == "RUN"]
    assert any("--constraint constraints.txt" in words for words in runs)
    assert any("collectstatic" in words for words in runs)
    names = [name for name, _words in told]
    (user,) = [words for name, words in told if name == "USER"]
    assert user not in {"root", "0"}
    assert names.index("USER") > max(at for at, name in enumerate(names) if name == "RUN")
    assert "HEALTHCHECK" in names
    assert ("STOPSIGNAL", "SIGTERM") in told


def test_the_image_serves_as_its_services_do():
    (command,) = [words for name, words in instructions() if name == "CMD"]
    assert [word.strip('",[]') for word in command.split()] == service("web-1")["command"]
    (port,) = [words for name, words in instructions() if name == "EXPOSE"]
    assert port == option(service("web-1")["command"], "-p")
