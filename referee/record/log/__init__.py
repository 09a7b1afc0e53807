"""Logs as files: entries and their hashes, reading, writing, vaults, signatures and faults."""
