"""The older name of `empedocles.core.kernel`, for games of other packages."""

from empedocles.core.kernel import *  # noqa: F403
