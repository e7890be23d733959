"""The transport between gateways and workers: messages, subjects, sockets."""
