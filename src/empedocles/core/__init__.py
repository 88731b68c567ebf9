"""What kernels depend on: the decorator, bits, exp and its like, random numbers, planes, machine code on disk."""
