"""What was answered before unread marks existed counts as read."""

from django.db import migrations

_SEEN = """
UPDATE chat_session SET seen_seq = said.last
FROM (SELECT session_id, max(seq) AS last FROM chat_message GROUP BY session_id) AS said
WHERE said.session_id = chat_session.id
"""


class Migration(migrations.Migration):

    dependencies = [
        ("chat", "0004_sessions_list_search"),
    ]

    operations = [
        migrations.RunSQL(_SEEN, migrations.RunSQL.noop),
    ]
