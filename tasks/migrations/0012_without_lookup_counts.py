"""Drops the counts of lookups, which are counted when they are asked for."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tasks", "0011_access_tokens_for_data")]

    operations = [migrations.DeleteModel(name="LookupCount")]
