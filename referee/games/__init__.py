"""The games that come along. Each is a rule module of its own, and all are furnished alike."""
