"""The command line. One file for each group of commands; knows no rule of any game."""

import gc

gc.disable()  # a command lives for moments; collecting while it loads would cost it a tenth of them
