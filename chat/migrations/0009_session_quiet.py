"""The index by which conversations that went quiet are found for a summary."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0008_operations")]
    operations = [
        migrations.AddIndex(
            model_name="session",
            index=models.Index(fields=["updated_at"], name="chat_session_quiet"),
        )
    ]
