from .transformer import TextTransformer

__all__ = ["TextTransformer"]
