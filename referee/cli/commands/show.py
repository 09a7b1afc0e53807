"""`referee show`: the board."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec.structs import replace
from typer import Argument, Option

from referee.cli.answer import Answer, Rows, Shown
from referee.cli.errors import MisuseError
from referee.cli.look import as_you_see_it, facts_told, picture_of, picture_since, summary
from referee.cli.typed import Eyes, Force, Output
from referee.engine.scene import Overlay, Scene, window
from referee.engine.text import listing, match_word
from referee.record.table.sitting import Sitting

FORMS = ("text", "words", "svg", "json", "position", "toml")
SUFFIXES: Mapping[str, tuple[str, ...]] = {
    ".txt": ("text", "words"),
    ".svg": ("svg",),
    ".json": ("json", "position"),
    ".toml": ("toml",),
}
"""What a file of that name may hold, first what it holds where nothing else is said."""
FOREIGN = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf", ".html", ".htm")
"""Ends of names of files that nothing here is written as."""
EVERYTHING = "all"
"""In place of a place: all pages, where only one would be shown."""


def show(
    ctx: typer.Context,
    place: Annotated[str | None, Argument(metavar="[PLACE]", help="Only what lies round it, or a level.")] = None,
    radius: Annotated[int, Option("-r", "--radius", metavar="N", help="So many cells round PLACE.", min=0)] = 3,
    page: Annotated[str | None, Option(metavar="NAME", help="Only this level or part of the map.")] = None,
    sight: Annotated[str | None, Option(metavar="PLACE", help="Mark what is in sight of PLACE.")] = None,
    reach: Annotated[str | None, Option(metavar="PIECE", help="Mark where PIECE can come to.")] = None,
    form: Annotated[
        str | None, Option("--as", metavar="FORM", help="text, words, svg, json: a scene; position (JSON) or toml.")
    ] = None,
    by: Eyes = None,
    output: Output = None,
    force: Force = False,
) -> Answer:
    """Show the board.

    \b
      referee show --as words       referee show PLACE -r 2
      referee show --at 12          referee show --by SEAT
      referee show --sight PLACE    referee show LEVEL
      referee show -o board.svg     referee show --as json

    A file is written in the form that its name says. A drawing marks what the last move has changed; --as json
    is the same as data, for programs that draw. A position is what --from reads.
    In a game with secrets it shows what everybody may know, but to who says who he is.
    """
    look: Sitting = ctx.obj.look(by)
    form = _form(form, output)
    marks = _marks(look, {"sight": sight, "reach": reach})
    if place is None and page is None and ctx.obj.resident and form == "text":
        page = picture_of(look).focus or None
    scene = None
    if form not in ("position", "toml"):
        drawn = _drawn(look, marks, form, in_session=ctx.obj.resident is not None)
        scene = _shown(look, drawn, page, place, radius)
    rendered = partial(_rendered, look, scene, form)
    facts = {"marked": {name: {"of": of, "places": places} for name, of, places in marks}} if marks else {}
    if output is not None:
        text = "\n".join(rendered(ascii_only=ctx.obj.screen.ascii)) + "\n"
        from referee.cli.logs import write_out

        write_out(output, text, force=force)
        return Answer([f"Written to {output}."], lambda: {"written": str(output)})
    as_shown: list[Shown] = [*rendered()] if form == "words" else [Rows(rendered())]
    lines = [*summary(look), scene, *as_you_see_it(look, "show")] if scene and form == "text" else as_shown
    shows = partial(_facts, form, scene, rendered, is_whole=place is None and page is None)
    return Answer(lines, lambda: facts_told(look) | facts | shows())


def _facts(form: str, scene: Scene | None, rendered: Callable[[], list[str]], *, is_whole: bool) -> dict[str, Any]:
    """What is shown, as data, beside the game; `is_whole`: all of the board is."""
    if form == "position" or (form == "text" and is_whole):
        return {}
    if form == "json":
        return {"as": form, "scene": scene}
    return {"as": form, "shown": "\n".join(rendered()) + "\n"}


def _form(form: str | None, output: Path | None) -> str:
    """The form that was asked for, else the one that the name of the file says; MisuseError where both contradict."""
    suffix = output.suffix.lower() if output else ""
    named = SUFFIXES.get(suffix, ())
    if form is None:
        form = named[0] if named else "text"
    if form not in FORMS:
        raise MisuseError(f"--as takes {', '.join(FORMS)}, not {form!r}")
    if suffix in FOREIGN or (named and form not in named):
        ends = [end for end, forms in SUFFIXES.items() if suffix in FOREIGN or form in forms]
        what = "board" if suffix in FOREIGN else f"board as {form}"
        raise MisuseError(f"a {what} is not written to a {suffix} file; let its name end in {listing(ends, 'or')}")
    return form


def _marks(look: Sitting, asked: Mapping[Overlay, str | None]) -> list[tuple[Overlay, str, tuple[str, ...]]]:
    """What is to be marked on the board: each overlay that was asked for, of what, and its places."""
    from referee.engine.scene import NoPlaceError

    marks = []
    for name, of in asked.items():
        if of is not None:
            if name not in look.facts.game.overlays:
                raise MisuseError(f"{look.facts.game.name} does not tell what is in {name}")
            try:
                marks.append((name, of, look.facts.game.overlay(look.sight.view, name, of)))
            except NoPlaceError as error:
                raise MisuseError(str(error)) from None
    return marks


def _drawn(
    look: Sitting, marks: list[tuple[Overlay, str, tuple[str, ...]]], form: str, *, in_session: bool = False
) -> Scene:
    """The board with its marks; in a session without what is the same each time."""
    from referee.engine.scene import MARKED, marked

    scene = picture_since(look) if form in ("svg", "json") else picture_of(look)
    if in_session and form == "text":
        scene = replace(scene, notes=())  # told once, when it begins
    for name, of, places in marks:
        scene = marked(scene, frozenset(places), MARKED[name].format(of=of))
    return scene


def _shown(look: Sitting, scene: Scene, page: str | None, place: str | None, radius: int) -> Scene:
    """The part asked for; MisuseError where there is no such, with where a piece is that is nowhere on the board."""
    from referee.engine.scene import NoPlaceError

    try:
        return _part(scene, page, _meant(look, place), radius)
    except NoPlaceError as error:
        from referee.cli.named import near, told_of

        told = told_of(look, place) if place else []
        name, _, how = told[0].removesuffix(".").partition(": ") if told else ("", "", "")
        nowhere = f"{name!r} is nowhere on the board: {how}" if told else ""
        raise MisuseError(nowhere or f"{error}{near(look, place or '')}") from None


def _part(scene: Scene, page: str | None, place: str | None, radius: int) -> Scene:
    """The page and the window asked for. A page may be named in the place of a place. NoPlaceError, MisuseError."""
    names = {one.name.lower(): one.name for one in scene.pages if one.name}
    if place is not None and names and place.lower() == EVERYTHING:
        return scene
    if place is not None and page is None and not _is_place(scene, place):
        page = names.get(match_word(place.lower(), list(names)) or "")
        place = None if page else place
    if page is not None:
        scene = _page_of(scene, page, names)
    return scene if place is None else window(scene, place, radius)


def _page_of(scene: Scene, page: str, names: Mapping[str, str]) -> Scene:
    """The page that somebody names, and which others there are; MisuseError."""
    named = match_word(page.lower(), list(names))
    if named is None:
        pages = listing(list(names.values()))
        raise MisuseError(f"the pages are {pages}, not {page!r}" if pages else "there is only one page")
    others = [f"show {name.lower()}" for name in names.values() if name != names[named]]
    note = f"Only {names[named]} is shown; there are: {', '.join(others)}, show {EVERYTHING}."
    return replace(scene.page(names[named]), notes=(*scene.notes, note))


def _meant(look: Sitting, place: str | None) -> str | None:
    """The place that is meant by what somebody names: a place, one without its level, or where a piece stands."""
    if place is None or _is_place(picture_of(look), place):
        return place
    from referee.cli.named import place_of  # most places are named as the board has them

    return place_of(look, place) or place


def _is_place(scene: Scene, place: str) -> bool:
    return any(name.lower() == place.lower() for page in scene.pages for name in page.places())


def _rendered(look: Sitting, scene: Scene | None, form: str, *, ascii_only: bool = False) -> list[str]:
    if form == "toml":
        from referee.cli.toml import position_file

        return position_file(look.facts.game, look.sight.position, look.facts.header.options).splitlines()
    if scene is None or form == "json":
        import msgspec

        data = msgspec.json.encode(look.sight.position if scene is None else scene, order="sorted")
        return msgspec.json.format(data).decode().splitlines()
    if form == "svg":
        from referee.show.svg import svg

        return svg(scene).splitlines()
    if form == "words":
        from referee.show.words import sentences

        return sentences(scene)
    from referee.show.text import captions, picture

    return [*picture(scene, ascii_only=ascii_only), *captions(scene)]
