"""Auditing in a conversation: findings with evidence, kept from audit to audit."""
