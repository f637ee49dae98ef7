"""Runs the built tests in shards, for script/test."""
