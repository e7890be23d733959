"""Typed input: the line editor, completion and the command grammar."""
