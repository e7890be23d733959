"""Rooms: storage, listing, quotas and access rights of matches."""
