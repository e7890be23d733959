"""SQLite behind the ports: journal, store, ratings, backup and replication."""
