from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("projects", "0001_squashed_0013_forecasts_by_rules")]

    operations = [
        migrations.AddField(
            model_name="drafttask",
            name="assignee",
            field=models.CharField(blank=True, db_default="", default="", max_length=80),
        ),
        migrations.AlterField(
            model_name="task",
            name="assignee",
            field=models.CharField(blank=True, db_default="", default="", max_length=80),
        ),
    ]
