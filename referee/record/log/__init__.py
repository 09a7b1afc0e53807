"""The log as bytes: entries and their hashes, reading and writing, vaults, seals, faults."""
