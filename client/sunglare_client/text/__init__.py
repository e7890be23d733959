"""What a view, a notice or an answer says, as lines for people."""
