"""GAMBLE (Huang, Ertekin, Song, Zha, Giles 2007)."""

from frugalboost.reproduce.gamble.experiment import Gamble

__all__ = ["Gamble"]
