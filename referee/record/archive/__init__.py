"""Many logs, or one from outside: audited, compared, added up in matches."""
