"""Every forecast is made by rules; which of two makers made it need not be stored.

The column stays for one release with a default, for processes of the version before.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("projects", "0012_names_of_all")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField(model_name="forecast", name="told_by")],
            database_operations=[
                migrations.RunSQL(
                    "ALTER TABLE projects_forecast ALTER COLUMN told_by SET DEFAULT 'rules'",
                    "ALTER TABLE projects_forecast ALTER COLUMN told_by DROP DEFAULT",
                ),
            ],
        ),
    ]
