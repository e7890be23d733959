"""Truth: everything as it is. Only resolvers, `apply`, `learn` and `own` read it."""
