"""The time of day by which a to-do is due."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("projects", "0003_forecasts")]
    operations = [
        migrations.AddField(
            model_name=name,
            name="due_time",
            field=models.TimeField(
                blank=True, help_text="By the clock of the person's time zone.", null=True
            ),
        )
        for name in ("task", "drafttask")
    ]
