"""Actions of Stones: action a takes a + 1 stones."""

MOST = 3  # stones taken in one turn
MOVES = tuple(str(stones) for stones in range(1, MOST + 1))
HEAPS = {"small": 15, "large": 21}
