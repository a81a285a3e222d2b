from django.db import migrations


def forget(apps, schema_editor):
    """Stored sums do not say how many people set the shares of time: they are counted anew."""
    apps.get_model("tasks", "Insight").objects.all().delete()


class Migration(migrations.Migration):

    dependencies = [
        ("tasks", "0016_columns"),
    ]

    operations = [
        migrations.RunPython(forget, migrations.RunPython.noop),
    ]
