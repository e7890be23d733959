"""Cards: what is known of a thing, by which rule, and why an answer is as it is."""
