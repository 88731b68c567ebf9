"""What programs and our own pages ask for, and the answers."""
