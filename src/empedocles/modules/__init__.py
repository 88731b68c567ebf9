"""Each game as one WebAssembly module: rules, search and solver for browsers, from the same kernels."""
