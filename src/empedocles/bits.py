"""The older name of `empedocles.core.bits`, for games of other packages."""

from empedocles.core.bits import *  # noqa: F403
