"""Tools that need both sides at once: bot arenas, verification and export of match records."""
