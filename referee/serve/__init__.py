"""A game served to browsers: a page for everybody, and one for each seat that shows only what the seat may know.

This package knows pages and stories, but no game, log or terminal. The caller hands in a `WatchedGame`, and a
`RequestHandler` if phones may speak.

    GET  /TOKEN                 the page of a link: of the table, or of a seat
    GET  /TOKEN/code            the checkpoint of the last entry as a QR code, in SVG
    GET  /TOKEN/events?after=P  the news after place P, as server-sent events; `Last-Event-ID` goes before `after`
    POST /TOKEN/say             `--play`, links of seats only: a JSON object of 4 KiB at most, answered by one

Everything else is 404, and so is a token without a link. Foreign hosts and origins are refused before the game is
asked, and so are bodies, connections and rates beyond `rate_limits`. Each refusal is one sentence of plain text.

**Events.** Each has a name and one line of JSON.

    entry    {"frame": a `page.frames.Frame`, "taken": [n, ...], "boxes": [...] | null, "legend": [[element, meaning]],
             "step": {"n", "part", "said", "told": [...], "chances": [...], "rules": {number: words}},
             "witness": "212 WORDS", "checkpoint": "...", "is_over": false};
             its id is the place after it
    notice   {"words": "..."}: what is wrong with the log, shown until another one comes; empty: nothing any more
    anew     the log no longer fits the page (it was rewritten, or a secret was revealed): load the page again
    gone     the link was withdrawn
    beat     no news, every few seconds: a viewer that gets no beat for long is not connected and asks again

**How `say` works.** `RequestHandler` is a function `(seat, request) -> answer`; request and answer are JSON objects. It
gets the seat of the link, never one that the phone names. It runs in the one thread that also reads the log, so two
taps at one moment come one after the other. An exception in it is a bug and answered as 500. After each call the log is
read at once. An answer with `"wake": true` sends a beat to all viewers; at a beat, phones ask how the game stands.

**In the page** of a seat that may speak, `<section id="phone">` is empty and hidden. The script `phone.js` comes
last, in the same function as the others. So it may use the names of `board.js`, `replay.js` and `live.js`.
`say(request)` posts and returns a promise of the answer with its HTTP `status`. `board.nodes` has the drawn parts by
"BOARD KEY". `live.js` fires an event `entry` on `document` for each entry once it is shown; `detail` is the message.
It fires an event `beat` for each beat.

    watched_log    `WatchedGame`, `LogReading`, `UnreadableLogError`, `RequestHandler`: the parts that the caller brings
    live_page      the page of a link
    live_view      `LiveView`: the page and the events for one seat, or for everybody
    game_room      `GameRoom`: follows the log, one thread for all of it
    links          `Links`: tokens, made and withdrawn
    rate_limits    the most that a browser may send, how often and how long
    app            the routes and their guards
    http_refusals  the headers of every response, and one sentence for each refusal
    server         sockets, addresses and the loop
    link_code      links as QR codes in a terminal
    action_builder `ActionBuilder`: the legal actions that are left after some taps
    hit_targets    the places and pieces that can be touched on a board
"""
