"""A stand-in where setuptools brings none: nothing of it is called."""
