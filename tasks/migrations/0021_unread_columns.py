"""What nothing has read or written since 0.1.0 leaves the database; a fresh one never had it."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tasks", "0020_erased_by_staff")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE tasks_insight DROP COLUMN IF EXISTS took_ms, DROP COLUMN IF EXISTS error",
            migrations.RunSQL.noop,
        ),
    ]
