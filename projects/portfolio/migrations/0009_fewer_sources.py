"""Examples of a voice stand in its record alone, and each repository is a source of its own."""

from django.db import migrations, models


def forget(apps, _schema_editor):
    """The voice that was made of examples has them itself, and lists were read at once."""
    sources = apps.get_model("portfolio", "Source").objects
    sources.filter(kind="voice").delete()
    sources.filter(kind="repository_list", given_at__isnull=False).delete()


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
