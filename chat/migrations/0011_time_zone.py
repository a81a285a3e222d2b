"""A person's time zone: as their devices say, or as they chose."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0010_policy_and_erasure")]
    operations = [
        migrations.AddField(
            model_name="participant",
            name="time_zone",
            field=models.CharField(
                blank=True,
                default="",
                help_text="Of the IANA database; the server's while empty.",
                max_length=64,
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="participant",
            name="is_zone_chosen",
            field=models.BooleanField(
                default=False,
                help_text="Chosen by the person: what their devices say does not change it.",
            ),
        ),
    ]
