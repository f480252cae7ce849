"""The option is off here."""

class PlainConfig:
    def __init__(self, size=3, use_rope: bool = False, device="cuda", **kwargs):
        self.size = size
        self.use_rope = use_rope
