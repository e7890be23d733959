"""The control socket: requests, their handlers, and the commands."""
