"""A guide of another package is found when it is installed: the example of the documents."""

import re
import shutil
import sys
import time
import tomllib
from pathlib import Path

import httpx2
import pytest

from futura import guide_packages
from tests.scripted import ScriptedServer
from tests.stack import Stack, running_stack

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "guide-example"
PACKAGE = "futura_guide_duck"
MOST_LINES = 150
ANSWER_S = 20


@pytest.fixture
def site(tmp_path) -> Path:
    """A folder with the example in it, as an installer leaves it there."""
    shutil.copytree(EXAMPLE / PACKAGE, tmp_path / PACKAGE)
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    metadata = tmp_path / f"{PACKAGE}-{project['version']}.dist-info"
    metadata.mkdir()
    name, version = project["name"], project["version"]
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8"
    )
    [(group, points)] = project["entry-points"].items()
    lines = [f"[{group}]", *(f"{point} = {value}" for point, value in points.items())]
    (metadata / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def test_without_other_packages_there_are_no_other_guides():
    assert guide_packages.app_configs() == []
    assert guide_packages.urlconfs() == []


def test_an_installed_package_is_found_by_its_entry_point(site, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])
    assert guide_packages.app_configs() == [f"{PACKAGE}.apps.DuckConfig"]
    assert guide_packages.urlconfs() == [("duck", f"{PACKAGE}.urls")]


def test_the_example_is_small():
    files = [file for file in EXAMPLE.rglob("*.py") if "build" not in file.parts]
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(lines) < MOST_LINES


@pytest.mark.thorough
def test_one_talks_to_an_installed_guide_over_http(site):
    with (
        ScriptedServer() as model,
        running_stack(make=lambda folder: Stack(folder, model, python_path=site)) as stack,
        httpx2.Client(base_url=stack.url, follow_redirects=True) as person,
        httpx2.Client(base_url=stack.url) as stranger,
    ):
        model.on("duck_question").text("Since when does it not start?")
        begin = person.get("/guides/duck/")
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', begin.text)[1]
        talk = person.post("/guides/duck/", data={"csrfmiddlewaretoken": token})
        assert "What did you expect to happen?" in _awaited(person, talk.url, "expect to happen")
        send = re.search(r'data-composer.*?action="([^"]+)"', talk.text, re.DOTALL)[1]
        fields = {"text": "The pump does not start.", "csrfmiddlewaretoken": token}
        assert person.post(send, data=fields).status_code == 200
        page = _awaited(person, talk.url, "Since when does it not start?")
        assert "The pump does not start." in page
        assert stranger.get(str(talk.url)).status_code == 404


def _awaited(person: httpx2.Client, url, text: str) -> str:
    """The page, once it has a text."""
    deadline = time.monotonic() + ANSWER_S
    while text not in (page := person.get(url).text):
        assert time.monotonic() < deadline, page
        time.sleep(0.1)
    return page
