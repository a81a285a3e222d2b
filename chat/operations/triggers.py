"""The database trigger by which operable tables change in ledger transactions only.

operations = [..., triggers.table("projects_project")]      # in a feature's migration
"""

from __future__ import annotations

from django.db.migrations import RunSQL


def table(name: str) -> RunSQL:
    """Guards one operable table, or the link table of its many-to-many field."""
    return RunSQL(
        f"CREATE TRIGGER ledger_only BEFORE INSERT OR UPDATE OR DELETE ON {name} "
        "FOR EACH STATEMENT EXECUTE FUNCTION chat_ledger_only()",
        f"DROP TRIGGER ledger_only ON {name}",
    )
