from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('llm', '0003_notices'),
    ]

    operations = [
        migrations.CreateModel(
            name='AnswerCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(verbose_name='day')),
                ('stage', models.CharField(max_length=60, verbose_name='stage')),
                ('reason', models.CharField(blank=True, help_text='Why they were refused; empty: used.', max_length=60, verbose_name='reason')),
                ('items', models.PositiveIntegerField(default=0, verbose_name='items')),
            ],
            options={
                'verbose_name': 'check of answers',
                'verbose_name_plural': 'checks of answers',
                'ordering': ['-day', 'stage', 'reason'],
                'constraints': [models.UniqueConstraint(fields=('day', 'stage', 'reason'), name='llm_check_once')],
            },
        ),
    ]
