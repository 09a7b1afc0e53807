"""`referee show`: the board."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec.structs import replace
from typer import Argument, Option

from referee.cli.answer import Answer, Rows, Shown
from referee.cli.errors import MisuseError
from referee.cli.look import Look
from referee.cli.typed import Eyes, Force, Output
from referee.engine.text import listing, match_word

if TYPE_CHECKING:
    from referee.engine.scene import Overlay, Scene


FORMS = ("text", "words", "svg", "json", "toml")


def show(
    ctx: typer.Context,
    place: Annotated[str | None, Argument(metavar="[PLACE]", help="Only what lies round it.")] = None,
    radius: Annotated[int, Option("-r", "--radius", metavar="N", help="So many cells round PLACE.", min=0)] = 3,
    page: Annotated[str | None, Option(metavar="NAME", help="Only this level or part of the map.")] = None,
    sight: Annotated[str | None, Option(metavar="PLACE", help="Mark what is in sight of PLACE.")] = None,
    reach: Annotated[str | None, Option(metavar="PIECE", help="Mark where PIECE can come to.")] = None,
    form: Annotated[str, Option("--as", metavar="FORM", help="text, words, svg; json or toml: a position.")] = "text",
    by: Eyes = None,
    output: Output = None,
    force: Force = False,
) -> Answer:
    """Show the board.

    \b
      referee show --as words       referee show PLACE -r 2
      referee show --at 12          referee show --by SEAT
      referee show --sight PLACE

    In a game with secrets it shows what everybody may know, but to who says who he is.
    """
    look: Look = ctx.obj.look(by)
    if form not in FORMS:
        raise MisuseError(f"--as takes {', '.join(FORMS)}, not {form!r}")
    marks = _marks(look, {"sight": sight, "reach": reach})
    scene = None if form in ("json", "toml") else _part(_drawn(look, marks), page, place, radius)
    rendered = partial(_rendered, look, scene, form)
    facts = {"marked": {name: {"of": of, "places": places} for name, of, places in marks}} if marks else {}
    if output is not None:
        text = "\n".join(rendered(ascii_only=ctx.obj.screen.ascii)) + "\n"
        from referee.cli.logs import write_out

        write_out(output, text, force=force)
        return Answer([f"Written to {output}."], lambda: {"written": str(output)})
    as_shown: list[Shown] = [*rendered()] if form == "words" else [Rows(rendered())]
    lines = [*look.summary(), scene] if scene and form == "text" else as_shown
    if form == "json" or (form == "text" and page is None and place is None):
        return Answer(lines, lambda: look.facts() | facts)
    return Answer(lines, lambda: look.facts() | facts | {"as": form, "shown": "\n".join(rendered()) + "\n"})


def _marks(look: Look, asked: Mapping[Overlay, str | None]) -> list[tuple[Overlay, str, tuple[str, ...]]]:
    """What is to be marked on the board: each overlay that was asked for, of what, and its places."""
    from referee.engine.scene import NoPlaceError

    marks = []
    for name, of in asked.items():
        if of is not None:
            if name not in look.game.overlays:
                raise MisuseError(f"{look.game.name} does not tell what is in {name}")
            try:
                marks.append((name, of, look.game.overlay(look.view, name, of)))
            except NoPlaceError as error:
                raise MisuseError(str(error)) from None
    return marks


def _drawn(look: Look, marks: list[tuple[Overlay, str, tuple[str, ...]]]) -> Scene:
    from referee.engine.scene import MARKED, marked

    scene = look.picture()
    for name, of, places in marks:
        scene = marked(scene, frozenset(places), MARKED[name].format(of=of))
    return scene


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


def _rendered(look: Look, scene: Scene | None, form: str, *, ascii_only: bool = False) -> list[str]:
    if form == "toml":
        from referee.cli.toml import position_file

        return position_file(look.game, look.position, look.header.options).splitlines()
    if scene is None:
        import msgspec

        position = msgspec.json.encode(look.position, order="sorted")
        return msgspec.json.format(position).decode().splitlines()
    if form == "svg":
        from referee.show.svg import svg

        return svg(scene).splitlines()
    if form == "words":
        from referee.show.words import sentences

        return sentences(scene)
    from referee.show.text import captions, picture

    return [*picture(scene, ascii_only=ascii_only), *captions(scene)]
