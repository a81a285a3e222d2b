"""What the first version stored in another form, in today's; the form of payloads is not counted.

The column stays for one release with a default, for processes of the version before. These go on
writing meanwhile: one statement each waits for what a turn is saving and changes that, and holds
conversations for as long as it takes and no longer.
"""

from django.db import migrations

# without what was taken back by nobody known, and without fields that are gone
CURRENT_FACTS = """
UPDATE chat_session SET key_facts = (
    SELECT coalesce(jsonb_agg((
        SELECT jsonb_object_agg(key, value) FROM jsonb_each(fact) WHERE key = ANY ({names})
    ) ORDER BY place), '[]')
    FROM jsonb_array_elements(key_facts) WITH ORDINALITY AS stored (fact, place)
    WHERE NOT coalesce((fact ->> 'withdrawn')::boolean, false)
)
WHERE EXISTS (
    SELECT FROM jsonb_array_elements(key_facts) AS stored (fact) WHERE fact - {names} <> '{{}}'
)
""".format(names="'{text, kind, message_id, seq, by, superseded_by, superseded_seq}'::text[]")

# which turns read other people's words was not noted: any of them may have, and a summary may speak
# of them, so it is made anew
READERS_OF_OTHERS = """
UPDATE chat_session SET
    state = jsonb_set(state, '{others}', (
        SELECT coalesce(jsonb_agg(id), '[]') FROM chat_run WHERE session_id = chat_session.id
    )),
    summary = '', summary_seq = 0, summarised_at = NULL
WHERE state @> '{"has_untrusted_text": true}'
    AND coalesce(state -> 'others', 'null') IN ('null', '[]')
"""


class Migration(migrations.Migration):

    dependencies = [
        ("chat", "0021_names_of_all"),
    ]

    operations = [
        migrations.RunSQL(CURRENT_FACTS, migrations.RunSQL.noop),
        migrations.RunSQL(READERS_OF_OTHERS, migrations.RunSQL.noop),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField(model_name="operationpayload", name="schema_version"),
            ],
            database_operations=[
                migrations.RunSQL(
                    "ALTER TABLE chat_operationpayload ALTER COLUMN schema_version SET DEFAULT 1",
                    "ALTER TABLE chat_operationpayload ALTER COLUMN schema_version DROP DEFAULT",
                ),
            ],
        ),
    ]
