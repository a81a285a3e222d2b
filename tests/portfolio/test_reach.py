"""How far reading reaches: git and the web, within limits; pages never reach inside."""

import json
import subprocess
from pathlib import Path

import pytest

from projects.portfolio.intake import git
from projects.portfolio.intake.config import GitHub, RepoConfig, read_list
from projects.portfolio.intake.failures import PreprocessError, Skipped
from projects.portfolio.intake.fetch import (
    COMMAND,
    PUBLIC,
    CannotFetch,
    Place,
    fetch_text,
    is_public,
)
from tests.portfolio.sources import repository, web_of

LIST = [{"repo": "mara/kiln", "projectId": "kiln"}]


def text(body: str, status: int = 200, **headers: str):
    return lambda _request: (status, headers, body.encode())


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.0.1", "169.254.169.254", "0.0.0.0"),
        *("::1", "fe80::1", "fc00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"),
        *("224.0.0.1", "240.0.0.1", "100.64.0.1", "nonsense"),
    ],
)
def test_addresses_inside_are_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"])
def test_addresses_outside_are(address):
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        *("http://example.org/x", "https://127.0.0.1/x", "https://localhost/x", "https://[::1]/"),
        *("https://2130706433/", "file:///etc/passwd", "https://user:secret@example.org/"),
        *(
            "https://example.org:8443/",
            "https://169.254.169.254/latest",
            "ext::sh -c id",
            "https://",
        ),
        "https://example.org\\@127.0.0.1/\n",
    ],
)
def test_pages_reach_public_https_only(url):
    with pytest.raises(PreprocessError, match="PREPROCESS_ADDRESS_REFUSED"):
        PUBLIC.place(url)


def test_pages_read_no_files():
    with pytest.raises(PreprocessError, match="ADDRESS_REFUSED"):
        git.read_readme("/etc", PUBLIC)


def test_a_checked_address_stands_in_place_of_the_name():
    place = Place("https://example.org/a?b=1", "example.org", "93.184.216.34")
    assert place.pinned_url == "https://93.184.216.34/a?b=1"


def test_a_list_is_read_from_an_address_or_a_gist():
    listed = json.dumps(LIST)
    gist = json.dumps({"files": {"a.md": {"content": "x"}, "repos.json": {"content": listed}}})

    def answer(request):
        return 200, {}, (gist if request.path == "/gists/abc123" else listed).encode()

    with web_of(answer) as (address, asked):
        plain = GitHub(portfolioRepoConfigGistUrl=f"{address}/list.json")
        of_gist = GitHub(
            portfolioRepoConfigGistUrl="https://gist.github.com/mara/abc123", apiUrl=address
        )
        for github in (plain, of_gist):
            (found,) = read_list(github, Path("/"), "s3cret")
            assert found.project_id == "kiln"
    assert all(item["authorization"] == "Bearer s3cret" for item in asked)


def test_a_token_stays_with_its_host_when_an_address_moves():
    with (
        web_of(text(json.dumps(LIST))) as (there, asked),
        web_of(text("", 302, Location=f"{there}/moved")) as (here, _),
    ):
        assert json.loads(
            fetch_text(f"{here}/list", COMMAND, headers={"Authorization": "Bearer x"})
        )
    assert "authorization" not in asked[0]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (text("gone", 404), "answered with 404"),
        (text("", 302, Location="/again"), "redirects too often"),
        (lambda _r: (200, {}, b"\xff\xfe\x00"), "no text"),
        (lambda _r: (200, {}, b"x" * 2_100_000), "larger than"),
    ],
)
def test_what_cannot_be_fetched_says_why(answer, told):
    with web_of(answer) as (address, _), pytest.raises(CannotFetch, match=told):
        fetch_text(address, COMMAND)


def test_an_unreachable_list_has_its_code_and_a_hint():
    github = GitHub(portfolioRepoConfigGistUrl="http://127.0.0.1:9/list")
    with pytest.raises(
        PreprocessError, match=r"PREPROCESS_GIST_UNAVAILABLE.*run it again"
    ) as raised:
        read_list(github, Path("/"))
    assert raised.value.retry_helps


def test_repositories_are_found_by_name_address_and_folder(tmp_path):
    places = {
        "mara/kiln": "https://github.com/mara/kiln",
        "https://git.example.org/x.git": "https://git.example.org/x.git",
        "./own": str(tmp_path / "own"),
    }
    for name, place in places.items():
        assert RepoConfig(repo=name, project_id="x").place("https://github.com", tmp_path) == place


def test_the_root_readme_of_a_branch_is_read(tmp_path):
    files = {"docs/README.md": "inner", "readme.txt": "plain", "README.md": "# Marked"}
    bare = repository(tmp_path / "a", files, branch="trunk")
    found = git.read_readme(str(bare), COMMAND, branch="trunk")
    head = subprocess.run(["git", "-C", bare, "rev-parse", "HEAD"], capture_output=True, text=True)
    assert (found.text, found.path, found.commit) == ("# Marked", "README.md", head.stdout.strip())
    with pytest.raises(Skipped, match=r"REPO_NOT_FOUND.*branch main"):
        git.read_readme(str(bare), COMMAND, branch="main")


@pytest.mark.parametrize("branch", ["--upload-pack=touch /tmp/x", "-b", "a..b", "a b", "$(id)"])
def test_no_branch_is_an_option(tmp_path, branch):
    bare = repository(tmp_path / "a", {"README.md": "x"})
    with pytest.raises(Skipped, match="no name of a branch"):
        git.read_readme(str(bare), COMMAND, branch=branch)


def test_nothing_of_a_repository_is_run_and_no_link_is_followed(tmp_path):
    bare = repository(tmp_path / "a", {"x": "y"})
    work = tmp_path / "a-work"
    (work / "README.md").symlink_to("/etc/passwd")
    for words in (
        ["add", "-A"],
        ["-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "link"],
    ):
        subprocess.run(["git", "-C", work, *words], check=True, capture_output=True)
    subprocess.run(
        ["git", "-C", bare, "fetch", "-q", work, "+main:main"], check=True, capture_output=True
    )
    with pytest.raises(Skipped, match="EMPTY_README"):
        git.read_readme(str(bare), COMMAND)


def test_folders_that_are_no_repositories_are_passed_over(tmp_path):
    for place in (tmp_path, tmp_path / "none"):
        with pytest.raises(Skipped, match="REPO_NOT_FOUND"):
            git.read_readme(str(place), COMMAND)
