"""What kernels depend on, and nothing else: the decorator, bits, numbers, random numbers, planes, the cache on disk."""
