"""The full screen of a capable terminal: a board that stays, panels, and the line one types."""
