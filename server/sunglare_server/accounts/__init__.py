"""Accounts: their names, sessions, webhooks and the checks on new names."""
