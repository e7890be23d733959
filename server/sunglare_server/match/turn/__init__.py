"""The turn: the resolvers in the order of the rules, each run of events applied and learned."""
