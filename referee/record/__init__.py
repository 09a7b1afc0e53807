"""Logs: their files and entries, the games in them, and the audit and comparison of many. Nothing here prints."""
