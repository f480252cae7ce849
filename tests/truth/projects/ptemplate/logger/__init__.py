from .visualization import TensorboardWriter
