"""The line to a server: connections, seats that outlive them, accounts, logs and records."""
