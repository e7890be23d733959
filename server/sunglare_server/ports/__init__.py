"""Ports: the interfaces of journal, store, lease and ratings, and their values."""
