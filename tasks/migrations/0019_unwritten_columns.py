"""Two columns of the insights were never written.

They stay for one release with a default, for processes of the version before.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tasks", "0018_promises")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField(model_name="insight", name="took_ms"),
                migrations.RemoveField(model_name="insight", name="error"),
            ],
            database_operations=[
                migrations.RunSQL(
                    "ALTER TABLE tasks_insight ALTER COLUMN took_ms SET DEFAULT 0,"
                    " ALTER COLUMN error SET DEFAULT ''",
                    "ALTER TABLE tasks_insight ALTER COLUMN took_ms DROP DEFAULT,"
                    " ALTER COLUMN error DROP DEFAULT",
                ),
            ],
        ),
    ]
