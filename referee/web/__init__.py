"""The referee in a browser tab: a folder of files with Python for browsers and this very program. No code runs on the
server.
"""
