"""Tools of a server's operator: the control socket, its commands, checks and metrics."""
