"""Runs of the command, which nothing has read since their space stands with the index, go."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("portfolio", "0016_no_runs")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE portfolio_source DROP COLUMN IF EXISTS run_id",
            migrations.RunSQL.noop,
        ),
        migrations.RunSQL(
            "DROP TABLE IF EXISTS portfolio_preprocessrun",
            migrations.RunSQL.noop,
        ),
    ]
