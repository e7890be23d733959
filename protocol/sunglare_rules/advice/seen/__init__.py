"""What a view comes to for the rules: own and foreign pieces as the rules take them."""
