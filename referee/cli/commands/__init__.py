"""One file for each command or group of commands, named as it is typed."""
