import django.db.models.deletion
from django.db import migrations, models

from chat.operations import triggers


def owner():
    return models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='chat.participant')


class Migration(migrations.Migration):

    dependencies = [('tasks', '0003_operable_rows')]

    operations = [
        migrations.AlterField(model_name='worktask', name='owner', field=owner()),
        migrations.AlterField(model_name='taskmatch', name='owner', field=owner()),
        migrations.RemoveField(model_name='taskmatch', name='lease'),
        migrations.RemoveField(model_name='taskmatch', name='heartbeat_at'),
        triggers.table('tasks_worktask'),
        triggers.table('tasks_taskmatch'),
    ]
