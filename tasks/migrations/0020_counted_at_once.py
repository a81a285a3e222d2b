"""Insights are counted when somebody looks at them: nothing waits to be counted any more.

The column, which may be empty, stays for one release, for processes of the version before.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tasks", "0019_unwritten_columns")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField(model_name="insight", name="wanted_at")],
        ),
    ]
