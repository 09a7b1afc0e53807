"""What `archive_today.py` puts into the archive: games, matches, mail and pages."""
