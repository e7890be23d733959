"""House bots: processes of their own that take seats, forked or started from nothing."""
