"""A session's policy for the agent's changes; erasure as an operation that blanks words, too."""

from __future__ import annotations

from django.db import migrations, models

# erasure blanks the words of a batch, too: they may hold what somebody wants forgotten
WORDS_MAY_GO = """
CREATE OR REPLACE FUNCTION chat_facts_stay() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    fact text;
    was jsonb := to_jsonb(OLD);
    is_now jsonb;
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'rows of % are facts', TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    is_now := to_jsonb(NEW);
    FOREACH fact IN ARRAY TG_ARGV LOOP
        IF was -> fact IS DISTINCT FROM is_now -> fact
            AND NOT (fact IN ('title', 'reason') AND is_now ->> fact = '') THEN
            RAISE EXCEPTION 'the % of % is a fact', fact, TG_TABLE_NAME
                USING ERRCODE = 'insufficient_privilege';
        END IF;
    END LOOP;
    RETURN NEW;
END $$;
"""

WORDS_STAY = """
CREATE OR REPLACE FUNCTION chat_facts_stay() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    fact text;
    was jsonb := to_jsonb(OLD);
    is_now jsonb;
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'rows of % are facts', TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    is_now := to_jsonb(NEW);
    FOREACH fact IN ARRAY TG_ARGV LOOP
        IF was -> fact IS DISTINCT FROM is_now -> fact THEN
            RAISE EXCEPTION 'the % of % is a fact', fact, TG_TABLE_NAME
                USING ERRCODE = 'insufficient_privilege';
        END IF;
    END LOOP;
    RETURN NEW;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("chat", "0009_session_quiet")]
    operations = [
        migrations.AddField(
            model_name="session",
            name="policy",
            field=models.CharField(
                choices=[("auto", "apply automatically"), ("review", "review first")],
                default="auto",
                help_text="Whether the agent's changes are made at once or reviewed first.",
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="operation",
            name="type",
            field=models.CharField(
                choices=[
                    ("create", "Create"),
                    ("update", "Update"),
                    ("delete", "Delete"),
                    ("restore", "Restore"),
                    ("erase", "Erase"),
                ],
                max_length=8,
            ),
        ),
        migrations.RunSQL(WORDS_MAY_GO, WORDS_STAY),
    ]
