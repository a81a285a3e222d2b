"""Every sentence that an error tells a person goes through gettext."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
APPS = ("futura", "chat", "tasks", "onet", "projects")
COMMANDS = (  # what these say is read in a terminal, in English
    "/management/", "/evaluation", "/simulation/", "/embedded/", "onet/loading/", "onet/scores.py",
    "onet/embeddings.py", "intake/config.py", "intake/preprocess.py",
)  # fmt: skip
FORMATTED_MESSAGE = re.compile(r"""\bf(["']).*\{(_|n?p?gettext)\(.*\1""")
NO_SENTENCES = {"field", "reason", "code", "file"}


def modules() -> dict[str, ast.Module]:
    """Every module of the product by its path."""
    files = [file for app in APPS for file in sorted((ROOT / app).rglob("*.py"))]
    return {str(f.relative_to(ROOT)): ast.parse(f.read_text()) for f in files}


def definitions(of: ast.Module | ast.ClassDef) -> Iterator[ast.stmt]:
    """What a module defines by itself, and what its classes define."""
    for node in of.body:
        yield node
        if isinstance(node, ast.ClassDef):
            yield from definitions(node)


def errors_in(trees: dict[str, ast.Module]) -> set[str]:
    """The names of what is derived from FuturaError, and of functions that make one of a text."""
    bases = defaultdict(set)
    for node in (node for tree in trees.values() for node in definitions(tree)):
        if isinstance(node, ast.ClassDef):
            bases[node.name] |= {ast.unparse(base).rpartition(".")[2] for base in node.bases}
        elif isinstance(node, ast.FunctionDef) and node.returns:
            bases[node.name].add(ast.unparse(node.returns))
    names = {"FuturaError", "CannotFetch"}
    while more := {name for name, of in bases.items() if of & names} - names:
        names |= more
    return names


def has_words(node: ast.AST | None) -> bool:
    """Whether a text is written in the code as it is told; `_("…")` is a call, so not."""
    match node:
        case ast.Constant(value=str(text)):
            return " " in text.strip()
        case ast.JoinedStr(values=parts):
            return bool(re.search(r"[A-Za-z]{2}", "".join(map(_text_of, parts))))
        case ast.BinOp(left=left, right=right):
            return has_words(left) or has_words(right)
        case ast.IfExp(body=first, orelse=other):
            return has_words(first) or has_words(other)
        case ast.BoolOp(values=parts):
            return any(has_words(part) for part in parts)
        case ast.Call(func=ast.Attribute(value=value)):
            return has_words(value)
    return False


def _text_of(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else ""


def untranslated(tree: ast.Module, errors: set[str]) -> Iterator[int]:
    """Lines with a sentence in plain English: given to an error, or a variable that is, or its
    default message.
    """
    nodes = list(ast.walk(tree))
    plain = {
        node.targets[0].id
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        if has_words(node.value)
    }
    for node in nodes:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            is_default = isinstance(target, ast.Name) and target.id == "default_message"
            if is_default and has_words(node.value):
                yield node.lineno
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            values = [key.value for key in node.keywords if key.arg not in NO_SENTENCES]
            if name in errors and any(
                has_words(value) or (isinstance(value, ast.Name) and value.id in plain)
                for value in (*node.args, *values)
            ):
                yield node.lineno


@pytest.mark.thorough
def test_what_an_error_tells_a_person_is_translated():
    trees = modules()
    errors = errors_in(trees)
    assert {"Rejected", "PreprocessError", "UndoConflict", "_refused"} <= errors
    pages = {path: tree for path, tree in trees.items() if not any(c in path for c in COMMANDS)}
    wrong = [f"{path}:{n}" for path, tree in pages.items() for n in untranslated(tree, errors)]
    assert wrong == []


def test_no_message_stands_in_a_formatted_string_where_the_catalogues_do_not_find_it():
    files = [file for app in APPS for file in (ROOT / app).rglob("*.py")]
    wrong = [str(file) for file in files if FORMATTED_MESSAGE.search(file.read_text())]
    assert wrong == []


def test_a_plain_sentence_is_found():
    tree = ast.parse('told = f"No {x} here."\nraise Conflict(told)\nraise Conflict(_("No %s") % x)')
    assert list(untranslated(tree, {"Conflict"})) == [2]
