"""Hash seeds, locales and time zones change nothing: neither states, nor lists, nor logs."""


def test_hash_seeds_locales_and_zones_change_nothing(script):
    told = script("same_everywhere.py", "--seeds", 3, "--first", 5)
    assert told == "3 runs, 10 hashes each, 0 runs differ\n"
