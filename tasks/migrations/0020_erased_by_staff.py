from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tasks", "0019_unwritten_columns")]

    operations = [
        migrations.AlterField(
            model_name="participation",
            name="erased_by",
            field=models.CharField(
                blank=True,
                choices=[
                    ("person", "deleted by the participant"),
                    ("staff", "deleted on request"),
                    ("retention", "deleted automatically"),
                ],
                max_length=10,
            ),
        ),
    ]
