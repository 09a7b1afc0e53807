"""Looking at the game as it stands: the board, and the status that a bare `referee` tells."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec.structs import replace
from typer import Argument, Option

from referee.cli.answer import Answer, Rows, Shown
from referee.cli.context import Context
from referee.cli.errors import MisuseError, NoGameError
from referee.cli.typed import Eyes, Output
from referee.engine.text import listing, match_word

if TYPE_CHECKING:
    from referee.cli.look import Look
    from referee.engine.scene import Scene

FORMS = ("text", "words", "svg", "json")


def show(
    ctx: typer.Context,
    place: Annotated[str | None, Argument(metavar="[PLACE]", help="Only what lies round it.")] = None,
    radius: Annotated[int, Option("-r", "--radius", metavar="N", help="So many cells round PLACE.", min=0)] = 3,
    page: Annotated[str | None, Option(metavar="NAME", help="Only this level or part of the map.")] = None,
    form: Annotated[str, Option("--as", metavar="FORM", help="text, words, svg or json (a position).")] = "text",
    by: Eyes = None,
    output: Output = None,
) -> Answer:
    """Show the board.

    \b
      referee show --as words       referee show PLACE -r 2
      referee show --at 12          referee show --by SEAT

    In a game with secrets it shows what everybody may know, but to who says who he is.
    """
    context: Context = ctx.obj
    look = context.look(by)
    if form not in FORMS:
        raise MisuseError(f"--as takes {', '.join(FORMS)}, not {form!r}")
    scene = None if form == "json" else _part(look.game.draw(look.view), page, place, radius)
    if output is not None:
        _write(output, "\n".join(_rendered(look, scene, form, ascii_only=context.screen.ascii)) + "\n")
        return Answer([f"Written to {output}."], lambda: {"written": str(output)})
    return Answer(_shown(look, scene, form), lambda: look.facts() | _shown_facts(look, scene, form, page or place))


def _part(scene: Scene, page: str | None, place: str | None, radius: int) -> Scene:
    """The page and the window asked for."""
    from referee.engine.scene import NoPlaceError, window

    if page is not None:
        names = {one.name.lower(): one for one in scene.pages if one.name}
        named = match_word(page.lower(), list(names))
        if named is None:
            pages = [one.name for one in names.values()]
            raise MisuseError(f"the pages are {listing(pages)}, not {page!r}" if pages else "there is only one page")
        scene = replace(scene, pages=(names[named],))
    try:
        return scene if place is None else window(scene, place, radius)
    except NoPlaceError as error:
        raise MisuseError(str(error)) from None


def _shown(look: Look, scene: Scene | None, form: str) -> Iterator[Shown]:
    if form == "text" and scene is not None:
        yield from look.standing()
        yield scene
    elif form == "words":
        yield from _rendered(look, scene, form)
    else:
        yield Rows(_rendered(look, scene, form))


def _shown_facts(look: Look, scene: Scene | None, form: str, part: str | None) -> dict[str, Any]:
    if form == "json" or (form == "text" and part is None):
        return {}
    return {"as": form, "shown": "\n".join(_rendered(look, scene, form)) + "\n"}


def _rendered(look: Look, scene: Scene | None, form: str, *, ascii_only: bool = False) -> list[str]:
    if scene is None:
        import msgspec

        position = msgspec.json.encode(look.game.position_of(look.view), order="sorted")
        return msgspec.json.format(position).decode().splitlines()
    if form == "svg":
        from referee.show.svg import svg

        return svg(scene).splitlines()
    if form == "words":
        from referee.show.words import sentences

        return sentences(scene)
    from referee.show.text import captions, picture

    return [*picture(scene, ascii_only=ascii_only), *captions(scene)]


def _write(path: Path, text: str) -> None:
    """Write a file for somebody, UTF-8 with line feeds; never over one that is there."""
    with path.open("x", encoding="utf-8", newline="\n") as file:
        file.write(text)


def status(context: Context, help_text: Callable[[], str]) -> Answer:
    """Where the current game stands; without one, the short help."""
    try:
        look = context.look()
    except NoGameError:
        if context.screen.json:
            raise
        return Answer([Rows(help_text().splitlines())], dict)
    return Answer([*look.standing(), *look.next()], look.facts)
