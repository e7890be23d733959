"""The turn: its windows, the movement of ships, the scale, what losses and goals are worth."""
