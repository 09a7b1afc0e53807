"""`referee web`: makes the referee for a browser tab."""

from pathlib import Path
from typing import Annotated

from typer import Option

from referee.cli.answer import Answer, AnswerLine, Text
from referee.cli.arguments import check_parent_folder
from referee.web.web_folder import make_web_folder

MEGA = 1_000_000
OutputFolderOption = Annotated[Path, Option("-o", "--output", metavar="FOLDER", help="The folder to make.")]


def web(output: OutputFolderOption) -> Answer:
    """Make a folder for a web server. Visitors drop a log into the page, and this same program checks it there.

    They need no Python, send nothing, and after the first visit need no network.

    \b
      referee web -o tab            python3 -m http.server -b 127.0.0.1 -d tab
      referee web -o site/judge     then put site/judge on a web server

    Making it needs npm, pip and a network, once. They fetch a Python for browsers; the referee checks its hash.
    """
    check_parent_folder(output)
    sizes = make_web_folder(output)
    size = sum(sizes.values())
    lines: list[AnswerLine] = [
        f"Written to {output}: {len(sizes)} files, {size / MEGA:.1f} MB, which a browser loads once.",
        Text("Put the folder on any web server. To try it here:", indent=2),
        Text(f"python3 -m http.server -b 127.0.0.1 -d {output}", indent=4, is_unwrapped=True),
        Text("and open http://127.0.0.1:8000", indent=2),
    ]
    return Answer(lines, lambda: {"written": str(output), "bytes": size, "files": sizes})
