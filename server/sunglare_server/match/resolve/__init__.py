"""The resolvers, one module per system: `(truth, inputs, dice) -> events`, never a change."""
