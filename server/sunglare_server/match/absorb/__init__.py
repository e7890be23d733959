"""Turns facts into intel: its one writer, the order in which it learns, and the handles."""
