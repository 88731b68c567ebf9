"""The older name of `empedocles.core.planes`, for games of other packages."""

from empedocles.core.planes import *  # noqa: F403
