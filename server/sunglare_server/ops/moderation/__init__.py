"""Moderation by the operator: bans, mutes, reports and names."""
