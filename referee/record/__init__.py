"""The log on disk: entries, hashes, one writer at a time, replay, audit, comparison, branches. Knows no terminal."""
