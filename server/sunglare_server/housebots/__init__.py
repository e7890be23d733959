"""House bots: child processes of the server that take seats."""
