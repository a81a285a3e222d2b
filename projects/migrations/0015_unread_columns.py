"""What nothing has read or written since 0.1.0 leaves the database; a fresh one never had it."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("projects", "0014_draft_assignee")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE projects_forecast DROP COLUMN IF EXISTS told_by",
            migrations.RunSQL.noop,
        ),
    ]
