"""Words of the version before: each still works, does what its word of today does, and stands in no list."""

import pytest

from referee.cli.catalogue import OLD_COMMANDS

ARGUMENTS = {
    "open": ["nothing.txt"],
    "amend": ["R1", "c3", "--agreed-by", "all"],
    "check-table": [],
    "rank": ["manoover", "random", "steady", "--games", "0"],
}
"""What is typed after some of the words."""


@pytest.mark.parametrize("word", OLD_COMMANDS)
def test_an_old_word_does_what_its_word_of_today_does(cli_in, word):
    after, answers = ARGUMENTS.get(word, []), []
    for place, words in (("one", [word]), ("two", OLD_COMMANDS[word])):
        cli_in(place, "new", "manoover", "-o", "g.jsonl", "--dice", "table", "--option", "first=red")
        answers.append(cli_in(place, *words, *after))
    old, new = answers
    assert (old.code, old.out, old.err) == (new.code, new.out, new.err)


@pytest.mark.parametrize("word", OLD_COMMANDS)
def test_an_old_word_has_the_help_of_today(cli, word):
    told = cli(*[part for part in OLD_COMMANDS[word] if not part.startswith("-")], "--help").out
    assert told and told.rstrip() in cli("help", word).out


def test_no_list_has_an_old_word(cli):
    listed = {line.split()[0].rstrip(",") for line in cli("help", "commands").out.splitlines() if line.startswith("  ")}
    assert not listed & OLD_COMMANDS.keys()
