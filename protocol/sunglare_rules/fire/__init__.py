"""Fire: what each weapon of a ship does, missiles, the nova gun, and damage to a ship."""
