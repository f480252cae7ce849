from .ema import EMACallback
from .samples import SampleGridCallback, ThroughputCallback

__all__ = ["EMACallback", "SampleGridCallback", "ThroughputCallback"]
