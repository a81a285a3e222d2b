from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("portfolio", "0001_squashed_0013_names_of_all")]

    operations = [
        migrations.AddField(
            model_name="indexstate",
            name="space",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="The one that the command has read in.",
                max_length=200,
            ),
        ),
    ]
