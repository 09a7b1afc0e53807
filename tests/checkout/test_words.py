"""Words that readers stumble over stand nowhere. `words.py` finds them; here it is tried on planted ones first."""

from __future__ import annotations

from pathlib import Path

import old_names
import prose
import pytest
import words
from same_words import core, is_sentence, meaning, same_sentences
from support import ROOT

FILES = [file for name in words.TREE for file in words.files_in(ROOT / name)]
BARE = ["told", "held", "come_of", "told_of", "set_aside", "recorded_so_far", "untold", "redone", "judged"]
GOOD = ["needs", "need", "feed", "embed", "read", "set_up", "told_keys", "hidden_seats", "find_log", "is_held"]


@pytest.fixture
def plant(tmp_path):
    """Writes a file into a room of a package `referee`, and returns its path."""

    def write(text: str, name: str = "engine/planted.py") -> Path:
        path = tmp_path / "referee" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    return write


def lines(check, path):
    return [finding.line for finding in check(path, path.read_text("utf-8"))]


# The whole tree


def test_nothing_is_found_in_any_file():
    assert [str(finding) for path in FILES for finding in words.in_file(path)] == []


@pytest.mark.parametrize("check", words.ACROSS, ids=lambda check: check.__name__)
def test_nothing_is_found_across_files(check):
    assert [str(finding) for finding in check(FILES)] == []


def test_the_whole_tree_is_looked_at():
    names = {path.relative_to(ROOT).as_posix() for path in FILES}
    assert {"README.md", "referee/manual/table.md", "referee/engine/game.py", "referee/cli/main.py"} <= names
    assert any(name.startswith("examples/race/") for name in names)


# Riddles


@pytest.mark.parametrize(
    "doc",
    [
        "What is asked.",
        "Whether it is.",
        "Who is on turn.",
        "That of its dice.",
        "How many there are.",
        "So many at the most.",
        "Where it lies: beside the log.",
        "When it was signed.",
        "`what` is asked? Whose turn it is.",
    ],
)
def test_a_riddle_at_the_beginning_is_found(doc):
    assert bool(words.riddle_of(doc)) is not doc.startswith("`")


@pytest.mark.parametrize(
    "doc",
    ["The question that waits.", "True if it is.", "When the log grows, reads it again.", "So a game ends.", "`why`."],
)
def test_a_plain_beginning_is_no_riddle(doc):
    assert words.riddle_of(doc) == ""


def test_riddles_are_found_in_every_kind_of_docstring(plant):
    path = plant(
        '"""What lives here."""\n'
        "SEATS = 2\n"
        '"""How many play."""\n'
        "class Game:\n"
        '    """Who plays."""\n'
        "    name: str\n"
        '    """What it is called."""\n'
        "    async def ends(self):\n"
        '        """Whether it is over."""\n'
        '        return "What a string says is no docstring."\n'
    )
    assert sorted(lines(words.riddles, path)) == [1, 3, 5, 7, 9]


# He, him, his


def test_he_is_found_in_docstrings_comments_and_strings(plant):
    path = plant(
        '"""The seat and his dice."""\n# He rolls.\nTEXT = f"{1} rolls for himself, {2}"\nthe = "other hero"\n'
    )
    assert lines(words.pronouns, path) == [1, 2, 3]


def test_he_is_found_in_markdown_but_for_persons_of_the_story(plant):
    story = "a professor and his daughter"
    broken = story.replace(" and ", "\nand ")
    path = plant(f"One.\n\nThe player rolls his dice.\n\nThere are {broken}.\n", "manual/mutants.md")
    assert lines(words.pronouns, path) == [3]
    assert lines(words.pronouns, plant(f"There are {story}.\n", "manual/table.md")) == [1]


def test_every_person_of_the_story_is_still_there():
    for end, texts in words.STORY.items():
        [path] = [path for path in FILES if path.as_posix().endswith(end)]
        assert all(text in " ".join(path.read_text("utf-8").split()) for text in texts)


# Long sentences


def test_a_long_sentence_is_found_in_a_docstring(plant):
    short, long = (" ".join(["Word"] + ["word"] * more) + "." for more in (24, 25))
    assert lines(words.long_sentences, plant(f'"""{short}\n\n{short}\n{long}\n"""\n')) == [4]


def test_players_get_shorter_sentences(plant):
    sentence = " ".join(["word"] * 21) + ".\n"
    assert lines(words.long_sentences, plant(f"# {sentence}\nOne.\n{sentence}", "manual/table.md")) == [4]
    assert lines(words.long_sentences, plant(sentence, "manual/format.md")) == []


def test_code_and_tables_are_no_sentences(plant):
    many = "word " * 30
    text = f"```\n{many}\n```\n\n| {many} |\n| --- |\n\n    {many}\n\nType `{many}` here.\n\n[one]: {many}\n"
    assert lines(words.long_sentences, plant(text, "manual/table.md")) == []
    assert lines(words.long_sentences, plant(f'"""Shows it:\n\n    {many}\n"""\n')) == []
    assert lines(words.long_sentences, plant(f'"""Shows it.\n\n\\b\n  {many}\n\n{many}"""\n')) == [6]


def test_a_list_is_not_one_sentence(plant):
    item = "- " + " ".join(["word"] * 15) + "\n"
    assert lines(words.long_sentences, plant(item * 3, "manual/table.md")) == []
    assert lines(words.long_sentences, plant(f'"""Lists them.\n\n{item * 3}"""\n')) == []


def test_an_abbreviation_ends_no_sentence():
    found = [text for _, text in prose.sentences('Faces that succeed, e.g. "3 or less". See p. 4 of it!')]
    assert found == ['Faces that succeed, e.g. "3 or less".', "See p. 4 of it!"]


# Names


@pytest.mark.parametrize("name", BARE)
def test_a_participle_alone_is_found(plant, name):
    path = plant(f"def {name}(): ...\nclass One:\n    def {name}(self): ...\ndef _{name}(): ...\n")
    assert lines(words.participles, path) == [1, 3]


@pytest.mark.parametrize("name", GOOD)
def test_a_verb_or_a_noun_is_no_participle(name):
    assert not words.is_participle(name)


def test_properties_and_predicates_may_be_participles(plant):
    path = plant("class One:\n    @property\n    def ended(self): ...\n    def sealed(self) -> bool: ...\n")
    assert lines(words.participles, path) == []


def test_every_good_participle_is_used():
    texts = [path.read_text("utf-8") for path in FILES if path.suffix == ".py"]
    assert {name for name in words.GOOD_NAMES if not any(f"def {name}(" in text for text in texts)} <= {"registered"}


# Old names


def test_an_old_module_is_found_where_it_lies_and_where_it_is_imported(plant):
    old = plant("", "record/table/retold.py")
    assert lines(words.replaced_names, old) == [1]
    text = "import referee.engine.aim\nfrom referee.engine import aim, game\nfrom referee.cli.told import tell\n"
    assert lines(words.replaced_names, plant(text)) == [1, 2, 3]


def test_the_same_name_in_another_room_is_not_old(plant):
    assert lines(words.replaced_names, plant("from referee.serve import judge\n", "serve/judge.py")) == []


def test_an_old_module_may_warn_those_who_import_it(plant):
    text = 'from warnings import warn\nwarn("use action_grammar", DeprecationWarning, stacklevel=2)\n'
    assert lines(words.replaced_names, plant(text, "engine/verb.py")) == []
    assert lines(words.replaced_names, plant(f"{text}class Verb: ...\n", "engine/verb.py")) == [1]


def test_an_old_class_is_found_in_its_room_and_where_it_is_imported(plant):
    text = "class Way: ...\nfrom referee.chances.outcome_enumeration import Way\nfrom referee.chances import Way\n"
    assert lines(words.replaced_names, plant(text, "chances/planted.py")) == [1, 2, 3]
    assert lines(words.replaced_names, plant("class Way: ...\n", "games/race/board.py")) == []


def test_an_old_type_is_found_but_no_alias_for_it(plant):
    assert lines(words.replaced_names, plant("Offer = Choice | Choices\n")) == [1]
    assert lines(words.replaced_names, plant("Told = MessageEvent\nAim = target_number.Target\n")) == []


@pytest.mark.parametrize("table", [old_names.MODULES, old_names.CLASSES], ids=["modules", "classes"])
def test_no_name_is_both_old_and_new(table):
    for names in table.values():
        assert not set(names) & set(names.values())


# Twins


def test_two_modules_of_one_name_are_found(plant):
    paths = [plant("", f"{room}/planted.py") for room in ("engine", "cli", "games/race", "cli/commands")]
    [finding] = words.twins(paths)
    assert (finding.path, finding.line) == (paths[1], 1)


def test_packages_and_games_have_files_of_one_name_by_design(plant):
    rooms = ("engine/__init__", "mail/__init__", "games/a/board", "games/b/board")
    assert [*words.twins([plant("", f"{name}.py") for name in rooms])] == []


# Sentences that say the same


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("There is no entry {number}; the log ends.", "there is no entry {n}: the log ends"),
        ("It isn't the mail of a seat", "It is not a mail of the seat"),
        ("say of which game; referee games lists them", "say which game; referee games lists them"),
        ("Dice are thrown: first {} answers.", "{} answers first: dice are thrown"),
    ],
)
def test_sentences_that_say_the_same_in_other_words_are_found(plant, one, other):
    paths = [plant(f"ONE = {one!r}\n", "cli/one.py"), plant(f"\nOTHER = {other!r}\n", "record/other.py")]
    [finding] = same_sentences(paths)
    assert (finding.path, finding.line) == (paths[1], 2)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Nothing was recorded.", "; nothing was recorded"),
        ("There is no file {}.", "There is no folder {}."),
        ("The file is missing: bring it back.", "The file was changed: bring it back."),
        ("Red has to answer first.", "Red has to answer first."),
    ],
)
def test_the_same_words_and_other_facts_are_let_be(plant, one, other):
    paths = [plant(f"ONE = {one!r}\n", "cli/one.py"), plant(f"OTHER = {other!r}\n", "cli/other.py")]
    assert [*same_sentences(paths)] == []


def test_placeholders_and_help_of_commands_are_compared(plant):
    paths = [
        plant(
            'def show(ctx):\n    """Show the board of the game.\n\n    \\b\n      show all boards of it\n    """\n',
            "cli/commands/show.py",
        ),
        plant('LINE = f"show board of the game {1}"\n', "serve/page.py"),
        plant('"""Show a board of a game."""\nLABEL = "board"\n', "engine/board.py"),
    ]
    assert [finding.path for finding in same_sentences(paths)] == [paths[1]]


def test_labels_and_code_are_no_sentences():
    assert is_sentence("nothing was recorded")
    assert not any(map(is_sentence, ["the board", "a_b c_d e_f g_h", "<p>one two three</p>", "{} {} {} of"]))


def test_meaning_and_core():
    assert meaning("The game isn't over") == meaning("A game is not over!")
    assert core(" {}: Nothing was recorded. ") == "nothing was recorded"


# The command


def test_findings_are_printed_with_path_and_line(plant, capsys, monkeypatch):
    path = plant('"""What lives here."""\n')
    monkeypatch.setattr("sys.argv", ["words.py", str(path)])
    assert words.main() == 1
    out = capsys.readouterr().out
    assert out.startswith(f'{path}:1: docstring begins with "what"') and out.endswith("1 finding\n")
    monkeypatch.setattr("sys.argv", ["words.py", str(plant('"""Lives here."""\n').parent)])
    assert words.main() == 0
