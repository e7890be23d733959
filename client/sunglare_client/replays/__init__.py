"""Finished matches before whoever looks at them: found, read, told and shown in the terminal."""
