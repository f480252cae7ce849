"""Has an __init__.py; `tools` below it has none."""
