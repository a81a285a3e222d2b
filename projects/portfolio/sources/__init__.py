"""What an owner gives to be read: a resume, a profile, a voice, repositories; read by jobs."""
