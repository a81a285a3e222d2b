"""Drops the second coding, its switch on campaigns, and the counts of lookups."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tasks", "0011_access_tokens_for_data")]

    operations = [
        migrations.RemoveField(model_name="campaign", name="has_second_review"),
        migrations.DeleteModel(name="SecondCoding"),
        migrations.DeleteModel(name="LookupCount"),
    ]
