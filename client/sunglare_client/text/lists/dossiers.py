"""The result of a data scan on a piece, as a word in a list."""

from sunglare_protocol.words.dossiers import Dossier


def dossier_text(found: Dossier) -> str:
    """Return in a few words what a data scan has found of a piece, and in which turn."""
    ecm = "" if found.ecm is None else f" ecm {'on' if found.ecm else 'off'}"
    state = f"damage {found.damage} heat {found.heat} move {found.move}{ecm}"
    return f"[{found.variant} {state}, turn {found.turn}]"
