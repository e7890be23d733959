"""Advice to a player: functions of one view, so that none can tell what its owner may not know."""
