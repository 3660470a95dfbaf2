"""Names as people write them, and as they are kept."""

import re
import unicodedata

_JOINERS = "\u200c\u200d"  # part of the spelling in Persian, in Indian scripts, in emoji


def tidy(name: str) -> str:
    r"""Return *name* composed, with single spaces and nothing invisible in it.

    >>> tidy("  Juma\u202e   K. ")
    'Juma K.'
    """
    spaced = " ".join(unicodedata.normalize("NFC", name).split())
    seen = "".join(sign for sign in spaced if sign in _JOINERS or sign.isprintable())
    return " ".join(seen.split())


def is_name(name: str) -> bool:
    """Tell whether there is anything in *name* that can be seen and said.

    >>> is_name("Asha"), is_name("🦊"), is_name(" . "), is_name("")
    (True, True, False, False)
    """
    return any(unicodedata.category(sign)[0] in "LNS" for sign in name)


def split_names(text: str) -> list[str]:
    r"""Return the names in *text*, one a line or with commas between.

    >>> split_names("Asha, Juma\n\n Neema ;")
    ['Asha', 'Juma', 'Neema']
    """
    names = (tidy(part) for part in re.split(r"[,;\n\r]", text))
    return [name for name in names if name]


def another(name: str) -> str:
    """Suggest what to call a second person of this *name*.

    >>> another("Juma"), another("Juma K.")
    ('Juma K.', 'Juma K. 2')
    """
    return f"{name} 2" if " " in name else f"{name} K."
