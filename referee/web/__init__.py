"""The referee in a browser tab: a static folder with Python for browsers and this very program; no server code."""
