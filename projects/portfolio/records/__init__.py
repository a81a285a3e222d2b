"""What stands about the owner: positions, studies, awards, skills, profile, voice; all editable."""
