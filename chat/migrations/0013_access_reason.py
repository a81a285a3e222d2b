"""Why somebody of staff read what is private."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0012_review")]

    operations = [
        migrations.AddField(
            model_name="access",
            name="reason",
            field=models.CharField(
                blank=True, help_text="Why, where it is private.", max_length=500
            ),
        ),
    ]
