"""A replay as files that others can open: pictures, animations, a page of one file, a text."""
