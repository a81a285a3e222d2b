"""What nothing has read or written since 0.1.0 leaves the database; a fresh one never had it."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("chat", "0001_squashed_0022_one_form")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE chat_participant DROP COLUMN IF EXISTS is_zone_chosen",
            migrations.RunSQL.noop,
        ),
        migrations.RunSQL(
            "ALTER TABLE chat_operationpayload DROP COLUMN IF EXISTS schema_version",
            migrations.RunSQL.noop,
        ),
    ]
