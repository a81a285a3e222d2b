from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tasks', '0009_lookup_count'),
    ]

    operations = [
        migrations.AddField(
            model_name='worktask',
            name='english',
            field=models.CharField(blank=True, help_text='The statement in English, where it is in another language.', max_length=500),
        ),
    ]
