"""A game on paper: its components at true size on few pages, and its rules in short, as a PDF."""

from empedocles.paper.contents import matches
from empedocles.paper.document import THEMES, print_out
from empedocles.paper.sizes import PAPERS, paper_size

__all__ = ["PAPERS", "THEMES", "matches", "paper_size", "print_out"]
