"""What the operator of a server uses: the control socket, its commands, checks and metrics."""
