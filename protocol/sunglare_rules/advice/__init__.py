"""Advice to a player: functions of one view, so that none can reveal more than it."""
