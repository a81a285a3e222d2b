import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


def operable(model, related):
    """The columns that every operable model has."""
    return [
        migrations.AddField(
            model_name=model,
            name='owner',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='chat.participant'),
        ),
        migrations.AlterField(
            model_name=model,
            name='created_at',
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.AlterField(
            model_name=model,
            name='updated_at',
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        *(
            migrations.AlterField(
                model_name=model, name=name, field=models.JSONField(blank=True, default=list, **more)
            )
            for name, more in related
        ),
    ]


class Migration(migrations.Migration):

    dependencies = [
        ('chat', '0010_policy_and_erasure'),
        ('tasks', '0001_start'),
    ]

    operations = [
        *operable('worktask', [
            ('merged_from', {}),
            ('groups', {}),
            ('activity_ids', {'help_text': 'O*NET element ids, e.g. 4.A.2.b.1.'}),
            ('ai_tools', {}),
        ]),
        *operable('taskmatch', [('candidates', {})]),
        migrations.AddField(
            model_name='taskmatch',
            name='deleted_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterModelOptions(
            name='worktask',
            options={'ordering': ['response', 'position', 'created_at'], 'verbose_name': 'work task'},
        ),
        migrations.AlterModelOptions(
            name='taskmatch',
            options={'verbose_name': 'O*NET match', 'verbose_name_plural': 'task matches'},
        ),
        migrations.AlterField(
            model_name='worktask',
            name='response',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tasks', to='tasks.surveyresponse'),
        ),
        migrations.AlterField(
            model_name='worktask',
            name='message',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='work_tasks', to='chat.message'),
        ),
        migrations.AlterField(
            model_name='taskmatch',
            name='task',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='match', to='tasks.worktask'),
        ),
        migrations.CreateModel(
            name='Lookup',
            fields=[
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='lookup', serialize=False, to='tasks.taskmatch')),
                ('lease', models.UUIDField(blank=True, help_text='Of the worker that has it.', null=True)),
                ('seen_at', models.DateTimeField(help_text='Last told of, or last sign of life of its worker.')),
            ],
        ),
    ]
