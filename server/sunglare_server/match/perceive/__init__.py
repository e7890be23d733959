"""Perception: what each audience learns of events, one module per system.

`learns` decides who is told what, `checked` holds that against the ledger, `absorb` writes it
into intel. Nothing else writes intel.
"""
