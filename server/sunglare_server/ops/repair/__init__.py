"""Check, repair and restore of a database, and matches in quarantine."""
