"""What apps get of this repository: documentation, public API and package."""
