"""The rules of English stand beside the model, never above it: who may know of them."""

from __future__ import annotations

import ast
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
LANGUAGE = "futura.language"
GRAMMAR = {f"{LANGUAGE}.{name}" for name in ("dates", "quick_add", "commands", "calendar_words")}
"""The grammar of a line that is shown before it is sent; every front door may read it."""
BASIC = ("/basic.py", "/quick_add.py", "/concierge/preview.py")
"""Basic mode has these names in every room: an answer of a model never passes through them."""


def imports_rules(path: Path) -> bool:
    """Whether a module imports the package of rules, anywhere in it."""
    text = path.read_text(encoding="utf-8")
    if "language" not in text:
        return False  # most are not worth parsing
    for node in ast.walk(ast.parse(text)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        rules = [name for name in names if f"{name}.".startswith(f"{LANGUAGE}.")]
        if any(not f"{name}.".startswith(tuple(f"{g}." for g in GRAMMAR)) for name in rules):
            return True
    return False


def is_basic(name: str) -> bool:
    """Whether a module is basic mode's: by its name, or by that of its package."""
    return name.endswith(BASIC) or "/basic/" in name


def test_only_basic_mode_imports_the_rules_of_english():
    modules = [
        path.relative_to(PROJECT)
        for room in ("tasks", "onet", "projects", "chat")
        for path in (PROJECT / room).rglob("*.py")
    ]
    importers = {str(path) for path in modules if imports_rules(PROJECT / path)}
    assert importers, "nothing imports the rules: take them out, and this test"
    assert {name for name in importers if not is_basic(name)} == set()


def test_the_steps_of_the_model_do_not_import_basic_mode():
    for name in ("extraction", "statements", "duplicates", "prompts", "records"):
        text = (PROJECT / f"tasks/coding/{name}.py").read_text(encoding="utf-8")
        assert "basic" not in {
            part
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.ImportFrom)
            for part in [str(node.module).rpartition(".")[2], *(a.name for a in node.names)]
        }
