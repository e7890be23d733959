"""Sheets: all that one own piece may do in the open window, with what comes of it."""
