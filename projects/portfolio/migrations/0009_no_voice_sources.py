"""Examples of a voice stand in its record alone; sources that once gave them go."""

from django.db import migrations, models


def forget(apps, _schema_editor):
    """The voice that was made of them has the examples itself."""
    apps.get_model("portfolio", "Source").objects.filter(kind="voice").delete()


class Migration(migrations.Migration):
    dependencies = [("portfolio", "0008_photo")]
    operations = [
        migrations.RunPython(forget, migrations.RunPython.noop),
        migrations.RemoveField(model_name="source", name="step"),
        migrations.RemoveField(model_name="source", name="sha256"),
        migrations.AlterField(
            model_name="source",
            name="kind",
            field=models.CharField(
                choices=[
                    ("repository_list", "list of repositories"),
                    ("readme", "README"),
                    ("resume", "Resume"),
                    ("profile", "Profile"),
                    ("corpus", "the whole portfolio"),
                ],
                max_length=16,
            ),
        ),
    ]
