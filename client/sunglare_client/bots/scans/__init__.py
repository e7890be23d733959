"""Scans and requests for data: what to look for, and with what."""
