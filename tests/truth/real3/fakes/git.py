"""A stand-in: nothing of it is called."""
class Repo:
    """A stand-in: nothing of it is called."""
