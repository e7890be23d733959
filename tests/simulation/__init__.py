"""A server, its disk, its clients and their network inside one event loop, with seeded faults."""
