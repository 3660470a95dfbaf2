"""Kernel: a hand of Albastini as ``fast_tricks`` plays it, cards as numbers, trumps first."""

from games.albastini.cards import PACK
from games.albastini.play.policy_weights import EACH_ALONE, FOR_TWO, IN_TEAMS
from games.bots.trick_kernel import TrickKernel

KERNEL = TrickKernel(PACK, FOR_TWO, IN_TEAMS, EACH_ALONE)
