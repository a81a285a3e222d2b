"""The house rules of DESIGN section 2 and STYLE: what lies where, who may import whom."""

import ast
import itertools
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]

# Who may import which of our packages. `projects` and what hangs on it come with their issues.
ARROWS = {
    "futura": {"futura"},
    "onet": {"futura", "onet"},
    "chat": {"futura", "chat"},
    "tasks": {"futura", "onet", "chat", "tasks"},
    "projects": {"futura", "onet", "chat", "tasks", "projects"},
}
# The only modules of the platform that may name an app.
COMPOSITION_ROOT = {f"futura/{name}.py" for name in ("settings", "urls", "api", "asgi", "celery")}
TOP_LEVEL = {
    *("futura", "chat", "onet", "tasks", "projects", "templates", "static", "tests"),
    *("manage.py", "pyproject.toml", "constraints.txt", "README.md", "LICENSE", "Dockerfile"),
    *("compose.yaml", "docs", "mkdocs.yml", "Makefile", "CONTRIBUTING.md", "CHANGELOG.md"),
    *("SECURITY.md", "CODE_OF_CONDUCT.md"),
}
DOORS = {"views", "consumers", "api", "admin"}
# What a module of a kind may not import from our own apps, by kind.
UPWARDS = {
    "models": {"queries", "actions", "jobs", "prompts", *DOORS},
    "queries": {"actions", "jobs", *DOORS},
    "actions": DOORS,
    "jobs": DOORS,
    "prompts": {"models", "queries", "actions", "jobs", *DOORS},
}
WRITES = {"create", "bulk_create", "get_or_create", "update_or_create", "bulk_update"}
LINES_OF_A_MODULE = 500
LINES_OF_A_FUNCTION = 60
CHARS_OF_A_TEMPLATE_LINE = 120


@cache
def tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode != 0:
        pytest.skip("this is no git checkout")
    return [name for name in listed.stdout.splitlines() if (PROJECT / name).exists()]


@cache
def product() -> dict[str, ast.Module]:
    """Every module of the product (no tests, no migrations), parsed, by its path."""
    return {
        name: ast.parse((PROJECT / name).read_text(encoding="utf-8"), name)
        for name in tracked()
        if name.endswith(".py") and name.split("/")[0] in ARROWS and "/migrations/" not in name
    }


@pytest.fixture(scope="module", autouse=True)
def _forget() -> Iterator[None]:
    """Millions of nodes are not kept for the tests that follow."""
    yield
    for kept in (product, imports_of, providers):
        kept.cache_clear()


def statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """Every statement, at whatever depth; what stands within one of them is not looked at."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        for node in getattr(tree, name, ()):
            if isinstance(node, ast.stmt):
                yield node
            yield from statements(node)


def imports(tree: ast.AST, module: str) -> Iterator[str]:
    """Full names of what a module imports, wherever in it the import stands."""
    package = module.removesuffix(".py").removesuffix("/__init__").split("/")
    if not module.endswith("/__init__.py"):
        package = package[:-1]
    for node in statements(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *((node.module or "").split(".") if node.module else [])])
            yield origin
            yield from (f"{origin}.{alias.name}" for alias in node.names)


@cache
def imports_of(name: str) -> list[str]:
    """What a module of the product imports."""
    return list(imports(product()[name], name))


@cache
def providers() -> Mapping[str, list[str]]:
    """Installed distributions by the packages that they bring."""
    return packages_distributions()


def kind(name: str) -> str:
    """What kind of module a path is: models, queries, … or "" for a worker."""
    parts = name.removesuffix(".py").split("/")[1:]
    return next((part for part in parts if part in {*UPWARDS, *DOORS}), "")


def test_the_top_level_holds_the_agreed_names_only():
    found = {name.split("/")[0] for name in tracked()}
    assert {name for name in found if not name.startswith(".")} - TOP_LEVEL == set()


def test_imports_run_one_way():
    wrong = [
        f"{name} imports {imported}"
        for name, tree in product().items()
        if name not in COMPOSITION_ROOT
        for imported in imports_of(name)
        if (app := imported.split(".")[0]) in ARROWS and app not in ARROWS[name.split("/")[0]]
    ]
    assert wrong == []


def test_the_concierge_and_portfolios_hang_on_projects_and_not_on_each_other():
    apart = ("projects.concierge", "projects.portfolio")
    wrong = [
        f"{name} imports {imported}"
        for name, tree in product().items()
        if name.startswith("projects/") and name not in {"projects/apps.py", "projects/urls.py"}
        for imported in imports_of(name)
        for item in apart
        if f"{imported}.".startswith(f"{item}.")
        and not name.startswith(item.replace(".", "/") + "/")
    ]
    assert wrong == []


def test_the_platform_does_not_name_apps_by_string_either():
    naming = re.compile(r"(onet|chat|tasks|projects)\.[a-z_]+(\.\w+)*")
    wrong = [
        f"{name}:{node.lineno} names {node.value}"
        for name, tree in product().items()
        if name.startswith("futura/") and name not in COMPOSITION_ROOT
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and naming.fullmatch(node.value)
    ]
    assert wrong == []


def test_only_basic_mode_and_quick_add_know_a_language():
    """Rules of a language are for the command line and its preview (DESIGN section 0)."""
    knowing = re.compile(
        r"(^futura/language|/basic(/|\.py$)|/quick_add\.py$|/concierge/preview\.py$)"
    )
    wrong = [
        f"{name} imports {imported}"
        for name in product()
        if not knowing.search(name)
        for imported in imports_of(name)
        if imported.startswith("futura.language")
    ]
    assert wrong == []


def test_what_a_model_is_asked_and_answers_does_not_pass_through_basic_mode():
    steps = {"extraction", "statements", "duplicates", "prompts", "analysis", "toolset", "evidence"}
    wrong = [
        f"{name} imports {imported}"
        for name in product()
        if not steps.isdisjoint(Path(name).with_suffix("").parts)
        for imported in imports_of(name)
        if imported.split(".")[0] in ARROWS and "basic" in imported.split(".")
    ]
    assert wrong == []


def test_nobody_imports_upwards():
    wrong = [
        f"{name} imports {imported}"
        for name, tree in product().items()
        for imported in imports_of(name)
        if imported.split(".")[0] in ARROWS
        and kind(name) != kind(imported.replace(".", "/"))
        and kind(imported.replace(".", "/")) in UPWARDS.get(kind(name), set())
    ]
    assert wrong == []


def test_workers_know_no_doors():
    registering = {"apps", "urls", "routing", "asgi"}
    wrong = [
        f"{name} imports {imported}"
        for name, tree in product().items()
        if not kind(name) and Path(name).stem not in registering and name not in COMPOSITION_ROOT
        for imported in imports_of(name)
        if imported.split(".")[0] in ARROWS and kind(imported.replace(".", "/")) in DOORS
    ]
    assert wrong == []


def test_prompts_know_neither_settings_nor_clock_nor_network():
    outside = {"django.conf", "django.db", "time", "datetime", "httpx", "openai", "django.utils"}
    wrong = [
        f"{name} imports {imported}"
        for name, tree in product().items()
        if kind(name) == "prompts"
        for imported in imports_of(name)
        if any(imported == item or imported.startswith(f"{item}.") for item in outside)
    ]
    assert wrong == []


def test_actions_and_queries_know_no_request():
    wrong = [
        f"{name} imports {imported}"
        for name, tree in product().items()
        if kind(name) in {"actions", "queries", "models", "jobs"}
        for imported in imports_of(name)
        if imported.startswith(("django.http", "django.shortcuts", "ninja"))
    ]
    assert wrong == []


def test_doors_and_queries_write_nothing():
    wrong = [
        f"{name}:{node.lineno} .objects.{node.func.attr}"
        for name, tree in product().items()
        if kind(name) in {"views", "consumers", "api", "queries"}
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in WRITES
        and ".objects" in ast.unparse(node.func.value)
    ]
    assert wrong == []


def test_no_logic_hides_in_signals_or_save():
    wrong = [
        f"{name}: {ast.unparse(node).splitlines()[0]}"
        for name, tree in product().items()
        for node in statements(tree)
        if (
            isinstance(node, ast.ImportFrom)
            and node.module in {"django.db.models.signals", "django.dispatch"}
            # what stands after migrating is no logic of a model
            and {item.name for item in node.names} != {"post_migrate"}
        )
        or (kind(name) == "models" and isinstance(node, ast.FunctionDef) and node.name == "save")
    ]
    assert wrong == []


def test_no_module_is_a_drawer_for_anything():
    drawers = {"utils", "helpers", "common", "misc"}
    assert [name for name in product() if Path(name).stem in drawers] == []


def test_every_module_opens_with_what_it_owns():
    silent = [
        name
        for name, tree in product().items()
        if (PROJECT / name).stat().st_size and not ast.get_docstring(tree)
    ]
    assert silent == []


def length_of(node: ast.stmt) -> int:
    """Lines of a definition."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def test_modules_and_functions_fit_in_the_head():
    long_modules = [
        f"{name}: {lines} lines"
        for name in product()
        if (lines := (PROJECT / name).read_text(encoding="utf-8").count("\n")) > LINES_OF_A_MODULE
    ]
    long_functions = [
        f"{name}:{node.lineno} {node.name}: {length_of(node)} lines"
        for name, tree in product().items()
        for node in statements(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and length_of(node) > LINES_OF_A_FUNCTION
    ]
    most = f"at most {LINES_OF_A_MODULE} lines in a module, {LINES_OF_A_FUNCTION} in a function"
    assert list(itertools.chain(long_modules, long_functions)) == [], most


def test_lines_of_templates_are_wrapped():
    long = [
        f"{name}:{number} has {len(line)} characters"
        for name in tracked()
        if name.startswith("templates/") and name.endswith(".html")
        for number, line in enumerate((PROJECT / name).read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > CHARS_OF_A_TEMPLATE_LINE
    ]
    assert long == [], f"at most {CHARS_OF_A_TEMPLATE_LINE} characters"


def declared(*names: str) -> set[str]:
    """Distributions that pyproject.toml names: the product's, and those of the extras given."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"]]
    for name in names:
        lines += project["optional-dependencies"][name]
    return {distribution_name(re.split(r"[\[<>=~! ;]", line)[0]) for line in lines}


def distribution_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


IMPORTING = re.compile(r"^\s*(?:from|import)\s+(\w+)", flags=re.MULTILINE)


def is_declared(package: str, allowed: set[str]) -> bool:
    """Whether it is Python's, ours, or brought by a distribution that is allowed."""
    ours = {*sys.stdlib_module_names, *ARROWS, "tests", ""}
    names = (package, *(providers().get(package, []) if package not in ours else ()))
    return package in ours or any(distribution_name(name) in allowed for name in names)


def undeclared(name: str, allowed: set[str]) -> list[str]:
    """Imports of other people's packages that no declared dependency provides.

    Only a module in which a line may begin such an import is parsed.
    """
    text = (PROJECT / name).read_text(encoding="utf-8")
    if all(is_declared(package, allowed) for package in set(IMPORTING.findall(text))):
        return []
    wrong = [
        imported
        for imported in imports(ast.parse(text), name)
        if not is_declared(imported.split(".")[0], allowed)
    ]
    return [f"{name} imports {imported}" for imported in wrong]


def test_the_tests_import_only_declared_dependencies():
    """Of the product, deptry says so, which looks at no tests."""
    files = [name for name in tracked() if name.startswith("tests/") and name.endswith(".py")]
    files.remove("tests/bench/chainlit/app.py")  # runs in an environment of its own
    allowed = declared("local-embeddings", "parquet", "telemetry", "test")
    assert [line for name in files for line in undeclared(name, allowed)] == []


def test_the_constraints_are_plain_pins_without_addresses():
    lines = (PROJECT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[\w.+!]+", line)] == []
    pinned = {distribution_name(line.split("==")[0]) for line in lines}
    assert declared("test", "docs") - pinned == set()


def test_no_blank_follows_the_hidden_end_of_a_buttons_words():
    """It would be one more thing in the button, with a gap before it: the words stand askew."""
    askew = re.compile(
        r'<(button|a)\b[^>]*class="(?:button|action)\b[^>]*>(?:(?!</\1>).)*?'
        r'<span\s+class="visually-hidden">(?:(?!</span>).)*</span\s*>\s+</\1>',
        re.DOTALL,
    )
    found = [
        name
        for name in tracked()
        if name.startswith("templates/") and name.endswith(".html")
        and askew.search((PROJECT / name).read_text(encoding="utf-8"))
    ]  # fmt: skip
    assert found == []
