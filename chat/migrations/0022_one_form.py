"""What the first version stored in another form, in today's; the form of payloads is not counted.

The column stays for one release with a default, for processes of the version before.
"""

from django.db import migrations

FIELDS = ("text", "kind", "message_id", "seq", "by", "superseded_by", "superseded_seq")


def current_facts(rows):
    """Without what was taken back by nobody known, and without fields that are gone."""
    return [
        {name: row[name] for name in FIELDS if name in row}
        for row in rows
        if not row.get("withdrawn")
    ]


def rewrite(apps, schema_editor):
    Session = apps.get_model("chat", "Session")
    for session in Session.objects.exclude(key_facts=[]).only("key_facts").iterator():
        facts = current_facts(session.key_facts)
        if facts != session.key_facts:
            Session.objects.filter(pk=session.pk).update(key_facts=facts)


def name_readers_of_others(apps, schema_editor):
    """Which turns read other people's words was not noted: any of them may have."""
    Session = apps.get_model("chat", "Session")
    tainted = Session.objects.filter(state__has_untrusted_text=True)
    for session in tainted.only("state"):
        if not session.state.get("others"):
            runs = [str(pk) for pk in session.runs.values_list("pk", flat=True)]
            state = {**session.state, "others": runs}
            # a summary may speak of them: it is made anew
            none = {"summary": "", "summary_seq": 0, "summarised_at": None}
            Session.objects.filter(pk=session.pk).update(state=state, **none)


class Migration(migrations.Migration):

    dependencies = [
        ("chat", "0021_names_of_all"),
    ]

    operations = [
        migrations.RunPython(rewrite, migrations.RunPython.noop),
        migrations.RunPython(name_readers_of_others, migrations.RunPython.noop),
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
