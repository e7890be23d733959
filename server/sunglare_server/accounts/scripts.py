"""The restriction level "Highly Restrictive" of Unicode's UTS 39, section 5.2, for names."""

from typing import Final

import regex

_SCRIPTS: Final = """
    Adlm Aghb Ahom Arab Armi Armn Avst Bali Bamu Bass Batk Beng Bhks Bopo Brah Brai Bugi Buhd
    Cakm Cans Cari Cham Cher Chrs Copt Cpmn Cprt Cyrl Deva Diak Dogr Dsrt Dupl Egyp Elba Elym
    Ethi Gara Geor Glag Gong Gonm Goth Gran Grek Gujr Gukh Guru Hang Hani Hano Hatr Hebr Hira
    Hluw Hmng Hmnp Hung Ital Java Kali Kana Kawi Khar Khmr Khoj Kits Knda Krai Kthi Lana Laoo
    Latn Lepc Limb Lina Linb Lisu Lyci Lydi Mahj Maka Mand Mani Marc Medf Mend Merc Mero Miao
    Mlym Modi Mong Mroo Mtei Mult Mymr Nagm Nand Narb Nbat Newa Nkoo Nshu Ogam Olck Onao Orkh
    Orya Osge Osma Ougr Palm Pauc Perm Phag Phli Phlp Phnx Prti Rjng Rohg Runr Samr Sarb Saur
    Sgnw Shaw Shrd Sidd Sind Sinh Sogd Sogo Sora Soyo Sund Sunu Sylo Syrc Tagb Takr Tale Talu
    Taml Tang Tavt Telu Tfng Tglg Thaa Thai Tibt Tirh Tnsa Todr Toto Tutg Ugar Vaii Vith Wara
    Wcho Xpeo Xsux Yezi Yiii Zanb
"""
"""The scripts of Unicode 16; a letter of none of them is in no name."""

_TOGETHER: Final = (
    ("Latn", "Hani", "Hira", "Kana"),
    ("Latn", "Hani", "Hang"),
    ("Latn", "Hani", "Bopo"),
)
"""The sets of this level: Latin with Japanese, with Korean, and with Chinese and its Bopomofo."""

_COMMON: Final = ("Zyyy", "Zinh")
"""What goes with every script: digits, punctuation, pictures, marks of no script of their own."""


def _letters(*scripts: str) -> str:
    """Return the pattern of a text whose letters are all used in one of these `scripts`."""
    kinds = "".join(rf"\p{{scx={script}}}" for script in (*scripts, *_COMMON))
    return f"[{kinds}]*+"


_RESTRICTED = regex.compile(
    "|".join(
        (
            *(_letters(script) for script in _SCRIPTS.split()),
            *(_letters(*all_) for all_ in _TOGETHER),
        )
    )
)


def is_highly_restrictive(text: str) -> bool:
    """Return whether `text` is of one script, or of Latin with Japanese, Korean or Chinese."""
    return _RESTRICTED.fullmatch(text) is not None
