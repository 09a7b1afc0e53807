"""Refusals: one sentence for each HTTP status that refuses a request. The headers of every response are here, too."""

from __future__ import annotations

from starlette.responses import PlainTextResponse

RESPONSE_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""The headers of every response."""
DENY_ALL_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""The content security policy of every response that is not a page."""
REFUSAL_SENTENCES = {
    400: "The server cannot read this request; load the page again.",
    403: "This request came from another page, so the server refused it; open the link itself.",
    404: "Nothing is here, or this link was withdrawn; ask whoever serves the game for the new link.",
    408: "The request did not arrive in time; try again.",
    413: "This is too long; send less at once.",
    415: "Only the page of your link may send requests here; load that page again.",
    421: "The game is not served under this name; open the link as it was given to you.",
    429: "Too many requests came at once; wait a moment, then try again.",
    500: "The referee has a bug here and cannot answer; load the page again to see how the game stands.",
}
"""The sentence for each status that refuses."""


def make_refusal_response(status: int) -> PlainTextResponse:
    """Returns the response that refuses a request with a status, which is one of REFUSAL_SENTENCES."""
    return PlainTextResponse(REFUSAL_SENTENCES[status], status)
