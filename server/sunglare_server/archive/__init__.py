"""The archive of finished matches: record files, their folder and its index."""
