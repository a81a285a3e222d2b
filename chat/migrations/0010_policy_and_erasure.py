"""A session's policy for the agent's changes; erasure as an operation that blanks words, too."""

from __future__ import annotations

from django.db import migrations, models

from chat.operations import guard


class Migration(migrations.Migration):
    dependencies = [("chat", "0009_session_quiet")]
    operations = [
        migrations.AddField(
            model_name="session",
            name="policy",
            field=models.CharField(
                choices=[("auto", "apply automatically"), ("review", "review first")],
                default="auto",
                help_text="Whether the agent's changes are made at once or reviewed first.",
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="operation",
            name="type",
            field=models.CharField(
                choices=[
                    ("create", "Create"),
                    ("update", "Update"),
                    ("delete", "Delete"),
                    ("restore", "Restore"),
                    ("erase", "Erase"),
                ],
                max_length=8,
            ),
        ),
        guard.words_may_go(),
    ]
