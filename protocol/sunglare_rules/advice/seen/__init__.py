"""A view as the rules take it: own and foreign pieces as the rules take them."""
