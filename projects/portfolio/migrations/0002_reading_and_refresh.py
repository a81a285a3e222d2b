"""What waits to be read for a portfolio, and whether its index must be built again."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("portfolio", "0001_start"),
    ]

    operations = [
        migrations.CreateModel(
            name="IndexState",
            fields=[
                (
                    "portfolio",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="index_state",
                        serialize=False,
                        to="portfolio.portfolio",
                    ),
                ),
                (
                    "wanted_at",
                    models.DateTimeField(blank=True, help_text="The change that waits.", null=True),
                ),
                ("announced_at", models.DateTimeField(blank=True, null=True)),
                ("tried_at", models.DateTimeField(blank=True, null=True)),
                (
                    "retry_at",
                    models.DateTimeField(
                        blank=True, help_text="When vectors are asked again.", null=True
                    ),
                ),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                (
                    "code",
                    models.CharField(
                        blank=True, help_text="Why the last try failed.", max_length=60
                    ),
                ),
                ("error", models.TextField(blank=True)),
                ("lease", models.UUIDField(blank=True, null=True)),
                ("heartbeat_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.AddField(
            model_name="source",
            name="attempts",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="source",
            name="given_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="source",
            name="heartbeat_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="source",
            name="is_by_rules",
            field=models.BooleanField(default=False, help_text="Ask no model."),
        ),
        migrations.AddField(
            model_name="source",
            name="lease",
            field=models.UUIDField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="source",
            name="step",
            field=models.CharField(
                blank=True,
                choices=[("fetch", "Fetch"), ("understand", "Understand"), ("store", "Store")],
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="source",
            name="told",
            field=models.JSONField(
                blank=True, default=dict, help_text="How many rows were new, changed."
            ),
        ),
        migrations.AddField(
            model_name="source",
            name="upload",
            field=models.BinaryField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="source",
            name="wish",
            field=models.JSONField(blank=True, default=dict, help_text="Branch, name, companies."),
        ),
        migrations.AlterField(
            model_name="source",
            name="outcome",
            field=models.CharField(
                choices=[
                    ("waiting", "Waiting"),
                    ("reading", "Reading"),
                    ("read", "Read"),
                    ("skipped", "Skipped"),
                    ("failed", "Failed"),
                ],
                default="read",
                max_length=8,
            ),
        ),
        migrations.AddIndex(
            model_name="source",
            index=models.Index(
                condition=models.Q(("outcome__in", ["waiting", "reading"])),
                fields=["outcome"],
                name="portfolio_source_open",
            ),
        ),
        migrations.AddIndex(
            model_name="indexstate",
            index=models.Index(fields=["wanted_at"], name="portfolio_index_wanted"),
        ),
    ]
