"""Nobody chooses a time zone by hand any more.

The column stays for one release with a default, for processes of the version before.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("chat", "0019_names")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField(model_name="participant", name="is_zone_chosen"),
            ],
            database_operations=[
                migrations.RunSQL(
                    "ALTER TABLE chat_participant ALTER COLUMN is_zone_chosen SET DEFAULT false",
                    "ALTER TABLE chat_participant ALTER COLUMN is_zone_chosen DROP DEFAULT",
                ),
            ],
        ),
    ]
