"""`referee show`: shows the board."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec.structs import replace
from typer import Argument, Option

from referee.cli.answer import Answer, AnswerLine, FixedRows
from referee.cli.arguments import ForceOption, OutputOption, ViewOption
from referee.cli.errors import MisuseError
from referee.cli.game_view import (
    collect_summary_facts,
    describe_summary,
    make_current_picture,
    make_picture_with_changes,
    suggest_own_view,
)
from referee.engine.scene import Overlay, Scene, crop_scene
from referee.engine.text import listing, match_word
from referee.record.table.seat_view import SeatView

FORMS = ("text", "words", "svg", "json", "position", "toml")
SUFFIXES: Mapping[str, tuple[str, ...]] = {
    ".txt": ("text", "words"),
    ".svg": ("svg",),
    ".json": ("json", "position"),
    ".toml": ("toml",),
}
"""The forms that a file may hold, by the ending of its name; the default comes first."""
UNWRITABLE_SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf", ".html", ".htm")
"""The endings of files that this command cannot write."""
ALL_PAGES = "all"
"""The word that shows all pages, in place of a place."""


def show(
    ctx: typer.Context,
    place: Annotated[str | None, Argument(metavar="[PLACE]", help="Show only this area or level.")] = None,
    radius: Annotated[
        int, Option("-r", "--radius", metavar="N", help="The size of the area, in cells around PLACE.", min=0)
    ] = 3,
    page: Annotated[str | None, Option(metavar="NAME", help="Show only this level or part of the map.")] = None,
    sight: Annotated[str | None, Option(metavar="PLACE", help="Mark everything in sight of PLACE.")] = None,
    reach: Annotated[str | None, Option(metavar="PIECE", help="Mark everywhere that PIECE can go.")] = None,
    form: Annotated[
        str | None, Option("--as", metavar="FORM", help="text, words, svg, json (a scene), position (JSON) or toml.")
    ] = None,
    by: ViewOption = None,
    output: OutputOption = None,
    force: ForceOption = False,
) -> Answer:
    """Show the board.

    \b
      referee show --as words       referee show PLACE -r 2
      referee show --at 12          referee show --by SEAT
      referee show --sight PLACE    referee show LEVEL
      referee show -o board.svg     referee show --as json

    The name of a file decides its form. A drawing marks what the last move changed. --as json is the drawing as data,
    for
    programs. A position is a file for --from.

    In a game with secrets it shows public information, unless you name your seat with --by.
    """
    look: SeatView = ctx.obj.open_view(by)
    form = _choose_form(form, output)
    marks = _parse_marks(look, {"sight": sight, "reach": reach})
    if place is None and page is None and ctx.obj.live_log and form == "text":
        page = make_current_picture(look).focus or None
    scene = None
    if form not in ("position", "toml"):
        drawn = _draw_board(look, marks, form, in_session=ctx.obj.live_log is not None)
        scene = _cut_requested_part(look, drawn, page, place, radius)
    rendered = partial(_render_scene, look, scene, form)
    facts = {"marked": {name: {"of": of, "places": places} for name, of, places in marks}} if marks else {}
    if output is not None:
        text = "\n".join(rendered(ascii_only=ctx.obj.screen.ascii)) + "\n"
        from referee.cli.log_paths import write_output

        write_output(output, text, force=force)
        return Answer([f"Written to {output}."], lambda: {"written": str(output)})
    as_shown: list[AnswerLine] = [*rendered()] if form == "words" else [FixedRows(rendered())]
    lines = [*describe_summary(look), scene, *suggest_own_view(look, "show")] if scene and form == "text" else as_shown
    shows = partial(_collect_facts, form, scene, rendered, is_whole=place is None and page is None)
    return Answer(lines, lambda: collect_summary_facts(look) | facts | shows())


def _collect_facts(
    form: str, scene: Scene | None, rendered: Callable[[], list[str]], *, is_whole: bool
) -> dict[str, Any]:
    """Returns the shown board for programs. `is_whole` is True if the whole board is shown.

    Returns {} if the other facts of the answer already hold the board."""
    if form == "position" or (form == "text" and is_whole):
        return {}
    if form == "json":
        return {"as": form, "scene": scene}
    return {"as": form, "shown": "\n".join(rendered()) + "\n"}


def _choose_form(form: str | None, output: Path | None) -> str:
    """Returns the requested form, or the form that the file's name implies.

    Raises MisuseError if the two contradict each other, or if there is no such form.
    """
    suffix = output.suffix.lower() if output else ""
    named = SUFFIXES.get(suffix, ())
    if form is None:
        form = named[0] if named else "text"
    if form not in FORMS:
        raise MisuseError(f"--as takes {', '.join(FORMS)}, not {form!r}")
    if suffix in UNWRITABLE_SUFFIXES or (named and form not in named):
        ends = [end for end, forms in SUFFIXES.items() if suffix in UNWRITABLE_SUFFIXES or form in forms]
        what = "board" if suffix in UNWRITABLE_SUFFIXES else f"board as {form}"
        raise MisuseError(f"a {what} cannot be a {suffix} file; use a name that ends in {listing(ends, 'or')}")
    return form


def _parse_marks(look: SeatView, asked: Mapping[Overlay, str | None]) -> list[tuple[Overlay, str, tuple[str, ...]]]:
    """Returns the requested marks: each kind, its subject, and its places.

    Raises MisuseError if the game has no such kind of mark, or the board no such place or piece.
    """
    from referee.engine.scene import NoPlaceError

    marks = []
    for name, of in asked.items():
        if of is not None:
            if name not in look.facts.game.overlays:
                raise MisuseError(f"{look.facts.game.name} cannot show {name}")
            try:
                marks.append((name, of, look.facts.game.list_overlay_places(look.sight.view, name, of)))
            except NoPlaceError as error:
                raise MisuseError(str(error)) from None
    return marks


def _draw_board(
    look: SeatView, marks: list[tuple[Overlay, str, tuple[str, ...]]], form: str, *, in_session: bool = False
) -> Scene:
    """Returns the board with its marks. In a session, leaves out the notes, which were shown at its start."""
    from referee.engine.scene import OVERLAY_TITLES, mark_places

    scene = make_picture_with_changes(look) if form in ("svg", "json") else make_current_picture(look)
    if in_session and form == "text":
        scene = replace(scene, notes=())  # the first reply of a session shows them
    for name, of, places in marks:
        scene = mark_places(scene, frozenset(places), OVERLAY_TITLES[name].format(of=of))
    return scene


def _cut_requested_part(look: SeatView, scene: Scene, page: str | None, place: str | None, radius: int) -> Scene:
    """Returns the requested part of the board.

    Raises MisuseError if there is no such part. The message says where a piece is that is off the board.
    """
    from referee.engine.scene import NoPlaceError

    try:
        return _cut_part(scene, page, _find_meant_place(look, place), radius)
    except NoPlaceError as error:
        from referee.cli.name_lookup import describe_name, suggest_name

        told = describe_name(look, place) if place else []
        name, _, how = told[0].removesuffix(".").partition(": ") if told else ("", "", "")
        nowhere = f"{name!r} is not on the board: {how}" if told else ""
        raise MisuseError(nowhere or f"{error}{suggest_name(look, place or '')}") from None


def _cut_part(scene: Scene, page: str | None, place: str | None, radius: int) -> Scene:
    """Returns the requested page and area.

    `place` may also be the name of a page. Raises NoPlaceError or MisuseError if there is no such place or page.
    """
    names = {one.name.lower(): one.name for one in scene.pages if one.name}
    if place is not None and names and place.lower() == ALL_PAGES:
        return scene
    if place is not None and page is None and not _is_place(scene, place):
        page = names.get(match_word(place.lower(), list(names)) or "")
        place = None if page else place
    if page is not None:
        scene = _find_page(scene, page, names)
    return scene if place is None else crop_scene(scene, place, radius)


def _find_page(scene: Scene, page: str, names: Mapping[str, str]) -> Scene:
    """Returns the named page, with a note about the other pages. Raises MisuseError if there is no such page."""
    named = match_word(page.lower(), list(names))
    if named is None:
        pages = listing(list(names.values()))
        raise MisuseError(f"there is no page {page!r}; there are {pages}" if pages else "there is only one page")
    others = [f"show {name.lower()}" for name in names.values() if name != names[named]]
    note = f"This is only {names[named]}. For the rest: {', '.join(others)}, show {ALL_PAGES}."
    return replace(scene.select_page(names[named]), notes=(*scene.notes, note))


def _find_meant_place(look: SeatView, place: str | None) -> str | None:
    """Returns the place that somebody means, such as one named without its level, or by a piece on it.

    Returns the word itself if it means none.
    """
    if place is None or _is_place(make_current_picture(look), place):
        return place
    from referee.cli.name_lookup import find_place  # most places are typed as the board names them

    return find_place(look, place) or place


def _is_place(scene: Scene, place: str) -> bool:
    return any(name.lower() == place.lower() for page in scene.pages for name in page.list_places())


def _render_scene(look: SeatView, scene: Scene | None, form: str, *, ascii_only: bool = False) -> list[str]:
    if form == "toml":
        from referee.cli.position_toml import format_position_file

        return format_position_file(look.facts.game, look.sight.position, look.facts.options).splitlines()
    if scene is None or form == "json":
        import msgspec

        data = msgspec.json.encode(look.sight.position if scene is None else scene, order="sorted")
        return msgspec.json.format(data).decode().splitlines()
    if form == "svg":
        from referee.show.svg import render_svg

        return render_svg(scene).splitlines()
    if form == "words":
        from referee.show.description import describe_scene

        return describe_scene(scene)
    from referee.show.text_picture import draw_text_picture, list_text_captions

    return [*draw_text_picture(scene, ascii_only=ascii_only), *list_text_captions(scene)]
