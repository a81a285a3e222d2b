"""A lookup knows since when it is tried: a model server without room is not waited for for ever."""

from django.db import migrations, models
from django.db.models.functions import Now


class Migration(migrations.Migration):
    dependencies = [("tasks", "0021_unread_columns")]

    operations = [
        migrations.AddField(
            model_name="lookup",
            name="since",
            field=models.DateTimeField(db_default=Now(), help_text="When it was first taken up."),
        ),
    ]
