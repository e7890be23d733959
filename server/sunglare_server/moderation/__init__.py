"""Moderation: the operator's policy, reports of players, chat logs."""
