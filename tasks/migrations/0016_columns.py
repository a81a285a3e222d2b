from django.db import migrations, models
from django.db.models import F


def name_columns(apps, schema_editor):
    """The names that the columns had in earlier files, by the places of their questions."""
    questions = apps.get_model("tasks", "ExtraQuestion").objects
    existing = set()
    age = F("removed_at").asc(nulls_last=True)
    for question in questions.order_by("campaign", "-place", "position", age, "pk"):
        name = f"{question.place}_{question.position + 1}"
        while (question.campaign_id, name) in existing:
            name += "b"
        existing.add((question.campaign_id, name))
        questions.filter(pk=question.pk).update(column=name)


class Migration(migrations.Migration):

    dependencies = [
        ("tasks", "0015_names_of_all"),
    ]

    operations = [
        migrations.AddField(
            model_name="extraquestion",
            name="column",
            field=models.CharField(
                default="", help_text="Its name in files; it keeps that.", max_length=200
            ),
            preserve_default=False,
        ),
        # the version before adds questions without one
        migrations.RunSQL(
            "ALTER TABLE tasks_extraquestion ALTER COLUMN \"column\" "
            "SET DEFAULT 'question_' || left(gen_random_uuid()::text, 8)",
            migrations.RunSQL.noop,
        ),
        migrations.RunPython(name_columns, migrations.RunPython.noop),
    ]
