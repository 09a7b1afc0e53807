"""A game as one page that can be kept, mailed and printed. It can be read without a script. A script steps through the
game and proves the log in the browser. This package knows scenes and words, but no game, log or terminal.

Its parts can be used separately by any program that shows a game in a browser:

    page_model      `Story` and `StoryStep`: the content of a page, in words and scenes. A server tells one step at a
                    time
    frames          `DrawnBoards`: the parts of all boards of a moment under their keys; `make_frame`: the changes
                    from one moment to the next. A server sends one frame for each entry, as JSON
    document        `render_page(story)`: the whole page; `render_record`, `render_board` and `render_legend`: pieces
    page_assets     `load_style()` and `load_script(...)`: the style, and the scripts by name. `board.js` exchanges
                    parts and lets pieces glide (`new Board(figure)`, `board.show(parts)`), `check.js` proves a log
                    (`proof(text)`), `prove.js` tells that in a page, `replay.js` steps through it; `common.js` comes
                    before each
    page_parsing    `parse_page(page)`: the log in a page from a stranger, and the page's own settings

A page depends only on its story and on the version of the program. Two pages of one story are the same byte for byte.
"""
