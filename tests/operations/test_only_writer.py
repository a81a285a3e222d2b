"""Nothing writes operable tables but the ledger: no SQL, nothing of the ORM, not the admin."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib import admin
from django.db import DatabaseError, connection, transaction
from django.db.models import ManyToManyField

from chat.operations.models import Operation
from chat.operations.registry import OperableModel, all_operables, named
from chat.operations.replay import differences
from projects.models import Project
from tests.extent import every

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]
MODELS = [of.model for of in all_operables().values()]
LINKS = [
    field.remote_field.through
    for of in all_operables().values()
    for field in of.model._meta.many_to_many
]


@pytest.fixture
def closed(project) -> Project:
    """A row, and a transaction that is none of the ledger's."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('futura.ledger', '', true)")
    return project


def refused():
    return pytest.raises(DatabaseError, match="through operations only")


def test_every_operable_model_is_registered():
    known = {model for model in apps.get_models() if issubclass(model, OperableModel)}
    assert known == set(MODELS)


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO {table} SELECT * FROM {table} WHERE false",
        "UPDATE {table} SET {column} = {column} WHERE false",
        "DELETE FROM {table} WHERE false",
    ],
)
def test_no_statement_changes_an_operable_table(closed, statement):
    for model in (*MODELS, *LINKS):
        written = statement.format(table=model._meta.db_table, column=model._meta.pk.column)
        with refused(), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(written)


def test_no_way_of_the_orm_gets_past_the_ledger(closed):
    other = Project(owner_id=closed.owner_id, name="Other", slug="other")
    ways = [
        closed.save,
        other.save,
        lambda: Project.objects.create(owner_id=closed.owner_id, name="x", slug="x"),
        lambda: Project.objects.filter(pk=closed.pk).update(name="Mine"),
        lambda: Project.objects.bulk_create([other]),
        lambda: Project.objects.bulk_update([closed], ["name"]),
        lambda: Project.objects.update_or_create(pk=closed.pk, defaults={"name": "Mine"}),
        closed.delete,
        Project.objects.all().delete,
    ]
    for way in ways:
        with refused(), transaction.atomic():
            way()
    assert Project.objects.get().name == "Fitness app"


def test_a_mark_of_another_transaction_opens_nothing(closed):
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('futura.ledger', (txid_current() - 1)::text, true)")
    with refused(), transaction.atomic():
        closed.save()


@every(8)
def test_the_admin_changes_no_operable_row(closed, browser, django_user_model, every):
    root = browser(django_user_model.objects.create_superuser("root", "root@example.org", "x"))
    operations = Operation.objects.count()
    for model in [model for model in MODELS if admin.site.is_registered(model)][::every]:
        base = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        assert root.get(base).status_code == 200
        assert root.post(f"{base}add/", {"name": "x"}).status_code == 403
        for address in (f"{base}{closed.pk}/change/", f"{base}{closed.pk}/delete/"):
            assert root.post(address, {"name": "x", "post": "yes"}).status_code in {302, 403}
        chosen = {"action": "delete_selected", "_selected_action": str(closed.pk), "post": "yes"}
        assert root.post(base, chosen).status_code in {200, 302}
    assert Project.objects.get() == closed
    assert Operation.objects.count() == operations
    assert differences() == []


def test_links_of_operable_models_are_declared_so_that_operations_keep_them():
    for of in all_operables().values():
        links = {item.name for item in of.model._meta.many_to_many}
        assert links <= set(of.fields)
        for parent in of.parents:
            assert named(of.model._meta.get_field(parent).related_model)
            assert not isinstance(of.model._meta.get_field(parent), ManyToManyField)


def test_only_the_ledger_opens_itself():
    """`open_ledger` is called in `chat/operations` and by migrations of operable tables alone."""
    callers = {
        str(path.relative_to(ROOT))
        for app in ("chat", "futura", "onet", "projects", "tasks")
        for path in (ROOT / app).rglob("*.py")
        if "migrations" not in path.parts and _opens(path)
    }
    assert callers <= {
        f"chat/operations/{name}.py"
        for name in ("erase", "execute", "retry", "review", "rounds", "steps", "undo")
    }


def _opens(path: Path) -> bool:
    text = path.read_text()
    if "open_ledger" not in text and "futura.ledger" not in text:
        return False
    names = {
        node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute | ast.Name)
    }
    told = {node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)}
    marks = [
        item for item in told if isinstance(item, str) and "set_config('futura.ledger'" in item
    ]
    return "open_ledger" in names or bool(marks)
