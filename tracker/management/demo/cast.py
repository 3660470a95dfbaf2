"""Who is in the demo's club, and how well each of them plays."""

from dataclasses import dataclass
from random import Random

CLUB = "Klabu ya Bahari"
# Printed for whoever opens the demo; the first four of the cast sign in, all with one password.
OWNER, PASSWORD = "asha", "karata-na-chai"
ORGANISER, MEMBER, NEWCOMER = "juma", "neema", "baraka"
VISITORS_FROM = "Circolo Rivazzurra, Trieste"

_NAMES = """
Asha Mrisho, Juma Kapera, Neema Mushi, Baraka Lyimo, Zawadi Komba, Omari Saidi, Fatma Ally, Salim Bakari,
Rehema Mwakyusa, Hamisi Ngoma, Mwajuma Rashid, Ali Hassan, Kito Mbwana, Amina Shabani, Musa Chande,
Halima Juma, Rashidi Mfinanga, Tumaini Massawe, Upendo Kimaro, Yusufu Dau, Saada Khamis, Daudi Mollel,
Grace Temba, Elia Nnko, Mariamu Pazi, Idi Makame, Subira Mohamed, Faraja Swai, Shukuru Minja, Pendo Urio,
Hasina Kassim, Bakari Mtulia, Zuhura Abdi, Joseph Mrema, Lulu Mapunda, Khadija Simba, Athumani Jongo,
Furaha Laizer, Sikudhani Mzee, Peter Massanja, Mwanaidi Seif, Ramadhani Kilo, Anna Shirima, Selemani Fundi,
Esther Mbise, Issa Kondo, Rukia Mbaga, Gideon Njau, Tatu Salum, Veronica Haule, Shabani Mponzi, Jamila Nassor,
Mwita Chacha, Pendo Uryo
"""
_VISITORS = (
    "Marta Cossutta",
    "Livio Furlan",
    "Aino Lehtonen",
    "Eero Salmi",
    "Nives Brezigar",
    "Otso Vainio",
)
# Two of the regulars each, in their order.
TEAMS = ("Simba", "Pweza", "Mawimbi", "Tai", "Nyuki", "Kasa", "Jahazi", "Nyota")
# Written down twice by two tired organisers, and merged later.
TWICE = ("Juma Kapera", "Jumaa Kapera")


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody of the cast; ``skill`` from 0 to 1 is how often they play as they should."""

    name: str
    skill: float
    visitor: bool = False


def cast(rng: Random) -> tuple[Guest, ...]:
    """Return sixty people, the regulars first, each with a skill of their own."""
    names = [name.strip() for name in _NAMES.replace("\n", " ").split(",")]
    members = [Guest(name, rng.random()) for name in names]
    visitors = [Guest(name, rng.random(), visitor=True) for name in _VISITORS]
    twice = Guest(TWICE[1], 0.6)
    return (*members, *visitors, twice)
