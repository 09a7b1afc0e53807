"""Parts that commands for play by mail share: the pen, received mail, and the words for entries of such games."""
