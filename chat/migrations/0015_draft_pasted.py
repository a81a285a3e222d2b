"""Notes which stretches of a draft were pasted."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0014_access_tokens")]

    operations = [
        migrations.AddField(
            model_name="session",
            name="draft_pasted",
            field=models.JSONField(
                blank=True, default=list, help_text="Stretches of the draft that were pasted."
            ),
        ),
    ]
