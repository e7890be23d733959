"""The gateway: sockets, admission, rate limits, HTTP and the watch page."""
