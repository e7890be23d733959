"""Agents: who is where and detected, searches and the fights after them, missions."""
