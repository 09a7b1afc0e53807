"""`referee web`: the referee in a browser tab."""

from pathlib import Path
from typing import Annotated

from typer import Option

from referee.cli.answer import Answer, Shown, Text
from referee.cli.typed import check_folder
from referee.web.folder import make_folder

MEGA = 1_000_000
Folder = Annotated[Path, Option("-o", "--output", metavar="FOLDER", help="The folder to make.")]


def web(output: Folder) -> Answer:
    """Make a folder of files for a web server. Who visits it drops a log into the tab, and it is judged there by this
    same program: no Python is needed, nothing is sent, and after the first visit no network.

    \b
      referee web -o tab            python3 -m http.server -b 127.0.0.1 -d tab
      referee web -o site/judge     then put site/judge on a web server

    This takes npm and pip and a network, once: they fetch a Python for browsers, and its hash is checked.
    """
    check_folder(output)
    sizes = make_folder(output)
    size = sum(sizes.values())
    lines: list[Shown] = [
        f"Written to {output}: {len(sizes)} files, {size / MEGA:.1f} MB, which a browser fetches once.",
        Text("Put the folder on any web server. To look at it here:", indent=2),
        Text(f"python3 -m http.server -b 127.0.0.1 -d {output}", indent=4, whole=True),
        Text("and open http://127.0.0.1:8000", indent=2),
    ]
    return Answer(lines, lambda: {"written": str(output), "bytes": size, "files": sizes})
