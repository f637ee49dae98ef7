"""Measures Gatehouse against limits taken on the same machine in the same run."""
