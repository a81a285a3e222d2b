"""Indexes of the list of conversations, its search and its bin; the function that reads words."""

import django.contrib.postgres.indexes
import django.contrib.postgres.search
from django.db import migrations, models
from django.db.models import F, Func, Q

# Punctuation parts words here, so that mail addresses and file names are found by their pieces.
_FUNCTION = r"""
CREATE FUNCTION chat_search_words(said text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT pg_catalog.to_tsvector('pg_catalog.simple'::pg_catalog.regconfig, told)
        || pg_catalog.to_tsvector('pg_catalog.english'::pg_catalog.regconfig, told)
    FROM (
        SELECT pg_catalog.translate(
            pg_catalog.left(said, 100000),
            '.,:;!?@/\_-+*=#&%$|~^<>()[]{}"''`’‘“”–—…',
            '                                          '
        ) AS told
    ) AS plain
$$
"""


class Migration(migrations.Migration):

    dependencies = [
        ("chat", "0003_branches_feedback_context"),
    ]

    operations = [
        migrations.RunSQL(_FUNCTION, "DROP FUNCTION chat_search_words(text)"),
        migrations.AddIndex(
            model_name="message",
            index=django.contrib.postgres.indexes.GinIndex(
                Func(
                    F("text"),
                    function="chat_search_words",
                    output_field=django.contrib.postgres.search.SearchVectorField(),
                ),
                condition=Q(
                    ("superseded_at__isnull", True), Q(("status", "streaming"), _negated=True)
                ),
                name="chat_message_words",
            ),
        ),
        migrations.AddIndex(
            model_name="run",
            index=models.Index(fields=["session", "-created_at"], name="chat_run_newest"),
        ),
        migrations.AddIndex(
            model_name="session",
            index=models.Index(
                condition=Q(("deleted_at__isnull", False)),
                fields=["deleted_at"],
                name="chat_session_bin",
            ),
        ),
    ]
