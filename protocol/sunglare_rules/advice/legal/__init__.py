"""Examples of legal orders, and all of them where they are finite; plans for one ship."""
