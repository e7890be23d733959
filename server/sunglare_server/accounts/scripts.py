"""Whether a text is of a single script, as Unicode's UTS 39, section 5.1, resolves it."""

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
"""The scripts of Unicode 16; a letter of none of them is in no text of a single script."""

_TOGETHER: Final = (("Hani", "Hira", "Kana"), ("Hani", "Hang"), ("Hani", "Bopo"))
"""Japanese, Korean and Chinese with Bopomofo: the sets by which UTS 39 augments those of Han."""

_COMMON: Final = ("Zyyy", "Zinh")
"""What goes with every script: digits, punctuation, pictures, marks of no script of their own."""


def _letters(*scripts: str) -> str:
    """Return the pattern of a text whose letters are all used in one of these `scripts`."""
    kinds = "".join(rf"\p{{scx={script}}}" for script in (*scripts, *_COMMON))
    return f"[{kinds}]*+"


_SINGLE = regex.compile(
    "|".join(
        (
            *(_letters(script) for script in _SCRIPTS.split()),
            *(_letters(*all_) for all_ in _TOGETHER),
        )
    )
)


def is_single_script(text: str) -> bool:
    """Return whether one script, or one set of scripts written together, has all of `text`."""
    return _SINGLE.fullmatch(text) is not None
