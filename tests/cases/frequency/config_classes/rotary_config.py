"""The option is on here."""

class RotaryConfig:
    def __init__(self, size=3, use_rope: bool = True, **kwargs):
        self.size = size
        self.use_rope = use_rope
