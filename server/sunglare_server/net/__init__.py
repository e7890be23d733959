"""The edge of the server: sockets, sessions and the watch page."""
