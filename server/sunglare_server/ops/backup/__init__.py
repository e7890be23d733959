"""Backups, the recovery drill, archives and transfer of matches."""
