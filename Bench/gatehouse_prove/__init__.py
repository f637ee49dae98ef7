"""Long and timed proofs: what a program that was killed, cut off or pressed still keeps."""
